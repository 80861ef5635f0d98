import type { ReactNode } from 'react'
import { type FormField, fieldText, withEdit } from '../../state/settings-form.ts'
import { Field } from '../../ui/Field.tsx'
import { Input } from '../../ui/Input.tsx'
import type { SettingsForm } from './form.ts'

export interface SettingFieldProps {
  form: SettingsForm
  field: FormField
  label: string
  hint?: ReactNode
  placeholder?: string
  mono?: boolean
  numeric?: boolean
  className?: string
}

/** One stored text or number; empty clears it. */
export function SettingField({
  form,
  field,
  label,
  hint,
  className = '',
  numeric = false,
  ...input
}: SettingFieldProps) {
  const { stored, edits, errors, change } = form
  return (
    <Field label={label} hint={hint} error={errors[field]} className={className}>
      <Input
        {...input}
        {...(numeric ? { inputMode: 'decimal' as const } : {})}
        value={fieldText(edits, stored, field)}
        onValueChange={text => change(withEdit(edits, stored, field, text))}
      />
    </Field>
  )
}

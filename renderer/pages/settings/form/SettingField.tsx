import { type FormField, fieldText, withEdit } from '../../../state/settings/form.ts'
import { Field } from '../../../ui/field/Field.tsx'
import { Input } from '../../../ui/field/Input.tsx'
import { SETTING_ENTRIES } from './entries.ts'
import type { SettingsForm } from './form.ts'
import { SettingAnchor } from './SettingAnchor.tsx'

export interface SettingFieldProps {
  form: SettingsForm
  field: FormField
  placeholder?: string
  mono?: boolean
  numeric?: boolean
  className?: string
}

/** One stored text or number; empty clears it. */
export function SettingField({ form, field, className = '', numeric = false, ...input }: SettingFieldProps) {
  const { stored, edits, errors, change } = form
  const { label, hint } = SETTING_ENTRIES[field]
  return (
    <SettingAnchor name={field} className={className}>
      <Field label={label} hint={hint} error={errors[field]}>
        <Input
          {...input}
          {...(numeric ? { inputMode: 'decimal' as const } : {})}
          value={fieldText(edits, stored, field)}
          onValueChange={text => change(withEdit(edits, stored, field, text))}
        />
      </Field>
    </SettingAnchor>
  )
}

import { Field } from '@base-ui/react/field'
import type { ReactNode } from 'react'
import { isOn, type SwitchField, withSwitch } from '../../../state/settings/form.ts'
import { Switch } from '../../../ui/field/Switch.tsx'
import { type EntryName, SETTING_ENTRIES } from './entries.ts'
import type { SettingsForm } from './form.ts'
import { SettingAnchor } from './SettingAnchor.tsx'

export interface SwitchRowProps {
  name: EntryName
  checked: boolean
  onCheckedChange: (checked: boolean) => void
  /** In place of the entry's own hint. */
  hint?: ReactNode
  /** The hint says why. */
  disabled?: boolean
  /** Under the hint: what can be tried. */
  children?: ReactNode
}

/** A choice of on or off, with what it means. */
export function SwitchRow({ name, checked, onCheckedChange, hint, disabled = false, children }: SwitchRowProps) {
  const entry = SETTING_ENTRIES[name]
  return (
    <SettingAnchor name={name}>
      <Field.Root className="flex items-start justify-between gap-6">
        <div className="min-w-0">
          <Field.Label className="font-medium">{entry.label}</Field.Label>
          <Field.Description className="mt-0.5 text-sm text-faint">{hint ?? entry.hint}</Field.Description>
          {children}
        </div>
        <Switch checked={checked} disabled={disabled} onCheckedChange={onCheckedChange} />
      </Field.Root>
    </SettingAnchor>
  )
}

/** A stored choice of on or off. */
export function SettingSwitch({ form, field, children }: SettingSwitchProps) {
  const { stored, edits, change } = form
  return (
    <SwitchRow
      name={field}
      checked={isOn(edits, stored, field)}
      onCheckedChange={on => change(withSwitch(edits, stored, field, on))}
    >
      {children}
    </SwitchRow>
  )
}

export interface SettingSwitchProps {
  form: SettingsForm
  field: SwitchField
  children?: ReactNode
}

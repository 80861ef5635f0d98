import { fieldText, withEdit } from '../../../state/settings/form.ts'
import { Field } from '../../../ui/field/Field.tsx'
import { Input } from '../../../ui/field/Input.tsx'
import { SETTING_ENTRIES } from '../form/entries.ts'
import type { SettingsForm } from '../form/form.ts'
import { SettingAnchor } from '../form/SettingAnchor.tsx'
import { t } from './text.ts'

/** How many sandboxes run at once; empty is any number. */
export function RunningLimit({ form: { stored, edits, errors, change } }: { form: SettingsForm }) {
  const { label, hint } = SETTING_ENTRIES.max_running_sandboxes
  return (
    <SettingAnchor name="max_running_sandboxes">
      <Field label={label} hint={hint} error={errors.max_running_sandboxes}>
        <Input
          inputMode="numeric"
          placeholder={t('anyNumber')}
          value={fieldText(edits, stored, 'max_running_sandboxes')}
          onValueChange={text => change(withEdit(edits, stored, 'max_running_sandboxes', text))}
          className="max-w-60"
        />
      </Field>
    </SettingAnchor>
  )
}

import { IDLE_MINUTES } from '../../../../server/api/v1/settings/newer-fields.ts'
import { DEFAULT_SETTINGS } from '../../../../server/api/v1/settings/settings.ts'
import { fieldText, withEdit } from '../../../state/settings/form.ts'
import { Field } from '../../../ui/field/Field.tsx'
import { Select } from '../../../ui/field/Select.tsx'
import { SETTING_ENTRIES } from '../form/entries.ts'
import type { SettingsForm } from '../form/form.ts'
import { SettingAnchor } from '../form/SettingAnchor.tsx'
import { t } from './text.ts'

const CHOICES = IDLE_MINUTES.map(minutes => ({
  value: String(minutes),
  label: minutes === 0 ? t('neverPaused') : t('pausedAfterMinutes', { minutes }),
}))

/** After how long without use sandboxes are paused. */
export function IdlePause({ form: { stored, edits, errors, change } }: { form: SettingsForm }) {
  const { label, hint } = SETTING_ENTRIES.pause_idle_after
  return (
    <SettingAnchor name="pause_idle_after">
      <Field label={label} hint={hint} error={errors.pause_idle_after}>
        <Select
          value={fieldText(edits, stored, 'pause_idle_after') || String(DEFAULT_SETTINGS.pause_idle_after)}
          options={CHOICES}
          onValueChange={next => change(withEdit(edits, stored, 'pause_idle_after', next))}
          className="max-w-80"
        />
      </Field>
    </SettingAnchor>
  )
}

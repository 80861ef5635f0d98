import { fieldText, withEdit } from '../../state/settings/form.ts'
import { Field } from '../../ui/field/Field.tsx'
import { Select } from '../../ui/field/Select.tsx'
import { SETTING_ENTRIES } from './form/entries.ts'
import type { SettingsForm } from './form/form.ts'
import { SettingAnchor } from './form/SettingAnchor.tsx'
import { t } from './text.ts'

const DIALECTS = [
  { value: '', label: t('asEachClientAsks'), hint: t('webClientByConnection') },
  { value: 'current', label: t('thoseOfToday') },
  { value: '2025', label: t('kindsOfOldClients'), hint: t('forOlderClientsThatRead') },
]

/** Which events clients of the gateway get that do not say themselves what they know. */
export function EventDialect({ form: { stored, edits, errors, change } }: { form: SettingsForm }) {
  const { label, hint } = SETTING_ENTRIES.event_dialect
  return (
    <SettingAnchor name="event_dialect">
      <Field label={label} hint={hint} error={errors.event_dialect}>
        <Select
          value={fieldText(edits, stored, 'event_dialect')}
          options={DIALECTS}
          onValueChange={next => change(withEdit(edits, stored, 'event_dialect', next))}
          className="max-w-80"
        />
      </Field>
    </SettingAnchor>
  )
}

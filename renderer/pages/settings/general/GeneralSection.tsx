import { LANGUAGES } from '../../../../server/api/languages.ts'
import { fieldText, withEdit } from '../../../state/settings/form.ts'
import { Field } from '../../../ui/field/Field.tsx'
import { Select } from '../../../ui/field/Select.tsx'
import { SETTING_ENTRIES } from '../form/entries.ts'
import type { SettingsForm } from '../form/form.ts'
import { FoldedGroup } from '../form/Group.tsx'
import { SettingAnchor } from '../form/SettingAnchor.tsx'
import { SettingField } from '../form/SettingField.tsx'
import { SettingSwitch } from '../form/SwitchRow.tsx'
import { Appearance } from './Appearance.tsx'
import { t } from './text.ts'

export function GeneralSection({ form }: { form: SettingsForm }) {
  return (
    <>
      <Appearance />
      <LanguageField form={form} />
      <FoldedGroup title={t('account')} about={t('storedForOtherClients')}>
        <SettingField form={form} field="email" />
        <SettingSwitch form={form} field="email_verified" />
      </FoldedGroup>
    </>
  )
}

/** A language that another client stored is offered too, so that it is not lost. */
function LanguageField({ form: { stored, edits, change } }: { form: SettingsForm }) {
  const value = fieldText(edits, stored, 'language')
  const known = [
    { value: '', label: t('systemLanguage') },
    ...Object.entries(LANGUAGES).map(([code, name]) => ({ value: code, label: name })),
  ]
  const others = [stored?.language ?? '', value].filter(one => !known.some(option => option.value === one))
  const options = [
    ...known,
    ...[...new Set(others)].map(code => ({ value: code, label: t('codeSetByAnotherClient', { code }) })),
  ]
  const { label, hint } = SETTING_ENTRIES.language
  return (
    <SettingAnchor name="language">
      <Field label={label} hint={hint}>
        <Select
          value={value}
          options={options}
          onValueChange={next => change(withEdit(edits, stored, 'language', next))}
          className="max-w-60"
        />
      </Field>
    </SettingAnchor>
  )
}

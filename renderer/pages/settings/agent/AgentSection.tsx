import { DEFAULT_SETTINGS } from '../../../../server/api/v1/settings/settings.ts'
import { BudgetNote } from '../../../components/BudgetNote.tsx'
import { fieldText, isOn, withEdit } from '../../../state/settings/form.ts'
import { Field } from '../../../ui/field/Field.tsx'
import { Select } from '../../../ui/field/Select.tsx'
import { SETTING_ENTRIES } from '../form/entries.ts'
import type { SettingsForm } from '../form/form.ts'
import { FoldedGroup, Group } from '../form/Group.tsx'
import { SettingAnchor } from '../form/SettingAnchor.tsx'
import { SettingField } from '../form/SettingField.tsx'
import { SettingSwitch } from '../form/SwitchRow.tsx'
import { t } from './text.ts'

export function AgentSection({ form }: { form: SettingsForm }) {
  const { stored, edits } = form
  return (
    <>
      <Group title={t('confirmation')}>
        <SettingSwitch form={form} field="confirmation_mode" />
        {isOn(edits, stored, 'confirmation_mode') ? <AnalyzerField form={form} /> : null}
      </Group>
      <Group title={t('limits')} about={t('atLimitAgentPauses')}>
        <div className="grid grid-cols-2 gap-4">
          <SettingField
            form={form}
            field="max_iterations"
            placeholder={String(DEFAULT_SETTINGS.max_iterations)}
            numeric
          />
          <SettingField form={form} field="max_budget_per_task" placeholder={t('none')} numeric />
        </div>
        {stored?.llm_price_known === false && fieldText(edits, stored, 'max_budget_per_task').trim() !== '' && (
          <BudgetNote />
        )}
      </Group>
      <Group title={t('memory')}>
        <SettingSwitch form={form} field="enable_default_condenser" />
        {isOn(edits, stored, 'enable_default_condenser') ? (
          <SettingField form={form} field="condenser_max_size" placeholder="240" numeric className="max-w-60" />
        ) : null}
      </Group>
      <FoldedGroup title={t('notUsedHere')} about={t('storedForOtherClients')}>
        <SettingSwitch form={form} field="enable_solvability_analysis" />
        <SettingSwitch form={form} field="enable_proactive_conversation_starters" />
        <SettingField form={form} field="agent" mono className="max-w-60" />
      </FoldedGroup>
    </>
  )
}

const ANALYZERS = [
  { value: '', label: t('noneEveryActionWaits'), hint: t('finishingAndThinkingNeverWait') },
  { value: 'local', label: t('ateliersRules'), hint: t('worksWithoutNetwork') },
  { value: 'llm', label: t('ateliersRulesAndModel'), hint: t('higherOfBothRatingsCounts') },
]

/** A name that another client stored is offered too, so that it is not lost; Atelier's rules stand in for it. */
function AnalyzerField({ form: { stored, edits, errors, change } }: { form: SettingsForm }) {
  const value = fieldText(edits, stored, 'security_analyzer')
  const others = [stored?.security_analyzer ?? '', value].filter(one => !ANALYZERS.some(known => known.value === one))
  const options = [
    ...ANALYZERS,
    ...[...new Set(others)].map(name => ({ value: name, label: t('nameByAteliersRules', { name }), hint: undefined })),
  ].map(({ hint, ...option }) => (hint ? { ...option, hint } : option))
  const { label, hint } = SETTING_ENTRIES.security_analyzer
  return (
    <SettingAnchor name="security_analyzer">
      <Field label={label} hint={hint} error={errors.security_analyzer}>
        <Select
          value={value}
          options={options}
          onValueChange={next => change(withEdit(edits, stored, 'security_analyzer', next))}
          className="max-w-80"
        />
      </Field>
    </SettingAnchor>
  )
}

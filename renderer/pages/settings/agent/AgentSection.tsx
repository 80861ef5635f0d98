import { DEFAULT_SETTINGS } from '../../../../server/api/v1/settings/settings.ts'
import { BudgetNote } from '../../../components/BudgetNote.tsx'
import { fieldText, isOn, withEdit } from '../../../state/settings/form.ts'
import { Field } from '../../../ui/field/Field.tsx'
import { Select } from '../../../ui/field/Select.tsx'
import { SETTING_ENTRIES } from '../form/entries.ts'
import type { SettingsForm } from '../form/form.ts'
import { Group } from '../form/Group.tsx'
import { Place } from '../form/Place.tsx'
import { SettingField } from '../form/SettingField.tsx'
import { SettingSwitch } from '../form/SwitchRow.tsx'

export function AgentSection({ form }: { form: SettingsForm }) {
  const { stored, edits } = form
  return (
    <>
      <Group title="Confirmation">
        <SettingSwitch form={form} field="confirmation_mode" />
        {isOn(edits, stored, 'confirmation_mode') ? <AnalyzerField form={form} /> : null}
      </Group>
      <Group
        title="Limits"
        about="At a limit the agent pauses and says so. Each conversation can have its own, also while it runs."
      >
        <div className="grid grid-cols-2 gap-4">
          <SettingField
            form={form}
            field="max_iterations"
            placeholder={String(DEFAULT_SETTINGS.max_iterations)}
            numeric
          />
          <SettingField form={form} field="max_budget_per_task" placeholder="None" numeric />
        </div>
        {stored?.llm_price_known === false && fieldText(edits, stored, 'max_budget_per_task').trim() !== '' && (
          <BudgetNote />
        )}
      </Group>
      <Group title="Memory">
        <SettingSwitch form={form} field="enable_default_condenser" />
        {isOn(edits, stored, 'enable_default_condenser') ? (
          <SettingField form={form} field="condenser_max_size" placeholder="240" numeric className="max-w-60" />
        ) : null}
      </Group>
      <Group title="Not used here" about="Stored for other clients; Atelier’s agent does not use these.">
        <SettingSwitch form={form} field="enable_solvability_analysis" />
        <SettingSwitch form={form} field="enable_proactive_conversation_starters" />
        <SettingField form={form} field="agent" mono className="max-w-60" />
      </Group>
    </>
  )
}

const ANALYZERS = [
  { value: '', label: 'None: every action waits', hint: 'Only finishing and thinking do not.' },
  { value: 'local', label: 'Atelier’s rules', hint: 'Works without a network. Risky and unrated actions wait.' },
  { value: 'llm', label: 'Atelier’s rules and the model', hint: 'The higher of both ratings counts.' },
]

/** A name that another client stored is offered too, so that it is not lost; Atelier's rules stand in for it. */
function AnalyzerField({ form: { stored, edits, errors, change } }: { form: SettingsForm }) {
  const value = fieldText(edits, stored, 'security_analyzer')
  const others = [stored?.security_analyzer ?? '', value].filter(one => !ANALYZERS.some(known => known.value === one))
  const options = [
    ...ANALYZERS,
    ...[...new Set(others)].map(name => ({ value: name, label: `${name}, by Atelier’s rules`, hint: undefined })),
  ].map(({ hint, ...option }) => (hint ? { ...option, hint } : option))
  const { label, hint } = SETTING_ENTRIES.security_analyzer
  return (
    <Place name="security_analyzer">
      <Field label={label} hint={hint} error={errors.security_analyzer}>
        <Select
          value={value}
          options={options}
          onValueChange={next => change(withEdit(edits, stored, 'security_analyzer', next))}
          className="max-w-80"
        />
      </Field>
    </Place>
  )
}

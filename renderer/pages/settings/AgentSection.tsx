import { DEFAULT_SETTINGS } from '../../../server/api/settings.ts'
import type { SettingsForm } from './form.ts'
import { Group } from './Group.tsx'
import { SettingField } from './SettingField.tsx'
import { SettingSwitch } from './SwitchRow.tsx'

export function AgentSection({ form }: { form: SettingsForm }) {
  return (
    <>
      <p className="text-soft">
        At a limit the agent pauses and says so. Each conversation can have its own, also while it runs.
      </p>
      <div className="grid grid-cols-2 gap-4">
        <SettingField
          form={form}
          field="max_iterations"
          placeholder={String(DEFAULT_SETTINGS.max_iterations)}
          numeric
        />
        <SettingField form={form} field="max_budget_per_task" placeholder="None" numeric />
      </div>
      <Group title="Not used yet" about="Stored for other clients; Atelier’s agent does not use these yet.">
        <SettingSwitch form={form} field="confirmation_mode" />
        <SettingSwitch form={form} field="enable_default_condenser" />
        <SettingSwitch form={form} field="enable_solvability_analysis" />
        <SettingSwitch form={form} field="enable_proactive_conversation_starters" />
        <div className="grid grid-cols-2 gap-4">
          <SettingField form={form} field="condenser_max_size" placeholder="120" numeric />
          <SettingField form={form} field="security_analyzer" placeholder="None" mono />
          <SettingField form={form} field="agent" mono />
        </div>
      </Group>
    </>
  )
}

import { DEFAULT_SETTINGS } from '../../../server/api/settings.ts'
import type { SettingsForm } from './form.ts'
import { SettingField } from './SettingField.tsx'

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
          label="Steps per conversation"
          hint={`${DEFAULT_SETTINGS.max_iterations} when empty.`}
          placeholder={String(DEFAULT_SETTINGS.max_iterations)}
          numeric
        />
        <SettingField
          form={form}
          field="max_budget_per_task"
          label="Budget per conversation, US $"
          hint="No budget when empty. A model of unknown price is not counted."
          placeholder="None"
          numeric
        />
      </div>
      <section className="flex flex-col gap-3 border-t border-line pt-4">
        <h3 className="font-medium">Commits</h3>
        <div className="grid grid-cols-2 gap-4">
          <SettingField form={form} field="git_user_name" label="Name" hint="The author of the agent’s commits." />
          <SettingField form={form} field="git_user_email" label="Email" />
        </div>
      </section>
    </>
  )
}

import type { SettingsForm } from '../form/form.ts'
import { Group } from '../form/Group.tsx'
import { SettingSwitch } from '../form/SwitchRow.tsx'
import { AllowedHosts } from '../sandbox/AllowedHosts.tsx'

const TO_WHOM = [
  ['The model that you choose', 'Your messages, and what the agent reads and runs.'],
  ['Git hosts', 'The repositories that you name, with the tokens that you store for them.'],
  ['Image registries', 'The name of an image that is not on this machine yet.'],
] as const

export function PrivacySection({ form }: { form: SettingsForm }) {
  return (
    <>
      <p className="text-soft">
        Atelier works on this machine only: no account, no telemetry. Conversations stay in its data folder, keys in the
        keychain.
      </p>
      <section aria-labelledby="data-leaves" className="flex flex-col gap-2">
        <h3 id="data-leaves" className="font-medium">
          Data leaves this machine for
        </h3>
        <ul className="rounded-md border border-line">
          {TO_WHOM.map(([name, what]) => (
            <li key={name} className="border-b border-line px-3 py-2 last:border-b-0">
              {name}
              <span className="block text-sm text-faint">{what}</span>
            </li>
          ))}
        </ul>
        <p className="text-sm text-faint">
          What an agent runs in a sandbox can reach the network too, where the sandbox has one.
        </p>
      </section>
      <AllowedHosts form={form} />
      <Group title="Analytics">
        <SettingSwitch form={form} field="user_consents_to_analytics" />
      </Group>
    </>
  )
}

import type { SettingsForm } from '../form/form.ts'
import { Group } from '../form/Group.tsx'
import { SettingSwitch } from '../form/SwitchRow.tsx'
import { AllowedHosts } from '../sandbox/AllowedHosts.tsx'
import { t } from './text.ts'

const TO_WHOM = [
  [t('modelThatYouChoose'), t('yourMessages')],
  [t('gitHosts'), t('repositoriesThatYouName')],
  [t('imageRegistries'), t('nameOfImage')],
] as const

export function PrivacySection({ form }: { form: SettingsForm }) {
  return (
    <>
      <p className="text-soft">{t('atelierWorksOnThisMachine')}</p>
      <section aria-labelledby="data-leaves" className="flex flex-col gap-2">
        <h3 id="data-leaves" className="font-medium">
          {t('dataLeavesThisMachine')}
        </h3>
        <ul className="rounded-md border border-line">
          {TO_WHOM.map(([name, what]) => (
            <li key={name} className="border-b border-line px-3 py-2 last:border-b-0">
              {name}
              <span className="block text-sm text-faint">{what}</span>
            </li>
          ))}
        </ul>
        <p className="text-sm text-faint">{t('whatAgentRunsInSandbox')}</p>
      </section>
      <AllowedHosts form={form} />
      <Group title={t('analytics')}>
        <SettingSwitch form={form} field="user_consents_to_analytics" />
      </Group>
    </>
  )
}

import { EngineList } from '../engines/EngineList.tsx'
import type { SettingsForm } from '../form/form.ts'
import { Group } from '../form/Group.tsx'
import { SettingAnchor } from '../form/SettingAnchor.tsx'
import { SettingField } from '../form/SettingField.tsx'
import { SettingSwitch } from '../form/SwitchRow.tsx'
import { KeySetting } from '../model/KeySetting.tsx'
import { SpecList } from '../specs/SpecList.tsx'
import { IdlePause } from './IdlePause.tsx'
import { RunningLimit } from './RunningLimit.tsx'
import { t } from './text.ts'

export function SandboxSection({ form }: { form: SettingsForm }) {
  return (
    <>
      <SettingField form={form} field="sandbox_runtime_container_image" placeholder="node:22" mono />
      <SettingField form={form} field="sandbox_base_container_image" mono />
      <SettingField form={form} field="remote_runtime_resource_factor" placeholder="1" numeric className="max-w-60" />
      <SettingSwitch form={form} field="prepare_sandboxes" />
      <IdlePause form={form} />
      <RunningLimit form={form} />
      <Group title={t('sandboxSpecs')} about={t('whatSandboxCanBeStarted')}>
        <SettingAnchor name="sandbox_specs">
          <SpecList />
        </SettingAnchor>
      </Group>
      <Group title={t('engines')} about={t('whereSandboxesRun')}>
        <SettingAnchor name="engines">
          <EngineList />
        </SettingAnchor>
      </Group>
      <Group title={t('sandboxesElsewhere')}>
        <KeySetting form={form} field="sandbox_api_key" />
      </Group>
    </>
  )
}

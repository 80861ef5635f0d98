import { useQuery } from '@tanstack/react-query'
import { specsQuery } from '../../api/queries.ts'
import { useClient } from '../../api/session.ts'
import { Badge } from '../../ui/Badge.tsx'
import { ErrorNotice } from '../../ui/ErrorNotice.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import type { SettingsForm } from './form.ts'
import { Group } from './Group.tsx'
import { KeySetting } from './KeySetting.tsx'
import { Place } from './Place.tsx'
import { SettingField } from './SettingField.tsx'

export function SandboxSection({ form }: { form: SettingsForm }) {
  return (
    <>
      <SettingField form={form} field="sandbox_runtime_container_image" placeholder="node:22" mono />
      <SettingField form={form} field="sandbox_base_container_image" mono />
      <SettingField form={form} field="remote_runtime_resource_factor" placeholder="1" numeric className="max-w-60" />
      <Group title="Sandbox specs" about="What a sandbox can be started from. A conversation can choose another one.">
        <Place name="sandbox_specs">
          <Specs />
        </Place>
      </Group>
      <Group title="Sandboxes elsewhere">
        <KeySetting form={form} field="sandbox_api_key" />
      </Group>
    </>
  )
}

function Specs() {
  const { data: specs, error, refetch } = useQuery(specsQuery(useClient()))
  if (error) return <ErrorNotice error={error} onRetry={() => void refetch()} />
  if (!specs) return <Skeleton label="Loading the sandbox specs" />
  return (
    <ul className="rounded-md border border-line">
      {specs.map((spec, place) => (
        <li key={spec.id} className="flex items-center gap-2 border-b border-line px-3 py-2 last:border-b-0">
          <span className="min-w-0 flex-1">
            <span className="block">{spec.title}</span>
            <span className="block truncate font-mono text-sm text-faint" title={spec.id}>
              {spec.id}
            </span>
          </span>
          {place === 0 ? <Badge tone="accent">Default</Badge> : null}
          {spec.image_present === false ? <Badge>Fetched at first start</Badge> : null}
          {spec.image_present ? <Badge tone="good">On this machine</Badge> : null}
        </li>
      ))}
    </ul>
  )
}

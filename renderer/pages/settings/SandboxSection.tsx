import { useQuery } from '@tanstack/react-query'
import { specsQuery } from '../../api/queries.ts'
import { useClient } from '../../api/session.ts'
import { Badge } from '../../ui/Badge.tsx'
import type { SettingsForm } from './form.ts'
import { SettingField } from './SettingField.tsx'

export function SandboxSection({ form }: { form: SettingsForm }) {
  return (
    <>
      <SettingField
        form={form}
        field="sandbox_runtime_container_image"
        label="Image"
        hint="Any image with /bin/sh runs as it is; nothing is built or added. Empty: Atelier’s own image."
        placeholder="node:22"
        mono
      />
      <SettingField
        form={form}
        field="sandbox_base_container_image"
        label="Base image"
        hint="Used when no image is given above. Other clients of the API set it."
        mono
      />
      <SettingField
        form={form}
        field="remote_runtime_resource_factor"
        label="Resources"
        hint="Multiplies the memory and the processors that a sandbox may use."
        placeholder="1"
        numeric
        className="max-w-60"
      />
      <Specs />
    </>
  )
}

function Specs() {
  const { data: specs = [] } = useQuery(specsQuery(useClient()))
  if (specs.length === 0) return null
  return (
    <section className="flex flex-col gap-2 border-t border-line pt-4">
      <h3 className="font-medium">Sandbox specs</h3>
      <ul className="rounded-md border border-line">
        {specs.map((spec, place) => (
          <li key={spec.id} className="flex items-center gap-2 border-b border-line px-3 py-2 last:border-b-0">
            <span className="min-w-0 flex-1">
              <span className="block">{spec.title}</span>
              <span className="block truncate font-mono text-sm text-faint">{spec.id}</span>
            </span>
            {place === 0 ? <Badge tone="accent">Default</Badge> : null}
            {spec.image_present === false ? <Badge>Fetched at first start</Badge> : null}
            {spec.image_present ? <Badge tone="good">On this machine</Badge> : null}
          </li>
        ))}
      </ul>
    </section>
  )
}

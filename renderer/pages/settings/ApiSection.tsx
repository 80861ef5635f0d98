import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { systemQuery } from '../../api/queries.ts'
import { useClient, useSession } from '../../api/session.ts'
import { ExternalLink } from '../../components/ExternalLink.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { SETTING_ENTRIES } from './entries.ts'
import { Group } from './Group.tsx'
import { Place } from './Place.tsx'

/** How other tools on this machine reach the service. */
export function ApiSection() {
  const { url, key } = useSession()
  const desktop = useQuery({ queryKey: ['desktop-connection'], queryFn: () => window.atelier?.connection() ?? null })
  const { data: system } = useQuery(systemQuery(useClient()))
  const address = system?.url ?? url
  const example = `curl -H "X-Session-API-Key: $ATELIER_KEY" \\\n  ${address}/api/v1/system`
  return (
    <>
      <p className="text-soft">
        Everything this window does, other tools on this machine can do too. The service listens on 127.0.0.1 only, and
        every operation needs the key.
      </p>
      <Place name="api_address" className="flex flex-col gap-4">
        <Line name={SETTING_ENTRIES.api_address.label} value={address} />
        {system?.gateway_url ? <Line name="Gateway for sandboxes" value={system.gateway_url} /> : null}
      </Place>
      <Place name="api_key" className="flex flex-col gap-4">
        <Line
          name={SETTING_ENTRIES.api_key.label}
          value={desktop.data?.sessionApiKey ?? key}
          shown="••••••••••••••••"
          note={
            window.atelier
              ? 'It is in the keychain. Copy it only to tools that you trust.'
              : 'This is the key of this login. It ends with the service.'
          }
        />
        <Line name="Header" value="X-Session-API-Key" note="Authorization: Bearer is accepted too." />
      </Place>
      <Group title="Try it" about="Put the key into ATELIER_KEY first, so that it stays out of the shell’s history.">
        <Line name="Command" value={example} />
      </Group>
      <Group title={SETTING_ENTRIES.api_docs.label}>
        <Place name="api_docs" className="flex flex-wrap gap-x-6 gap-y-2">
          <ExternalLink href={`${address}/docs`}>Reference to read</ExternalLink>
          <ExternalLink href={`${address}/openapi.json`}>OpenAPI document</ExternalLink>
        </Place>
      </Group>
    </>
  )
}

function Line({ name, value, shown = value, note }: { name: string; value: string; shown?: string; note?: ReactNode }) {
  return (
    <div>
      <p className="font-medium">{name}</p>
      <p className="mt-1 flex items-center gap-1 rounded-md bg-sunken py-1 pr-1 pl-2">
        <code className="min-w-0 flex-1 font-mono text-sm break-all whitespace-pre-wrap">{shown}</code>
        <CopyButton text={value} label={`Copy: ${name}`} />
      </p>
      {note ? <p className="mt-1 text-sm text-faint">{note}</p> : null}
    </div>
  )
}

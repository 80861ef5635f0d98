import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { systemQuery } from '../../api/queries.ts'
import { useClient, useSession } from '../../api/session.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'

/** How other tools on this machine reach the service. */
export function ApiSection() {
  const { url, key } = useSession()
  const { data: system } = useQuery(systemQuery(useClient()))
  const address = system?.url ?? url
  const example = `curl -H "X-Session-API-Key: $ATELIER_KEY" ${address}/api/v1/system`
  return (
    <>
      <p className="text-soft">
        Everything this window does, other tools on this machine can do too. The service listens on 127.0.0.1 only, and
        every operation needs the key.
      </p>
      <dl className="flex flex-col gap-3">
        <Line name="Address" value={address} />
        {system?.gateway_url ? <Line name="Gateway for sandboxes" value={system.gateway_url} /> : null}
        <Line name="Header" value="X-Session-API-Key" note="Authorization: Bearer is accepted too." />
        <Line
          name="Key"
          value={key}
          shown="••••••••••••••••"
          note={
            window.atelier
              ? 'It is in the keychain. Copy it only to tools that you trust.'
              : 'This is the key of this login. It ends with the service.'
          }
        />
        <Line name="Try it" value={example} />
      </dl>
    </>
  )
}

function Line({ name, value, shown = value, note }: { name: string; value: string; shown?: string; note?: ReactNode }) {
  return (
    <div>
      <dt className="font-medium">{name}</dt>
      <dd className="mt-1">
        <span className="flex items-center gap-1 rounded-md bg-sunken py-1 pr-1 pl-2">
          <code className="min-w-0 flex-1 font-mono text-sm break-all">{shown}</code>
          <CopyButton text={value} label={`Copy: ${name}`} />
        </span>
        {note ? <span className="mt-1 block text-sm text-faint">{note}</span> : null}
      </dd>
    </div>
  )
}

import { startSandbox } from '../../server/api/sandboxes.ts'
import { createClient } from '../../server/client/client.ts'
import { openChanges } from './conversation.ts'
import { expectNamed, operationOf } from './named-failures.ts'
import type { TestService } from './service.ts'

export interface Reply {
  status: number
  // Tests look into it freely.
  // biome-ignore lint/suspicious/noExplicitAny: every route answers something else
  body: any
}

/** Calls to the gateway with one key. */
export interface GatewayCaller {
  url: string
  key: string
  call(method: string, path: string, body?: unknown): Promise<Reply>
}

export function gatewayCaller({ service }: { service: { gatewayUrl: string } }, key: string): GatewayCaller {
  const url = service.gatewayUrl
  return {
    url,
    key,
    call: async (method, path, body) => {
      const response = await fetch(url + path, {
        method,
        headers: { 'X-Session-API-Key': key, 'Content-Type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      const reply = { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
      const route = operationOf('gateway', method, path)
      if (route) expectNamed(route, reply)
      return reply
    },
  }
}

/** A running sandbox with its own key. */
export async function startGatewaySandbox(service: TestService): Promise<{ id: string; caller: GatewayCaller }> {
  const client = createClient({ url: service.url, key: service.key, validate: true })
  const { id } = await client.call(startSandbox, {})
  const changes = await openChanges(service)
  try {
    for (;;) {
      const changed = changes.next()
      const [now] = await (await fetch(`${service.url}/api/v1/sandboxes?id=${id}`, headers(service.key))).json()
      if (now.status === 'RUNNING') return { id, caller: gatewayCaller(service, now.session_api_key) }
      if (now.status === 'ERROR') throw new Error(now.status_detail)
      await changed
    }
  } finally {
    changes.close()
  }
}

const headers = (key: string) => ({ headers: { 'X-Session-API-Key': key } })

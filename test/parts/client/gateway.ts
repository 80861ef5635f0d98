import { Atelier } from '../../../server/client/atelier.ts'
import { openWebSocket } from '../../../server/client/node/connect.ts'
import { expectNamed, operationOf } from '../operation/named-failures.ts'
import type { TestService } from '../service/service.ts'

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
  const atelier = new Atelier({ url: service.url, key: service.key, connect: openWebSocket })
  const sandbox = await atelier.startSandbox()
  const { id, session_api_key } = await sandbox.info()
  if (session_api_key === null) throw new Error('The sandbox does not run any more.')
  return { id, caller: gatewayCaller(service, session_api_key) }
}

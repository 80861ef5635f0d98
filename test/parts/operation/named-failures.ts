import { GATEWAY_OPERATIONS } from '../../../server/api/agent-server/contract.ts'
import { codeOf, EVERYWHERE, statusOf } from '../../../server/api/contract/failures.ts'
import type { Route } from '../../../server/api/contract/route.ts'
import { OPERATIONS } from '../../../server/api/contract/routes.ts'
import { ApiError } from '../../../server/client/api-error.ts'
import type { Client } from '../../../server/client/client.ts'

/** What does not fit a schema, and a method that a path does not have. */
const OF_THE_DOOR = new Set([405, 422])

/** @throws Error for a refusal that the contract of the operation does not name: nobody could have known of it. */
export function expectNamed(route: Route, reply: { status: number; body: unknown }): void {
  const { status, body } = reply
  if (status < 400 || OF_THE_DOOR.has(status)) return
  const code = typeof body === 'object' && body !== null && 'code' in body ? body.code : undefined
  if (typeof code === 'string' && EVERYWHERE.has(code)) return
  const named = route.failures.some(
    failure => statusOf(failure) === status && (typeof code !== 'string' || codeOf(failure) === code),
  )
  // Older shapes carry no code: the status has to do.
  if (named || (code === undefined && EVERYWHERE_STATUS.has(status))) return
  throw new Error(
    `${route.method} ${route.path} does not name the failure ${status} ${String(code)}: ${JSON.stringify(body)}`,
  )
}

const EVERYWHERE_STATUS = new Set([401, 403, 413, 429, 500, 504, 507])

/** The operation that serves a request, if any does. */
export function operationOf(port: 'app' | 'gateway', method: string, address: string): Route | undefined {
  const path = address.split('?')[0] ?? ''
  const all = [...(port === 'app' ? OPERATIONS : GATEWAY_OPERATIONS).values()]
  const found = all.filter(route => route.method === method.toLowerCase() && patternOf(route.path).test(path))
  return found.sort((one, other) => parametersOf(one) - parametersOf(other))[0]
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`)
}

function parametersOf({ path }: Route): number {
  return path.split('{').length
}

/** A client that lets no failure pass which its operation does not name. */
export function strictClient(client: Client): Client {
  return {
    ...client,
    call: async (route, ...input) => {
      try {
        return await client.call(route, ...input)
      } catch (error) {
        if (error instanceof ApiError && error.status > 0) {
          const isOlder = !route.path.startsWith('/api/v1/')
          expectNamed(route, { status: error.status, body: isOlder ? {} : { code: error.code } })
        }
        throw error
      }
    },
  }
}

import { describe, expect } from 'vitest'
import { GATEWAY_OPERATIONS, GATEWAY_ROUTES } from '../../../server/api/agent-server/contract.ts'
import { UNSUPPORTED } from '../../../server/api/agent-server/unsupported.ts'
import { validationErrorBody } from '../../../server/api/contract/errors.ts'
import { NO_BODY, type Route } from '../../../server/api/contract/route.ts'
import { OPERATIONS, ROUTES } from '../../../server/api/contract/routes.ts'
import { it as base } from '../../fixtures/service.ts'
import { startGatewaySandbox } from '../../parts/client/gateway.ts'
import { type OperationReply, sendOperation } from '../../parts/operation/call.ts'

const it = base
  .extend('serviceOptions', { scope: 'file' }, ({}) => ({ settings: { language: 'en' } }))
  .extend('sandbox', { scope: 'file' }, async ({ service }) => (await startGatewaySandbox(service)).caller.key)
  .extend('other', { scope: 'file' }, async ({ service }) => (await startGatewaySandbox(service)).caller.key)
  .extend(
    'send',
    { scope: 'file' },
    ({ service }) =>
      (port: Port, method: string, path: string, sent: { key?: string; body?: string } = {}) => {
        const base = port === 'app' ? service.url : service.service.gatewayUrl
        return sendOperation({
          url: base + path,
          method,
          headers: { 'X-Session-API-Key': sent.key ?? service.key, 'Content-Type': 'application/json' },
          body: sent.body === undefined ? undefined : Buffer.from(sent.body),
        })
      },
  )
  .extend('keyFor', { scope: 'file' }, ({ sandbox, service }) => (route: Route) => {
    return route.key === 'sandbox' ? sandbox : service.key
  })

type Port = 'app' | 'gateway'
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const MARKER = 'sesame-echo-me'
/** Neither an object nor a list of anything that is taken. */
const UNFIT = [[MARKER]]
const PORTS: readonly [Port, ReadonlyMap<string, Route>, readonly Pick<Route, 'method' | 'path'>[]][] = [
  ['app', OPERATIONS, ROUTES],
  ['gateway', GATEWAY_OPERATIONS, GATEWAY_ROUTES],
]

const filledPath = (path: string, value: string) => path.replaceAll(/\{\w+\}/g, encodeURIComponent(value))
const takesJson = (route: Route) => route.body !== NO_BODY && route.media?.body === undefined

function expectInvalid(reply: OperationReply): void {
  expect(reply.status, JSON.stringify(reply.body)).toBe(422)
  expect(validationErrorBody.safeParse(reply.body).error).toBeUndefined()
}

describe.each(PORTS)('on the port of the %s', (port, operations, routes) => {
  const all = [...operations].map(([name, route]) => [name, route] as const)

  it.for(all.filter(([, route]) => takesJson(route)))(
    '%s says where JSON is broken',
    async ([_name, route], { keyFor, sandbox, send }) => {
      const method = route.method.toUpperCase()
      // On the app's own port an id that no conversation has is as good as any.
      const path = filledPath(route.path, '0'.repeat(32))
      const key = port === 'app' ? keyFor(route) : sandbox
      const reply = await send(port, method, path, { key, body: `{"${MARKER}": ` })
      if (route.key === 'sandbox' && reply.status === 401) return expect(route.path).toContain('{sandbox_id}')
      expectInvalid(reply)
      expect(reply.body).toMatchObject({ detail: [{ type: 'json_invalid' }] })
      expect(JSON.stringify(reply.body)).not.toContain(MARKER)
    },
  )

  it.for(all.filter(([, route]) => takesJson(route) && route.body.safeParse(UNFIT).error))(
    '%s does not echo a body that does not fit',
    async ([_name, route], { send, keyFor, sandbox }) => {
      const reply = await send(port, route.method.toUpperCase(), filledPath(route.path, '0'.repeat(32)), {
        key: port === 'app' ? keyFor(route) : sandbox,
        body: JSON.stringify(UNFIT),
      })
      expect([401, 422]).toContain(reply.status)
      expect(JSON.stringify(reply.body)).not.toContain(MARKER)
    },
  )

  it.for(all.filter(([, route]) => route.path.includes('{')))(
    '%s refuses over-long and hostile ids as JSON',
    async ([_name, route], { send, keyFor }) => {
      for (const id of [`${MARKER}${'x'.repeat(4000)}`, `../${MARKER}\0`, `${MARKER}\n`]) {
        const path = filledPath(route.path, id)
        const reply = await send(port, route.method.toUpperCase(), path, { key: keyFor(route), body: '{}' })
        if (reply.status === 200 || reply.status === 201) continue
        expect(reply.status).toBeGreaterThanOrEqual(400)
        expect(reply.status).toBeLessThan(500)
        expect(reply.type).toContain('json')
        if (reply.status === 422) expect(JSON.stringify(reply.body)).not.toContain(MARKER)
      }
    },
  )

  it.for([...new Set(routes.map(({ path }) => path))])('%s answers other methods with 405', async (path, { send }) => {
    const example = filledPath(path, 'x')
    const here = routes.filter(one => matches(one.path, example)).map(({ method }) => method.toUpperCase())
    for (const method of METHODS.filter(name => !here.includes(name))) {
      const reply = await send(port, method, example, method === 'GET' ? {} : { body: '{}' })
      expect(reply.status, `${method} ${example}`).toBe(405)
      expect(reply.body).toEqual({ detail: 'Method Not Allowed', code: 'bad_request' })
    }
  })

  it.for(['/api/nothing', '/api/v1/nothing', '/api/conversations/x/y/z', '/nothing'])(
    '%s is not there, which is said as JSON',
    async (path, { send }) => {
      for (const method of METHODS) {
        const reply = await send(port, method, path)
        expect(reply.status).toBe(404)
        expect(reply.body).toEqual({ detail: 'Not Found', code: 'not_found' })
      }
    },
  )
})

function matches(path: string, example: string): boolean {
  return new RegExp(`^${path.replace(/\/$/, '').replaceAll(/\{\w+\}/g, '[^/]+')}/?$`).test(example)
}

describe('the key of a sandbox', () => {
  const closed = [...OPERATIONS].filter(([, route]) => !route.open && route.key !== 'sandbox')
  const reports = [...OPERATIONS].filter(([, route]) => route.key === 'sandbox')

  it.for(closed)('does not open %s on the port of the app', async ([_name, route], { send, sandbox }) => {
    const reply = await send('app', route.method.toUpperCase(), filledPath(route.path, 'x'), { key: sandbox })
    expect(reply).toMatchObject({ status: 401, body: { detail: 'Unauthorized', code: 'unauthorized' } })
  })

  it.for(reports)('is what %s wants, and not the key of the app', async ([_name, route], { send }) => {
    const reply = await send('app', route.method.toUpperCase(), filledPath(route.path, 'x'), { body: '{}' })
    expect(reply).toMatchObject({ status: 401, body: { detail: 'Unauthorized', code: 'unauthorized' } })
  })

  it('shows no conversation of another sandbox, nor that there is one', async ({ send, other, sandbox }) => {
    const id = '0123456789abcdef0123456789abcdef'
    const report = JSON.stringify({ id, title: 'Theirs' })
    expect(await send('app', 'POST', '/api/v1/webhooks/conversations', { key: other, body: report })).toMatchObject({
      status: 200,
    })
    for (const [name, route] of GATEWAY_OPERATIONS) {
      if (!route.path.includes('{conversation_id}') || route.method !== 'get') continue
      const path = filledPath(route.path, id)
      const hidden = await send('gateway', 'GET', path, { key: sandbox, body: '[]' })
      const missing = await send('gateway', 'GET', filledPath(route.path, 'f'.repeat(32)), { key: sandbox, body: '[]' })
      expect([hidden.status, hidden.body], name).toEqual([missing.status, missing.body])
      expect(hidden.status, name).toBe(404)
    }
  })
})

describe('what the gateway does not have', () => {
  it.for(UNSUPPORTED.map(one => [one.method.toUpperCase(), one.path, one.reason] as const))(
    '%s %s is refused with the reason',
    async ([method, path, reason], { send, sandbox }) => {
      const reply = await send('gateway', method, filledPath(path, 'x'), { key: sandbox })
      expect(reply).toMatchObject({ status: 501, body: { detail: reason, code: 'not_supported' } })
    },
  )
})

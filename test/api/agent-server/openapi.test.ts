import { describe, expect } from 'vitest'
import { GATEWAY_CONTRACT, GATEWAY_OPERATIONS, GATEWAY_ROUTES } from '../../../server/api/agent-server/contract.ts'
import { createOpenApi } from '../../../server/api/contract/openapi.ts'
import { it as base } from '../../fixtures/service.ts'
import { startGatewaySandbox } from '../../parts/client/gateway.ts'
import { goOffline } from '../../parts/offline.ts'
import { sendOperation } from '../../parts/operation/call.ts'
import { assault, operationsOf } from '../../parts/value/hostile.ts'
import { expectPageOf } from '../../parts/window/docs-page.ts'

const it = base
  .extend('goOnline', { scope: 'file' }, ({}) => goOffline())
  .extend('serviceOptions', { scope: 'file' }, ({}) => ({}))
  .extend('sandbox', { scope: 'file' }, async ({ service }) => (await startGatewaySandbox(service)).caller)

it.afterAll(({ goOnline }) => {
  goOnline()
})

const document = createOpenApi(GATEWAY_CONTRACT, { url: 'http://127.0.0.1:1', version: '1' })
const operations = operationsOf(document)

describe('the document of the gateway', () => {
  it('has every path that is answered, also those that say that there is no such thing', () => {
    const documented = operations.map(({ method, path }) => `${method} ${path}`).sort()
    expect(documented).toEqual([...new Set(GATEWAY_ROUTES.map(({ method, path }) => `${method} ${path}`))].sort())
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const name of GATEWAY_OPERATIONS.keys()) expect(ids).toContain(name)
  })

  it('refers to nothing that it lacks', () => {
    const references = new Set(
      [...JSON.stringify(document).matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, id]) => id),
    )
    expect([...references].sort()).toEqual(Object.keys(document.components.schemas).sort())
  })

  it('is served without a key beside a page that loads nothing from elsewhere, where server_info says', async ({
    sandbox,
  }) => {
    const served: unknown = await (await fetch(`${sandbox.url}/openapi.json`)).json()
    expect(served).toMatchObject({ openapi: '3.1.0', servers: [{ url: sandbox.url }] })
    const { body } = await sandbox.call('GET', '/server_info')
    expect(body.docs).toBe('/docs')
    await expectPageOf(sandbox.url)
  })
})

describe('paths that existing clients end with a slash', () => {
  it.for(['/api/tools', '/api/bash/bash_events'])('%s is answered with it and without', async (path, { sandbox }) => {
    const headers = { 'X-Session-API-Key': sandbox.key, 'Content-Type': 'application/json' }
    for (const one of [path, `${path}/`]) {
      const reply = await sendOperation({ url: sandbox.url + one, method: 'GET', headers, body: Buffer.from('["x"]') })
      expect([one, reply.status, Array.isArray(reply.body)]).toEqual([one, 200, true])
    }
  })
})

describe('the key of the gateway', () => {
  it.for(
    operations.filter(({ operation }) => operation.security?.length !== 0).map(one => [one.method, one.path] as const),
  )('is needed for %s %s', async ([method, path], { sandbox }) => {
    const url = sandbox.url + path.replaceAll(/\{\w+\}/g, 'x')
    for (const headers of [{}, { 'X-Session-API-Key': 'wrong' }, { Authorization: 'Bearer wrong' }]) {
      const reply = await fetch(url, { method: method.toUpperCase(), headers })
      expect(reply.status).toBe(401)
      expect(await reply.json()).toMatchObject({ detail: 'Unauthorized' })
    }
  })
})

describe('two keys in one request to the gateway', () => {
  it.for([
    (valid: string) => ({ 'X-Session-API-Key': 'of-another-server', Authorization: `Bearer ${valid}` }),
    (valid: string) => ({ 'X-Session-API-Key': valid, Authorization: 'Bearer of-another-server' }),
  ])('open what the valid one opens', async (headersWith, { service, sandbox }) => {
    for (const valid of [service.key, sandbox.key]) {
      const reply = await fetch(`${sandbox.url}/api/conversations/count`, { headers: headersWith(valid) })
      expect(reply.status).toBe(200)
    }
  })
})

describe('random and hostile requests to the gateway', () => {
  const allowed = (status: number) => status < 500 || status === 501

  // First, while the key has not used up what it may ask in a second.
  it('to start a conversation that are nearly right are answered so, too, and some do start one', async ({
    sandbox,
  }) => {
    const start = operations.find(({ operation }) => operation.operationId === 'startGatewayConversation')
    if (!start) throw new Error('There is no such operation.')
    const valid = { agent: { kind: 'Agent', llm: {} }, workspace: { working_dir: '/workspace/project' } }
    const before = (await sandbox.call('GET', '/api/conversations/count')).body
    await assault(sandbox, document, start, { contract: GATEWAY_CONTRACT, allowed, valid })
    expect((await sandbox.call('GET', '/api/conversations/count')).body).toBeGreaterThan(before)
  })

  // Those that start a conversation do so in the sandbox that runs already, and without a model none says anything.
  it.for(operations.map(one => [one.operation.operationId, one] as const))(
    'to %s are answered in the documented shape, never with a failure of ours',
    ([_name, one], { sandbox }) => assault(sandbox, document, one, { contract: GATEWAY_CONTRACT, allowed }),
  )
})

import { describe, expect } from 'vitest'
import { createOpenApi } from '../../../server/api/contract/openapi.ts'
import { APP_CONTRACT, OPERATIONS } from '../../../server/api/contract/routes.ts'
import { it as base } from '../../fixtures/service.ts'
import { goOffline } from '../../parts/offline.ts'
import { assault, operationsOf } from '../../parts/value/hostile.ts'
import { expectPageOf } from '../../parts/window/docs-page.ts'

const it = base
  .extend('goOnline', { scope: 'file' }, ({}) => goOffline())
  .extend('serviceOptions', { scope: 'file' }, ({}) => ({}))

it.afterAll(({ goOnline }) => {
  goOnline()
})

const document = createOpenApi(APP_CONTRACT, { url: 'http://127.0.0.1:1', version: '1' })
const operations = operationsOf(document)

describe('the document', () => {
  it('has every operation of the contract once', () => {
    expect(operations.map(({ operation }) => operation.operationId).sort()).toEqual([...OPERATIONS.keys()].sort())
  })

  it('refers to nothing that it lacks, and holds nothing that nobody refers to', () => {
    const references = new Set(
      [...JSON.stringify(document).matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, id]) => id),
    )
    expect([...references].sort()).toEqual(Object.keys(document.components.schemas).sort())
  })

  it('says of a success what the specification says', () => {
    const { description } = document.paths['/api/settings']?.post?.responses[200] ?? {}
    expect(description).toBe('Settings stored successfully')
  })

  it('names every path parameter', () => {
    for (const { path, operation } of operations) {
      const named = operation.parameters.filter(one => one.in === 'path').map(one => one.name)
      expect(named).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
    }
  })

  it('tells requests from replies: what has a default is optional in one and always in the other', () => {
    const { schemas } = document.components
    expect(schemas.SendMessageRequestInput).not.toHaveProperty('required')
    expect(schemas.AppConversation?.required).toContain('steps')
  })

  it('is served without a key, with examples, beside a page that loads nothing from elsewhere', async ({ service }) => {
    const served: unknown = await (await fetch(`${service.url}/openapi.json`)).json()
    expect(served).toMatchObject({ openapi: '3.1.0', servers: [{ url: service.url }] })
    expect(served).toMatchObject({
      paths: {
        '/alive': { get: { responses: { 200: { content: { 'application/json': { example: { status: 'ok' } } } } } } },
      },
    })
    await expectPageOf(service.url)
  })
})

/** These would start real sandboxes, hundreds of them, end the others' service, or ask the providers themselves. */
const EXPENSIVE = new Set([
  'startSandbox',
  'startDemonstration',
  'createAppConversation',
  'newConversation',
  'streamStart',
  'testModel',
  'rotateLocalApiKey',
  'eraseStorage',
  'testMcpServer',
  'startGitSignIn',
])

describe('random and hostile requests', () => {
  it.for(
    operations
      .filter(({ operation }) => !EXPENSIVE.has(operation.operationId))
      .map(one => [one.operation.operationId, one] as const),
  )('to %s are answered in the documented shape, never with a failure of ours', ([_name, one], { service }) =>
    assault(service, document, one, {
      contract: APP_CONTRACT,
      allowed: status => status < 500,
    }),
  )
})

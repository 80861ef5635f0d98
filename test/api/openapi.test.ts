import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorBody, validationErrorBody } from '../../server/api/errors.ts'
import { createOpenApi, type JsonSchema } from '../../server/api/openapi.ts'
import { OPERATIONS } from '../../server/api/routes.ts'
import { startTestService, type TestService } from '../parts/service.ts'

let service: TestService

beforeAll(async () => {
  service = await startTestService()
})

afterAll(() => service?.close())

const document = createOpenApi({ url: 'http://127.0.0.1:1', version: '1' })
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
)

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

  it('is served without a key, as JSON and as a page without scripts', async () => {
    const served: unknown = await (await fetch(`${service.url}/openapi.json`)).json()
    expect(served).toMatchObject({ openapi: '3.1.0', servers: [{ url: service.url }] })
    const page = await fetch(`${service.url}/docs`)
    const html = await page.text()
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(html).not.toContain('<script')
    for (const path of Object.keys(document.paths)) expect(html).toContain(path)
  })
})

/** Values of about the right shape, and values that are not. */
function arbitrary(schema: JsonSchema, depth = 0): fc.Arbitrary<unknown> {
  const hostile = fc.oneof(
    fc.constantFrom<unknown>(
      null,
      true,
      -1,
      1e308,
      0.5,
      '',
      '\u0000',
      '../../etc/passwd',
      '{{',
      [],
      {},
      'x'.repeat(5000),
    ),
    fc.jsonValue({ maxDepth: 2 }),
  )
  return fc.oneof({ weight: 4, arbitrary: fitting(schema, depth) }, { weight: 1, arbitrary: hostile })
}

function fitting(schema: JsonSchema, depth: number): fc.Arbitrary<unknown> {
  if (depth > 4) return fc.constant(null)
  if (typeof schema.$ref === 'string') {
    return fitting(document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}, depth)
  }
  const choices = [schema.anyOf, schema.oneOf].find(Array.isArray)
  if (choices) return fc.oneof(...choices.map((choice: JsonSchema) => fitting(choice, depth + 1)))
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum)
  if ('const' in schema) return fc.constant(schema.const)
  switch (schema.type) {
    case 'string':
      return fc.string({ unit: 'binary', maxLength: 30 })
    case 'integer':
      return fc.integer({ min: -2, max: 1000 })
    case 'number':
      return fc.double()
    case 'boolean':
      return fc.boolean()
    case 'array':
      return fc.array(arbitrary((schema.items ?? {}) as JsonSchema, depth + 1), { maxLength: 3 })
    case 'object': {
      const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>)
      const fields = Object.fromEntries(properties.map(([name, field]) => [name, arbitrary(field, depth + 1)]))
      return fc.record(fields, { requiredKeys: [] })
    }
    default:
      return fc.jsonValue({ maxDepth: 1 })
  }
}

/** These would start real sandboxes, hundreds of them, or end the others' service. */
const EXPENSIVE = new Set([
  'startSandbox',
  'startDemonstration',
  'createAppConversation',
  'newConversation',
  'streamStart',
  'testModel',
  'rotateLocalApiKey',
])

describe('random and hostile requests', () => {
  it.each(
    operations
      .filter(({ operation }) => !EXPENSIVE.has(operation.operationId))
      .map(one => [one.operation.operationId, one] as const),
  )(
    'to %s are answered in the documented shape, never with a failure of ours',
    async (_name, { path, method, operation }) => {
      const body = operation.requestBody?.content['application/json']?.schema
      const input = fc.record({
        path: fc.record(
          Object.fromEntries(
            operation.parameters
              .filter(one => one.in === 'path')
              .map(one => [one.name, fc.string({ unit: 'binary', minLength: 1, maxLength: 40 })]),
          ),
        ),
        query: fc.record(
          Object.fromEntries(
            operation.parameters.filter(one => one.in === 'query').map(one => [one.name, arbitrary(one.schema)]),
          ),
          { requiredKeys: [] },
        ),
        body: body ? arbitrary(body) : fc.constant(undefined),
      })
      await fc.assert(
        fc.asyncProperty(input, async request => {
          const reply = await send(method, address(path, request), request.body)
          expect(reply.status).toBeLessThan(500)
          const text = await reply.text()
          if (reply.status === 422) expect(validationErrorBody.safeParse(JSON.parse(text)).error).toBeUndefined()
          else if (reply.status >= 400) expectDocumentedError(JSON.parse(text))
        }),
        { numRuns: 25 },
      )
    },
  )
})

/** The newer generation's shape, or one of the legacy ones. */
function expectDocumentedError(body: unknown): void {
  const legacy = typeof body === 'object' && body !== null && ('error' in body || 'message' in body)
  expect(legacy || typeof body === 'string' || errorBody.safeParse(body).success).toBe(true)
}

function address(path: string, request: { path: Record<string, string>; query: Record<string, unknown> }): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(wellFormed(request.path[name] ?? 'x')),
  )
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(request.query)) {
    for (const one of [value].flat())
      query.append(name, wellFormed(typeof one === 'string' ? one : (JSON.stringify(one) ?? '')))
  }
  return `${service.url}${filled}?${query}`
}

/** `encodeURIComponent` refuses half of a surrogate pair. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString()
}

function send(method: string, url: string, body: unknown): Promise<Response> {
  return fetch(url, {
    method: method.toUpperCase(),
    headers: { 'X-Session-API-Key': service.key, 'Content-Type': 'application/json' },
    ...(body !== undefined && method !== 'get' && { body: JSON.stringify(body) }),
  })
}

import fc from 'fast-check'
import { expect } from 'vitest'
import { errorBody, validationErrorBody } from '../../server/api/errors.ts'
import type { Contract, JsonSchema, OpenApi, Operation } from '../../server/api/openapi.ts'
import { expectNamed } from './named-failures.ts'

export interface NamedOperation {
  path: string
  method: string
  operation: Operation
}

export function operationsOf(document: OpenApi): NamedOperation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
}

interface HostileRequest {
  path: Record<string, string>
  query: Record<string, unknown>
  body: unknown
}

interface Contracted {
  /** Failures that the operation names, and no others, may be among the answers. */
  contract: Contract
  allowed: (status: number) => boolean
  valid?: Record<string, unknown>
}

/**
 * Random requests to one operation, most of about the right shape. Each must be answered as the contract says. With a
 * `valid` body, each request is that one with a few fields of its own.
 */
export async function assault(
  service: { url: string; key: string },
  document: OpenApi,
  { path, method, operation }: NamedOperation,
  { contract, allowed, valid }: Contracted,
): Promise<void> {
  const route = contract.operations.get(operation.operationId)
  const refusal = route ? contract.errorBodyOf(route) : errorBody
  const schema = operation.requestBody?.content['application/json']?.schema
  const body = schema && (valid ? nearly(valid, schema, document) : arbitrary(schema, document))
  const input: fc.Arbitrary<HostileRequest> = fc.record({
    path: fc.record(
      Object.fromEntries(
        operation.parameters
          .filter(one => one.in === 'path')
          .map(one => [one.name, fc.string({ unit: 'binary', minLength: 1, maxLength: 40 })]),
      ),
    ),
    query: fc.record(
      Object.fromEntries(
        operation.parameters.filter(one => one.in === 'query').map(one => [one.name, arbitrary(one.schema, document)]),
      ),
      { requiredKeys: [] },
    ),
    body: body ?? fc.constant(undefined),
  })
  const attack = async (request: HostileRequest) => {
    const reply = await fetch(address(service.url, path, request), {
      method: method.toUpperCase(),
      headers: { 'X-Session-API-Key': service.key, 'Content-Type': 'application/json' },
      ...(request.body !== undefined && method !== 'get' && { body: JSON.stringify(request.body) }),
    })
    const text = await reply.text()
    expect(allowed(reply.status), `${reply.status} ${text}`).toBe(true)
    if (reply.status === 422) expect(validationErrorBody.safeParse(JSON.parse(text)).error).toBeUndefined()
    else if (reply.status >= 400) {
      expect(refusal.safeParse(JSON.parse(text)).error).toBeUndefined()
      if (route) expectNamed(route, { status: reply.status, body: JSON.parse(text) })
    }
  }
  await fc.assert(fc.asyncProperty(input, attack), { numRuns: 40 })
}

function address(url: string, path: string, request: HostileRequest): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(wellFormed(request.path[name] ?? 'x')),
  )
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(request.query)) {
    for (const one of [value].flat())
      query.append(name, wellFormed(typeof one === 'string' ? one : (JSON.stringify(one) ?? '')))
  }
  return `${url}${filled}?${query}`
}

/** `encodeURIComponent` refuses half of a surrogate pair. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString()
}

/** Values of about the right shape, and values that are not. */
function arbitrary(schema: JsonSchema, document: OpenApi, depth = 0): fc.Arbitrary<unknown> {
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
  return fc.oneof({ weight: 4, arbitrary: fitting(schema, document, depth) }, { weight: 1, arbitrary: hostile })
}

const MOST_FIELDS = 2

function nearly(valid: Record<string, unknown>, schema: JsonSchema, document: OpenApi): fc.Arbitrary<unknown> {
  const properties = (resolved(schema, document).properties ?? {}) as Record<string, JsonSchema>
  return fc
    .subarray(Object.keys(properties), { maxLength: MOST_FIELDS })
    .chain(names =>
      fc.record(Object.fromEntries(names.map(name => [name, arbitrary(properties[name] ?? {}, document)]))),
    )
    .map(fields => ({ ...valid, ...fields }))
}

function resolved(schema: JsonSchema, document: OpenApi): JsonSchema {
  if (typeof schema.$ref !== 'string') return schema
  return document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}
}

function fitting(schema: JsonSchema, document: OpenApi, depth: number): fc.Arbitrary<unknown> {
  if (depth > 4) return fc.constant(null)
  if (typeof schema.$ref === 'string') return fitting(resolved(schema, document), document, depth)
  const choices = [schema.anyOf, schema.oneOf].find(Array.isArray)
  if (choices) return fc.oneof(...choices.map((choice: JsonSchema) => fitting(choice, document, depth + 1)))
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
      return fc.array(arbitrary((schema.items ?? {}) as JsonSchema, document, depth + 1), { maxLength: 3 })
    case 'object': {
      const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>)
      const fields = Object.fromEntries(
        properties.map(([name, field]) => [name, arbitrary(field, document, depth + 1)]),
      )
      return fc.record(fields, { requiredKeys: [] })
    }
    default:
      return fc.jsonValue({ maxDepth: 1 })
  }
}

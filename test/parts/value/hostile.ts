import fc from 'fast-check'
import { expect } from 'vitest'
import { errorBody, validationErrorBody } from '../../../server/api/contract/errors.ts'
import type { Contract, OpenApi, Operation } from '../../../server/api/contract/openapi.ts'
import { expectNamed } from '../operation/named-failures.ts'
import { arbitrary, nearly, wellFormed } from './arbitrary-values.ts'

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

/** Of each operation in one run of the tests; `npm run fuzz` sends many more. */
const RUNS = 20

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
  await fc.assert(fc.asyncProperty(input, attack), { numRuns: RUNS })
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

import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { GATEWAY_CONTRACT, GATEWAY_SOCKETS } from '../../server/api/agent-server/contract.ts'
import { createAsyncApi } from '../../server/api/contract/asyncapi.ts'
import { type Contract, createOpenApi, type Example, type OpenApi } from '../../server/api/contract/openapi.ts'
import { NO_BODY, type Route, route } from '../../server/api/contract/route.ts'
import { APP_CONTRACT, APP_SOCKETS } from '../../server/api/contract/routes.ts'
import { TAGS } from '../../server/api/contract/tags.ts'
import { APP_CASES, GATEWAY_CASES } from '../api/cases/tables.ts'
import { readExamples } from '../parts/operation/examples.ts'

const OPTIONS = { url: 'http://127.0.0.1:3737', version: '1.0.0' }

const PORTS = [
  ['the app', { contract: APP_CONTRACT, sockets: APP_SOCKETS, examples: readExamples('app'), cases: APP_CASES }],
  [
    'the gateway',
    { contract: GATEWAY_CONTRACT, sockets: GATEWAY_SOCKETS, examples: readExamples('gateway'), cases: GATEWAY_CASES },
  ],
] as const

describe.each(PORTS)('in the documents of %s', (_port, { contract, sockets, examples, cases }) => {
  test('every operation, parameter, property and tag has a description', () => {
    const document = createOpenApi(contract, OPTIONS)
    expect(undescribed(document)).toEqual([])
    for (const { name, description } of document.tags) expect(description, name).toMatch(/\.$/)
  })

  test('every property of what goes over the sockets has a description', () => {
    expect(undescribedProperties(createAsyncApi(sockets, OPTIONS))).toEqual([])
  })

  test('every operation that can succeed has an example, and nothing else has one', () => {
    const expected = [...contract.operations.keys()].filter(name => cases[name]?.never === undefined)
    expect(Object.keys(examples).sort()).toEqual(expected.sort())
  })

  test('an example fits the schemas', () => {
    for (const [name, example] of Object.entries(examples)) {
      const operation = contract.operations.get(name)
      expect([name, operation && misfits(operation, example)]).toEqual([name, []])
    }
  })
})

test('every tag is used', () => {
  const used = PORTS.flatMap(([, { contract }]) => createOpenApi(contract, OPTIONS).tags.map(({ name }) => name))
  expect([...new Set(used)].sort()).toEqual(Object.keys(TAGS).sort())
})

describe('the law notices', () => {
  const operation = {
    method: 'get',
    path: '/api/one/{one}',
    summary: 'One',
    tag: 'System',
    params: z.object({ one: z.string() }),
    reply: z.object({ two: z.object({ three: z.string() }).describe('Of it.') }),
  } as const
  const contractOf = (one: Route): Contract => ({ ...APP_CONTRACT, operations: new Map([['one', one]]) })

  test('an operation, a parameter and a property without a description', () => {
    const silent = createOpenApi(contractOf(route({ ...operation, description: '' })), OPTIONS)
    expect(undescribed(silent)).toEqual(['one', 'one one', 'components.schemas.OneReply.properties.two three'])
  })

  test('an example that does not fit', () => {
    expect(misfits(route({ ...operation, description: 'One.' }), { reply: { two: 2 } })).toEqual(['reply'])
  })
})

function undescribed(document: OpenApi): string[] {
  const operations = Object.values(document.paths).flatMap(methods => Object.values(methods))
  return [
    ...operations.filter(({ description }) => !isSentence(description)).map(({ operationId }) => operationId),
    ...operations.flatMap(({ operationId, parameters }) =>
      parameters.filter(({ description }) => !isSentence(description)).map(({ name }) => `${operationId} ${name}`),
    ),
    ...undescribedProperties(document),
  ]
}

/** By the place of the schema and the name of the property. */
function undescribedProperties(value: unknown, place: readonly string[] = []): string[] {
  if (typeof value !== 'object' || value === null) return []
  const { properties } = value as { properties?: Record<string, { description?: unknown }> }
  const silent = Object.entries(isSchema(value) ? (properties ?? {}) : {})
    .filter(([, { description }]) => !isSentence(description))
    .map(([name]) => `${place.join('.')} ${name}`)
  const isExample = place.at(-1) === 'example'
  return isExample
    ? []
    : [...silent, ...Object.entries(value).flatMap(([key, inner]) => undescribedProperties(inner, [...place, key]))]
}

/** Not a property that is named `properties`. */
function isSchema(value: object): boolean {
  return 'type' in value && value.type === 'object'
}

function isSentence(description: unknown): boolean {
  return typeof description === 'string' && /\S.*[.!?:]$/s.test(description)
}

function misfits({ params, query, body, reply, media }: Route, example: Example): string[] {
  const isText = media?.reply !== undefined
  return [
    example.params && !params.safeParse(example.params).success && 'params',
    example.query && !query.partial().safeParse(example.query).success && 'query',
    'body' in example && body !== NO_BODY && !body.safeParse(example.body).success && 'body',
    'reply' in example && !isText && !reply.safeParse(example.reply).success && 'reply',
  ].filter(problem => typeof problem === 'string')
}

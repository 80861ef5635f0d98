import { z } from 'zod'
import { errorBody, validationErrorBody } from './errors.ts'
import { codeOf, statusOf } from './failures.ts'
import { MAX_SOCKETS, RATE_LIMIT } from './limits.ts'
import { NO_BODY, type Route } from './route.ts'

export interface OpenApi {
  openapi: '3.1.0'
  info: { title: string; version: string; description: string }
  servers: { url: string }[]
  security: object[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, JsonSchema>; securitySchemes: object }
}

export interface Operation {
  operationId: string
  summary: string
  tags: string[]
  security?: object[]
  parameters: Parameter[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, { description: string; content: Content }>
}

/** By media type. */
export type Content = Record<string, { schema: JsonSchema }>

export interface Parameter {
  name: string
  in: 'path' | 'query'
  required: boolean
  schema: JsonSchema
}

export type JsonSchema = Record<string, unknown>

/** What a document is made of. */
export interface Contract {
  title: string
  description: string
  /** By operation id. */
  operations: ReadonlyMap<string, Route>
  /** Those that have a name of their own in the document. */
  schemas: ReadonlyMap<string, z.ZodType>
  /** How an operation words its failures. */
  errorBodyOf: (route: Route) => z.ZodType
  /** Paths that are answered with 501, and why. */
  unsupported: readonly { method: Route['method']; path: string; reason: string }[]
}

export const APP_DESCRIPTION = `Runs software-development agents on this machine, each conversation in its own sandbox.
Every operation needs the key in the header X-Session-API-Key, or as a bearer token. Only programs and pages of this machine may call.
JSON bodies are at most 10 MB. A body, query or path that does not fit its schema is answered with 422 and never echoed.
Each key may send ${RATE_LIMIT.burst} requests at once and ${RATE_LIMIT.perSecond} a second; beyond that it gets 429 with Retry-After. A port serves ${MAX_SOCKETS} sockets.`

/** The OpenAPI 3.1 document of every operation, made from the schemas that the server parses with. */
export function createOpenApi(contract: Contract, options: { url: string; version: string }): OpenApi {
  const replies = emit(contract, 'output')
  const requests = emit(contract, 'input')
  const paths: OpenApi['paths'] = {}
  for (const [name, route] of contract.operations) {
    const operations = paths[route.path] ?? {}
    const refusal = replies.reference(contract.errorBodyOf(route), 'ErrorBody')
    operations[route.method] = toOperation(name, route, { replies, requests, refusal })
    paths[route.path] = operations
  }
  for (const one of contract.unsupported) {
    paths[one.path] = { ...paths[one.path], [one.method]: toUnsupported(one, replies) }
  }
  return {
    openapi: '3.1.0',
    info: { title: contract.title, version: options.version, description: contract.description },
    servers: [{ url: options.url }],
    security: [{ key: [] }, { bearer: [] }],
    paths,
    components: {
      schemas: used(paths, { ...replies.components, ...requests.components }),
      securitySchemes: {
        key: { type: 'apiKey', in: 'header', name: 'X-Session-API-Key' },
        bearer: { type: 'http', scheme: 'bearer' },
        sandbox: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Session-API-Key',
          description: 'The session_api_key of the sandbox.',
        },
      },
    },
  }
}

interface Emitted {
  components: Record<string, JsonSchema>
  reference(schema: z.ZodType, name: string): JsonSchema
}

/** Schemas differ by direction: a field with a default is optional in a request and always there in a reply. */
function emit({ operations, schemas: named }: Contract, io: 'input' | 'output'): Emitted {
  const suffix = io === 'input' ? 'Input' : ''
  const registry = z.registry<{ id: string }>()
  const ids = new Map<z.ZodType, string>()
  const add = (schema: z.ZodType, name: string) => {
    if (ids.has(schema)) return
    const id = `${name.charAt(0).toUpperCase()}${name.slice(1)}${suffix}`
    ids.set(schema, id)
    registry.add(schema, { id })
  }
  for (const [name, schema] of named) if (schema !== NO_BODY) add(schema, name)
  add(errorBody, 'errorBody')
  add(validationErrorBody, 'validationErrorBody')
  for (const [name, route] of operations) {
    if (io === 'input' && route.body !== NO_BODY) add(route.body, `${name}Body`)
    if (io === 'output') add(route.reply, `${name}Reply`)
  }
  const { schemas } = z.toJSONSchema(registry, {
    io,
    unrepresentable: 'any',
    uri: id => `#/components/schemas/${id}`,
  })
  const components = Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, withoutMeta(schema)]))
  return {
    components,
    reference: (schema, name) => ({ $ref: `#/components/schemas/${ids.get(schema) ?? name}` }),
  }
}

function withoutMeta(schema: object): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== '$schema' && key !== '$id'))
}

function toOperation(
  name: string,
  route: Route,
  emitted: { replies: Emitted; requests: Emitted; refusal: JsonSchema },
): Operation {
  const errors = route.open ? [] : [401, 403]
  const plain = { description: 'Refused', content: content(emitted.refusal) }
  return {
    operationId: name,
    summary: route.summary,
    tags: [route.tag],
    ...(route.open && { security: [] }),
    ...(route.key === 'sandbox' && { security: [{ sandbox: [] }] }),
    parameters: [...parameters(route.params, 'path'), ...parameters(route.query, 'query')],
    ...(route.body !== NO_BODY && {
      requestBody: {
        required: !route.body.safeParse(undefined).success,
        content: content(emitted.requests.reference(route.body, `${name}BodyInput`), route.media?.body),
      },
    }),
    responses: {
      [route.status]: {
        description: route.success ?? 'Success',
        content: content(emitted.replies.reference(route.reply, `${name}Reply`), route.media?.reply),
      },
      ...Object.fromEntries(errors.map(status => [status, plain])),
      ...Object.fromEntries(
        [...named(route)].map(([status, codes]) => [status, { ...plain, description: codes.join(', ') }]),
      ),
      422: {
        description: 'The request does not fit its schema',
        content: content(emitted.replies.reference(validationErrorBody, 'ValidationErrorBody')),
      },
      default: plain,
    },
  }
}

/** The codes of its failures by status. */
function named({ failures }: Route): Map<number, string[]> {
  const codes = new Map<number, string[]>()
  for (const failure of failures) {
    const status = statusOf(failure)
    codes.set(status, [...(codes.get(status) ?? []), codeOf(failure)])
  }
  return codes
}

function toUnsupported(one: Contract['unsupported'][number], replies: Emitted): Operation {
  const words = `${one.method} ${one.path}`.replace(/^(\w+) \/api\//, '$1 ').match(/\w+/g) ?? []
  const [first = '', ...rest] = words.flatMap(word => word.split('_'))
  return {
    operationId: first + rest.map(word => word.charAt(0).toUpperCase() + word.slice(1)).join(''),
    summary: one.reason,
    tags: ['Not supported'],
    parameters: [...one.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
      name,
      in: 'path' as const,
      required: true,
      schema: { type: 'string' },
    })),
    responses: {
      501: { description: one.reason, content: content(replies.reference(errorBody, 'ErrorBody')) },
    },
  }
}

function content(schema: JsonSchema, mediaType = 'application/json'): Content {
  return { [mediaType]: { schema } }
}

function parameters(schema: z.ZodObject, place: 'path' | 'query'): Parameter[] {
  return Object.entries(schema.shape).map(([name, field]) => ({
    name,
    in: place,
    required: place === 'path' || !field.safeParse(undefined).success,
    schema: withoutMeta(z.toJSONSchema(field, { io: 'input', unrepresentable: 'any' })),
  }))
}

/** The components that the paths reach. */
function used(paths: object, all: Record<string, JsonSchema>): Record<string, JsonSchema> {
  const found = new Set<string>()
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, inner] of Object.entries(value)) {
      const id = key === '$ref' ? String(inner).replace('#/components/schemas/', '') : undefined
      if (id === undefined) visit(inner)
      else if (!found.has(id)) {
        found.add(id)
        visit(all[id])
      }
    }
  }
  visit(paths)
  return Object.fromEntries(Object.entries(all).filter(([id]) => found.has(id)))
}

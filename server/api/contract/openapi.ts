import { z } from 'zod'
import { errorBody, validationErrorBody } from './errors.ts'
import { codeOf, type ErrorCode, EVERYWHERE, MEANING_OF_ERRORS, statusOf } from './failures.ts'
import { type EmittedSchemas, emitSchemas, type JsonSchema, reachableFrom, withoutMeta } from './json-schemas.ts'
import { MAX_SOCKETS, RATE_LIMIT } from './limits.ts'
import { NO_BODY, type Route } from './route.ts'
import { describeTags } from './tags.ts'

export interface OpenApi {
  openapi: '3.1.0'
  info: { title: string; version: string; description: string; contact: object; license: object }
  servers: { url: string }[]
  security: object[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, JsonSchema>; securitySchemes: object }
}

export interface Operation {
  operationId: string
  summary: string
  description: string
  tags: string[]
  security?: object[]
  parameters: Parameter[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, { description: string; content?: Content }>
}

/** By media type. */
type Content = Record<string, { schema: JsonSchema; example?: unknown }>

interface Parameter {
  name: string
  in: 'path' | 'query'
  required: boolean
  description: string
  schema: JsonSchema
  example?: unknown
}

/** A request that succeeds, and its reply. Tests send each, and compare what comes. */
export interface Example {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
  reply?: unknown
}

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

/** What differs between two services with the same contract. */
export interface DocumentOptions {
  url: string
  version: string
  /** By operation id. */
  examples?: Readonly<Record<string, Example>>
}

export const APP_DESCRIPTION = `Runs software-development agents on this machine, each conversation in its own sandbox.

Every operation needs the key in the header X-Session-API-Key, or as a bearer token. Only programs and pages of this machine may call.

A request that changes something may carry an Idempotency-Key (1 to 255 visible characters, best a UUID). Sent again with the same key within two minutes, because no answer came, it is not carried out twice: the first answer comes again.

JSON bodies are at most 10 MB. A body, query or path that does not fit its schema is answered with 422 and never echoed.

Each key may send ${RATE_LIMIT.burst} requests at once and ${RATE_LIMIT.perSecond} a second; beyond that it gets 429 with Retry-After. A port serves ${MAX_SOCKETS} sockets.`

/** The OpenAPI 3.1 document of every operation, made from the schemas that the server parses with. */
export function createOpenApi(contract: Contract, options: DocumentOptions): OpenApi {
  const replies = emitSchemas(namedSchemas(contract, 'output'), 'output')
  const requests = emitSchemas(namedSchemas(contract, 'input'), 'input')
  const paths: OpenApi['paths'] = {}
  for (const [name, route] of contract.operations) {
    const operations = paths[route.path] ?? {}
    const refusal = replies.reference(contract.errorBodyOf(route), 'ErrorBody')
    const example = options.examples?.[name] ?? {}
    operations[route.method] = toOperation(name, route, { replies, requests, refusal, example })
    paths[route.path] = operations
  }
  for (const one of contract.unsupported) {
    paths[one.path] = { ...paths[one.path], [one.method]: toUnsupported(one, replies) }
  }
  const operations = Object.values(paths).flatMap(methods => Object.values(methods))
  return {
    openapi: '3.1.0',
    info: { title: contract.title, version: options.version, description: contract.description, ...ABOUT },
    servers: [{ url: options.url }],
    security: [{ key: [] }, { bearer: [] }],
    tags: describeTags(operations.flatMap(({ tags }) => tags)),
    paths,
    components: {
      schemas: reachableFrom(paths, { ...replies.components, ...requests.components }),
      securitySchemes: securitySchemesOf(operations),
    },
  }
}

export const ABOUT = {
  contact: { name: 'The developers of Atelier' },
  license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
}

function* namedSchemas(
  { operations, schemas }: Contract,
  io: 'input' | 'output',
): Generator<readonly [string, z.ZodType]> {
  for (const [name, schema] of schemas) if (schema !== NO_BODY) yield [name, schema]
  yield ['errorBody', errorBody]
  yield ['validationErrorBody', validationErrorBody]
  for (const [name, route] of operations) {
    if (io === 'output') yield [`${name}Reply`, route.reply]
    else if (route.body !== NO_BODY) yield [`${name}Body`, route.body]
  }
}

const KEY = { type: 'apiKey', in: 'header', name: 'X-Session-API-Key' }

function securitySchemesOf(operations: readonly Operation[]): object {
  const sandbox = { ...KEY, description: 'The session_api_key of the sandbox.' }
  return {
    key: { ...KEY, description: 'The key of Settings › API, or the session_api_key of a sandbox at the gateway.' },
    bearer: { type: 'http', scheme: 'bearer', description: 'The same key as a bearer token.' },
    ...(operations.some(({ security }) => security?.some(one => 'sandbox' in one)) && { sandbox }),
  }
}

interface OperationContext {
  replies: EmittedSchemas
  requests: EmittedSchemas
  refusal: JsonSchema
  example: Example
}

function toOperation(name: string, route: Route, { replies, requests, refusal, example }: OperationContext): Operation {
  const reply = replies.reference(route.reply, `${name}Reply`)
  const media = [route.media?.reply ?? 'application/json', ...(route.media?.otherReplies ?? [])]
  const answer = Object.fromEntries(media.map(type => [type, content(reply, example.reply)]))
  const { otherSuccess } = route
  return {
    operationId: name,
    summary: route.summary,
    description: route.description,
    tags: [route.tag],
    ...(route.open && { security: [] }),
    ...(route.key === 'sandbox' && { security: [{ sandbox: [] }] }),
    parameters: [
      ...parameters(route.params, 'path', example.params),
      ...parameters(route.query, 'query', example.query),
    ],
    ...(route.body !== NO_BODY && {
      requestBody: {
        required: !route.body.safeParse(undefined).success,
        content: {
          [route.media?.body ?? 'application/json']: content(
            requests.reference(route.body, `${name}BodyInput`),
            example.body,
          ),
        },
      },
    }),
    responses: {
      [route.status]: { description: route.success ?? 'Success', content: answer },
      ...(otherSuccess && { [otherSuccess.status]: { description: otherSuccess.description, content: answer } }),
      ...refusals(route, refusal),
      422: {
        description: 'The request does not fit its schema.',
        content: { 'application/json': content(replies.reference(validationErrorBody, 'ValidationErrorBody')) },
      },
    },
  }
}

/** By status, each with its codes and what they mean. */
function refusals(route: Route, schema: JsonSchema): Operation['responses'] {
  const codes = new Map<number, ErrorCode[]>()
  const everywhere = route.open ? [] : (['unauthorized', 'forbidden'] as const)
  for (const failure of [...everywhere, ...route.failures]) {
    const status = statusOf(failure)
    codes.set(status, [...new Set([...(codes.get(status) ?? []), codeOf(failure)])])
  }
  const body = { 'application/json': content(schema) }
  return {
    ...Object.fromEntries(
      [...codes].map(([status, named]) => [status, { description: meaningOf(named), content: body }]),
    ),
    default: { description: OTHER_FAILURES, content: body },
  }
}

function meaningOf(codes: readonly ErrorCode[]): string {
  return codes.map(code => `\`${code}\`: ${MEANING_OF_ERRORS[code]}`).join('\n\n')
}

const OTHER_FAILURES = `Any other failure. Every operation may answer with ${[...EVERYWHERE].map(code => `\`${code}\``).join(', ')}.`

function toUnsupported(one: Contract['unsupported'][number], replies: EmittedSchemas): Operation {
  const words = `${one.method} ${one.path}`.replace(/^(\w+) \/api\//, '$1 ').match(/\w+/g) ?? []
  const [first = '', ...rest] = words.flatMap(word => word.split('_'))
  const body = { 'application/json': content(replies.reference(errorBody, 'ErrorBody')) }
  return {
    operationId: first + rest.map(word => word.charAt(0).toUpperCase() + word.slice(1)).join(''),
    summary: one.reason,
    description: `Atelier does not have this operation of agent servers and always answers 501. ${one.reason}`,
    tags: ['Not supported'],
    parameters: [...one.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
      name,
      in: 'path' as const,
      required: true,
      description: 'Not read.',
      schema: { type: 'string' },
    })),
    responses: {
      200: { description: 'What an agent server answers that has this operation. Atelier never does.' },
      401: { description: meaningOf(['unauthorized']), content: body },
      501: { description: one.reason, content: body },
    },
  }
}

function content(schema: JsonSchema, example?: unknown): Content[string] {
  return { schema, ...(example !== undefined && { example }) }
}

function parameters(schema: z.ZodObject, place: 'path' | 'query', examples: Record<string, unknown> = {}): Parameter[] {
  return Object.entries(schema.shape).map(([name, field]) => {
    const { description = '', ...rest } = withoutMeta(z.toJSONSchema(field, { io: 'input', unrepresentable: 'any' }))
    return {
      name,
      in: place,
      required: place === 'path' || !field.safeParse(undefined).success,
      description: String(description),
      schema: rest,
      ...(name in examples && { example: examples[name] }),
    }
  })
}

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv, type ValidateFunction } from 'ajv'
import { projectFolder } from './project-folder.ts'

export interface GithubOperation {
  path: string
  method: string
  /** Names of what may stand in the query. */
  query: string[]
  /** Schema of the JSON that is sent; null where none is. */
  body: Schema | null
  /** Schema of the JSON of a reply by its status; null where it has none. */
  replies: Record<string, Schema | null>
}

type Schema = Record<string, unknown>

interface Excerpt {
  operations: GithubOperation[]
  schemas: Record<string, Schema>
}

/** What GitHub publishes of the operations that Atelier calls; `node build/provider-schemas.mjs` takes it from there. */
const EXCERPT: Excerpt = JSON.parse(readFileSync(join(projectFolder, 'test/fakes/data/github-openapi.json'), 'utf8'))
const REF = '#/components/schemas/'

export const GITHUB_OPERATIONS: readonly GithubOperation[] = EXCERPT.operations

/** @param path under the API */
export function githubOperation(method: string, path: string): GithubOperation | undefined {
  return GITHUB_OPERATIONS.find(
    operation => operation.method === method.toLowerCase() && patternOf(operation.path).test(path),
  )
}

/** Of what a reply may have, where it may have nothing else; what it must have is not asked for. */
export function writtenFields(schema: Schema): ValidateFunction {
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false })
  return ajv.compile({
    ...(closed(schema) as Schema),
    components: {
      schemas: Object.fromEntries(Object.entries(EXCERPT.schemas).map(([name, one]) => [name, closed(one)])),
    },
  })
}

/** The least that a reply has to have: no optional field, null wherever it may be, and one item in a list. */
export function leastReply(schema: Schema): unknown {
  const whole = resolved(schema)
  const { type, nullable, allOf, anyOf, oneOf, items, properties, required } = whole
  if (nullable === true) return null
  if (Array.isArray(whole.enum)) return whole.enum[0]
  const [choice] = (anyOf ?? oneOf ?? []) as Schema[]
  if (choice) return leastReply(choice)
  if (allOf) return Object.assign({}, ...(allOf as Schema[]).map(leastReply))
  switch (type) {
    case 'array':
      return [leastReply(items as Schema)]
    case 'integer':
    case 'number':
      return 1
    case 'boolean':
      return false
    case 'string':
      return TEXTS[String(whole.format)] ?? 'text'
    default:
      return Object.fromEntries(
        ((required ?? []) as string[]).map(name => [
          name,
          leastReply((properties as Record<string, Schema>)?.[name] ?? {}),
        ]),
      )
  }
}

const TEXTS: Readonly<Record<string, string>> = {
  uri: 'https://example.org/',
  'date-time': '2026-01-01T00:00:00Z',
}

function resolved(schema: Schema): Schema {
  const { $ref } = schema
  return typeof $ref === 'string' ? resolved(EXCERPT.schemas[$ref.replace(REF, '')] ?? {}) : schema
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('{path}', '.*').replaceAll(/\{\w+\}/g, '[^/]+')}$`)
}

/** An object that lists its properties has no others, unless it is put together from several. */
function closed(schema: unknown, isPart = false): unknown {
  if (Array.isArray(schema)) return schema.map(one => closed(one, isPart))
  if (typeof schema !== 'object' || schema === null) return schema
  const { nullable, ...rest } = schema as Schema
  // As OpenAPI 3.0 means it: null beside everything else, an enumeration too.
  if (nullable === true) return { anyOf: [{ type: 'null' }, closed(rest, isPart)] }
  const entries = Object.entries(rest)
    .filter(([key]) => key !== 'required' && key !== 'nullable')
    .map(([key, value]) => {
      // Without required fields several may fit.
      if (key === 'oneOf') return ['anyOf', closed(value)]
      return [key, key === 'properties' ? closedEach(value) : closed(value, key === 'allOf')]
    })
  const isClosed = !isPart && 'properties' in rest && !('additionalProperties' in rest)
  return Object.fromEntries([...entries, ...(isClosed ? [['additionalProperties', false]] : [])])
}

function closedEach(properties: unknown): unknown {
  return Object.fromEntries(Object.entries(properties as Schema).map(([name, one]) => [name, closed(one)]))
}

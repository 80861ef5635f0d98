import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/client/validators/cf-worker'
import { isRecord } from '../domain/is-record.ts'
import type { JsonSchema } from '../domain/mcp-source.ts'

export interface Arguments {
  /** Brings values to the types of the schema where what is meant is plain. */
  repair(given: Record<string, unknown>): Record<string, unknown>
  /** What is wrong with them, for the model; null when nothing is. */
  problem(given: Record<string, unknown>): string | null
}

/** What a stranger's pattern costs nobody knows, and the server looks at its arguments itself. */
const SKIPPED_KEYWORDS: ReadonlySet<string> = new Set([
  'pattern',
  'patternProperties',
  'format',
  '$schema',
  '$id',
  'id',
])
const WITHOUT_REFERENCES: ReadonlySet<string> = new Set([...SKIPPED_KEYWORDS, '$ref'])
const MAX_DEPTH = 40
/** More of them can be knotted so that to look at little data takes for ever; then they are not followed. */
const MAX_REFERENCES = 12
const MAX_PROBLEM_LENGTH = 500

/** The arguments of a tool, as its JSON schema has them. A schema that makes no sense checks nothing. */
export function argumentsOf(schema: JsonSchema): Arguments {
  const check = validatorOf(schema)
  const properties = isRecord(schema.properties) ? schema.properties : {}
  return {
    repair: given =>
      Object.fromEntries(Object.entries(given).map(([name, value]) => [name, repaired(properties[name], value)])),
    problem: given => {
      try {
        const result = check?.(given)
        return !result || result.valid ? null : result.errorMessage.slice(0, MAX_PROBLEM_LENGTH)
      } catch {
        return null // a circle of references
      }
    },
  }
}

function validatorOf(schema: JsonSchema) {
  try {
    const references = JSON.stringify(schema).split('"$ref"').length - 1
    const followed = references <= MAX_REFERENCES ? SKIPPED_KEYWORDS : WITHOUT_REFERENCES
    const cheap = simplified(schema, { leftOut: followed, depth: 0, isSchema: true })
    const validate = new CfWorkerJsonSchemaValidator().getValidator<unknown>(cheap as JsonSchema)
    validate({})
    return validate
  } catch {
    return undefined
  }
}

interface SchemaPosition {
  leftOut: ReadonlySet<string>
  depth: number
  /** Whether names are keywords here, or those of properties. */
  isSchema: boolean
}

/** Only keywords that cost little. */
function simplified(value: unknown, { leftOut, depth, isSchema }: SchemaPosition): unknown {
  if (depth > MAX_DEPTH) return true
  const inside = { leftOut, depth: depth + 1, isSchema: true }
  if (Array.isArray(value)) return value.map(item => simplified(item, inside))
  if (!isRecord(value)) return value
  const kept = Object.entries(value).filter(([key]) => !isSchema || !leftOut.has(key))
  const names = (key: string) => isSchema && (key === 'properties' || key === '$defs' || key === 'definitions')
  return Object.fromEntries(kept.map(([key, item]) => [key, simplified(item, { ...inside, isSchema: !names(key) })]))
}

function repaired(schema: unknown, value: unknown): unknown {
  if (!isRecord(schema) || typeof value !== 'string') return value
  switch (schema.type) {
    case 'integer':
    case 'number':
      return value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : value
    case 'boolean':
      return { true: true, false: false }[value.trim().toLowerCase()] ?? value
    case 'array':
    case 'object':
      return parsed(value, schema.type)
    default:
      return value
  }
}

/** Some models write lists and objects as text. */
function parsed(value: string, type: 'array' | 'object'): unknown {
  try {
    const read: unknown = JSON.parse(value)
    return (type === 'array' ? Array.isArray(read) : isRecord(read)) ? read : value
  } catch {
    return value
  }
}

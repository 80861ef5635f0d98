import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/client/validators/cf-worker'
import { isRecord, type JsonSchema } from '../tools/mcp-source.ts'

export interface Arguments {
  /** Brings values to the types of the schema where what is meant is plain. */
  repair(given: Record<string, unknown>): Record<string, unknown>
  /** What is wrong with them, for the model; null when nothing is. */
  problem(given: Record<string, unknown>): string | null
}

/** What a stranger's pattern costs nobody knows, and the server looks at its arguments itself. */
const LEFT_OUT: ReadonlySet<string> = new Set(['pattern', 'patternProperties', 'format', '$schema', '$id', 'id'])
const DEEPEST = 40
const LONGEST_PROBLEM = 500

/** The arguments of a tool, as its JSON schema has them. A schema that makes no sense checks nothing. */
export function argumentsOf(schema: JsonSchema): Arguments {
  const check = validatorOf(schema)
  const properties = isRecord(schema.properties) ? schema.properties : {}
  return {
    repair: given =>
      Object.fromEntries(Object.entries(given).map(([name, value]) => [name, repaired(properties[name], value)])),
    problem: given => {
      const result = check?.(given)
      return !result || result.valid ? null : result.errorMessage.slice(0, LONGEST_PROBLEM)
    },
  }
}

function validatorOf(schema: JsonSchema) {
  try {
    const validate = new CfWorkerJsonSchemaValidator().getValidator<unknown>(plain(schema, 0) as JsonSchema)
    validate({})
    return validate
  } catch {
    return undefined
  }
}

/** Only keywords that cost little. Names of properties are no keywords. */
function plain(value: unknown, depth: number, isSchema = true): unknown {
  if (depth > DEEPEST) return true
  if (Array.isArray(value)) return value.map(item => plain(item, depth + 1))
  if (!isRecord(value)) return value
  const kept = Object.entries(value).filter(([key]) => !isSchema || !LEFT_OUT.has(key))
  const named = (key: string) => isSchema && (key === 'properties' || key === '$defs' || key === 'definitions')
  return Object.fromEntries(kept.map(([key, item]) => [key, plain(item, depth + 1, !named(key))]))
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

import fc from 'fast-check'
import type { JsonSchema } from '../../../server/api/contract/json-schemas.ts'
import type { OpenApi } from '../../../server/api/contract/openapi.ts'

/** Values of about the right shape, and values that are not. */
export function arbitrary(schema: JsonSchema, document: OpenApi, depth = 0): fc.Arbitrary<unknown> {
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

const MAX_FIELDS = 2

/** A valid value with a few fields of its own. */
export function nearly(valid: Record<string, unknown>, schema: JsonSchema, document: OpenApi): fc.Arbitrary<unknown> {
  const properties = (resolved(schema, document).properties ?? {}) as Record<string, JsonSchema>
  return fc
    .subarray(Object.keys(properties), { maxLength: MAX_FIELDS })
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

/** `encodeURIComponent` refuses half of a surrogate pair. */
export function wellFormed(text: string): string {
  return Buffer.from(text).toString()
}

import { z } from 'zod'

export type JsonSchema = Record<string, unknown>

/** The named schemas of a document in one direction. */
export interface EmittedSchemas {
  components: Record<string, JsonSchema>
  reference(schema: z.ZodType, name: string): JsonSchema
}

/**
 * JSON Schemas of what has a name; everything else stands where it is used. They differ by direction: a field with a
 * default is optional in a request and always there in a reply.
 */
export function emitSchemas(
  named: Iterable<readonly [string, z.ZodType]>,
  io: 'input' | 'output',
  target: 'draft-2020-12' | 'draft-7' = 'draft-2020-12',
): EmittedSchemas {
  const suffix = io === 'input' ? 'Input' : ''
  const registry = z.registry<{ id: string }>()
  const ids = new Map<z.ZodType, string>()
  for (const [name, schema] of named) {
    if (ids.has(schema)) continue
    const id = `${name.charAt(0).toUpperCase()}${name.slice(1)}${suffix}`
    ids.set(schema, id)
    registry.add(schema, { id })
  }
  const { schemas } = z.toJSONSchema(registry, {
    io,
    target,
    unrepresentable: 'any',
    uri: id => `#/components/schemas/${id}`,
  })
  const components = Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, withoutMeta(schema)]))
  for (const schema of Object.values(components)) describeConstants(schema)
  return {
    components,
    reference: (schema, name) => ({ $ref: `#/components/schemas/${ids.get(schema) ?? name}` }),
  }
}

export function withoutMeta(schema: object): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== '$schema' && key !== '$id'))
}

/** What tells the members of a union apart needs no words of its own where it is declared. */
function describeConstants(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  const { properties } = value as { properties?: unknown }
  for (const property of Object.values(typeof properties === 'object' && properties !== null ? properties : {})) {
    if (isConstant(property)) property.description ??= `Always \`${property.const}\`.`
  }
  for (const inner of Object.values(value)) describeConstants(inner)
}

function isConstant(value: unknown): value is { const: unknown; description?: unknown } {
  return typeof value === 'object' && value !== null && 'const' in value
}

/** Those of the components that something reaches. */
export function reachableFrom(root: object, all: Record<string, JsonSchema>): Record<string, JsonSchema> {
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
  visit(root)
  return Object.fromEntries(Object.entries(all).filter(([id]) => found.has(id)))
}

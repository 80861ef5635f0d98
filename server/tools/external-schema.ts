import { z } from 'zod'
import { isRecord } from '../domain/is-record.ts'
import type { JsonSchema } from '../domain/mcp-source.ts'
import { riskField, summaryField } from './call/fields.ts'

/** What somebody else says that a tool takes. */
export interface ExternalSchema {
  readonly inputSchema: JsonSchema
  readonly readOnly: boolean
  /** Brings values to the types of the schema where what is meant is plain. */
  repair(given: Record<string, unknown>): Record<string, unknown>
  /** What is wrong with the arguments, for the model; null when nothing is. */
  problem(given: Record<string, unknown>): string | null
}

/** The parts of a tool that come from a schema which is not ours. */
export function fromSchema(given: ExternalSchema) {
  const properties = isRecord(given.inputSchema.properties) ? given.inputSchema.properties : {}
  const ownFields = (['summary', 'security_risk'] as const).filter(field => field in properties)
  return {
    inputSchema: withCallFields(given, properties),
    ownFields,
    parameters: parametersOf(given, ownFields),
    readOnly: given.readOnly,
  }
}

/** The schema as it is given, with the fields that every call has where it has none of that name. */
function withCallFields({ inputSchema, readOnly }: ExternalSchema, properties: JsonSchema): JsonSchema {
  const { $schema: _, ...schema } = inputSchema
  const fields = { summary: schemaOf(summaryField), ...(!readOnly && { security_risk: schemaOf(riskField) }) }
  return { ...schema, type: 'object', properties: { ...fields, ...properties } }
}

function schemaOf(field: z.ZodType): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(field, { target: 'draft-7', io: 'input' })
  return schema
}

function parametersOf(given: ExternalSchema, ownFields: readonly string[]): z.ZodObject {
  return z.looseObject({}).superRefine((value, context) => {
    const { summary, security_risk, ...rest } = value
    const own = { summary, security_risk }
    const kept = Object.entries(own).filter(([field, each]) => ownFields.includes(field) && each !== undefined)
    const message = given.problem(given.repair({ ...rest, ...Object.fromEntries(kept) }))
    if (message !== null) context.addIssue({ code: 'custom', message })
  })
}

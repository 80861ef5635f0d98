import { z } from 'zod'
import { mcpToolAction } from '../api/actions.ts'
import type { Content } from '../api/content.ts'
import { riskField, summaryField } from './call/fields.ts'
import { clipMiddle } from './clip.ts'
import { isRecord, type JsonSchema, type McpToolSource } from './mcp-source.ts'
import type { Tool, ToolHost } from './tool.ts'

type McpToolAction = z.output<typeof mcpToolAction>
type Host = Pick<ToolHost, 'mask' | 'environmentFor'>

const MAX_CHARACTERS = 30_000
const MAX_DESCRIPTION = 4_000

/** The tool of a tool server under the name by which the agent calls it. */
export function createMcpTool(name: string, source: McpToolSource, host: Host): Tool<McpToolAction> {
  const properties = isRecord(source.inputSchema.properties) ? source.inputSchema.properties : {}
  const ownFields = (['summary', 'security_risk'] as const).filter(field => field in properties)
  return {
    name,
    description: describe(source, host.mask),
    inputSchema: withCallFields(source, properties),
    ownFields,
    parameters: parametersOf(source, ownFields),
    readOnly: source.readOnly,
    destructive: source.destructive,
    toAction: given => ({ kind: 'MCPToolAction', data: source.repair(given) }),
    run: async (action, { signal, onOutput }) => {
      const given = await withSecrets(mcpToolAction.parse(action).data, host.environmentFor)
      const onProgress = (message: string) => onOutput(host.mask(message))
      const { content, isError } = await source.call(given, { signal, onProgress })
      return { kind: 'MCPToolObservation', tool_name: name, content: readable(content, host.mask), is_error: isError }
    },
    close: async () => {},
  }
}

/** What a server says of its tool is its word, and no instruction. */
function describe({ server, description }: McpToolSource, mask: ToolHost['mask']): string {
  const text = clipMiddle(mask(description), MAX_DESCRIPTION, () => '\n[…]\n')
  return `${text}\n[A tool of the tool server "${server}".]`.trimStart()
}

/** The server's own schema, with the fields that every call has where it has none of that name. */
function withCallFields({ inputSchema, readOnly }: McpToolSource, properties: JsonSchema): JsonSchema {
  const { $schema: _, ...schema } = inputSchema
  const fields = { summary: schemaOf(summaryField), ...(!readOnly && { security_risk: schemaOf(riskField) }) }
  return { ...schema, type: 'object', properties: { ...fields, ...properties } }
}

function schemaOf(field: z.ZodType): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(field, { target: 'draft-7', io: 'input' })
  return schema
}

function parametersOf(source: McpToolSource, ownFields: readonly string[]): z.ZodObject {
  return z.looseObject({}).superRefine((given, context) => {
    const { summary, security_risk, ...rest } = given
    const own = { summary, security_risk }
    const kept = Object.entries(own).filter(([field, value]) => ownFields.includes(field) && value !== undefined)
    const message = source.problem(source.repair({ ...rest, ...Object.fromEntries(kept) }))
    if (message !== null) context.addIssue({ code: 'custom', message })
  })
}

/** Puts secrets in the place of `$NAME` and `${NAME}`: on the way out only, so that no log has them. */
export async function withSecrets<T>(given: T, environmentFor: ToolHost['environmentFor']): Promise<T> {
  // Also where nothing is named: so the mask learns what there is to hide in the answer.
  const environment = (await environmentFor?.(JSON.stringify(given) ?? '')) ?? {}
  return expanded(given, environment) as T
}

function expanded(value: unknown, environment: Record<string, string>): unknown {
  if (typeof value === 'string') {
    return value.replace(/\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/g, (whole, braced, bare) => {
      const found = environment[braced ?? bare]
      return found ?? whole
    })
  }
  if (Array.isArray(value)) return value.map(item => expanded(item, environment))
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, expanded(item, environment)]))
}

/** Masked, and no more than a model can take; one limit for all its texts. */
function readable(content: Content[], mask: ToolHost['mask']): Content[] {
  let room = MAX_CHARACTERS
  return content.flatMap((part): Content[] => {
    if (part.type === 'image') return [part]
    if (room <= 0) return []
    const text = clipMiddle(mask(part.text), room, () => '\n[… the middle was left out: the answer is too long …]\n')
    room -= text.length
    return [{ type: 'text', text }]
  })
}

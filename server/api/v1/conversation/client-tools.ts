import { z } from 'zod'
import { content } from '../../event/content.ts'

const MAX_TOOLS = 50
const MAX_SCHEMA_LENGTH = 32_000
const DEFAULT_TIMEOUT_S = 600
const MAX_TIMEOUT_S = 86_400

/** A tool that the client of a conversation carries out: it sees the call as an ActionEvent of that name. */
export const clientTool = z.object({
  name: z
    .string()
    .regex(/^[A-Za-z0-9_.-]{1,64}$/)
    .describe('Name by which the model calls the tool.'),
  description: z
    .string()
    .max(10_000)
    .describe('What the tool does, for the model; it decides by this when to call it.'),
  parameters: z
    .looseObject({ type: z.literal('object') })
    .refine(
      schema => JSON.stringify(schema).length <= MAX_SCHEMA_LENGTH,
      `no more than ${MAX_SCHEMA_LENGTH} characters`,
    )
    .default({ type: 'object', properties: {} })
    .describe('JSON Schema of the arguments, an object, shown to the model as it is.'),
  annotations: z
    .looseObject({
      readOnlyHint: z
        .boolean()
        .nullish()
        .describe('Whether the tool changes nothing, so that its calls need no confirmation.'),
    })
    .nullish()
    .describe('Hints about the tool, as the Model Context Protocol has them; null for none.'),
  awaits_result: z
    .boolean()
    .default(false)
    .describe(
      'Whether the agent waits for the result of a call; otherwise it is only told that the call was handed on.',
    ),
  timeout: z
    .number()
    .positive()
    .max(MAX_TIMEOUT_S)
    .default(DEFAULT_TIMEOUT_S)
    .describe('Seconds until a call that nobody answers is answered with an error; ignored unless the agent waits.'),
})
export type ClientTool = z.output<typeof clientTool>

export const clientTools = z
  .array(clientTool)
  .max(MAX_TOOLS)
  .refine(tools => new Set(tools.map(({ name }) => name.toLowerCase())).size === tools.length, 'names must differ')

/** What came of a call; `action_id` is the id of its ActionEvent. */
export const clientToolResult = z.object({
  action_id: z.string().min(1).max(100).describe('Id of the ActionEvent of the call.'),
  content: z
    .union([z.string().transform(text => [{ type: 'text' as const, text }]), z.array(content).max(100)])
    .describe('What came of the call: a text, or texts and images.'),
  is_error: z.boolean().default(false).describe('Whether the call failed.'),
})
export type ClientToolResult = z.output<typeof clientToolResult>

import { z } from 'zod'
import type { CompletionRequest, ModelMessage, ToolDefinition, UserPart } from '../completion.ts'
import { argumentsOf } from './arguments.ts'

/** Where an answer stops: the result of a call is not the model's to write. */
export const STOP_SEQUENCE = '</function'

export interface JsonSchema {
  type?: string | string[]
  description?: string
  enum?: unknown[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  [keyword: string]: unknown
}

/**
 * The request for a model that cannot call tools: they are described in the system prompt, earlier calls and their
 * results become plain text, and everything takes turns, as the chat templates of small models demand.
 */
export function withPromptTools(request: CompletionRequest): CompletionRequest {
  if (request.tools.length === 0) return { ...request, messages: mergeSameRole(request.messages.map(toPlainMessage)) }
  return {
    ...request,
    system: `${request.system}\n\n${describeTools(request.tools)}`,
    messages: mergeSameRole(request.messages.map(toPlainMessage)),
    tools: [],
  }
}

/** A tool's own JSON schema, or the one of its parameters. */
export function schemaOf({ parameters, inputSchema: given }: ToolDefinition): JsonSchema {
  const { $schema: _, ...schema } = given ?? z.toJSONSchema(parameters, { target: 'draft-7', io: 'input' })
  return schema as JsonSchema
}

function describeTools(tools: readonly ToolDefinition[]): string {
  return `# Calling tools

You act by calling tools. A call is written exactly like this, with one <parameter> for each value:

<function=TOOL_NAME>
<parameter=NAME>VALUE</parameter>
<parameter=OTHER_NAME>A VALUE
of several lines</parameter>
</function>

- First say in a sentence what you are doing, then write the call, then stop: its result comes in the next message.
- Give every required parameter. Text stands as it is, without quotes or escapes; lists and objects are JSON.
- Call only the tools below, and never write a result yourself.

${tools.map(describeTool).join('\n\n')}`
}

function describeTool(tool: ToolDefinition): string {
  const schema = schemaOf(tool)
  const parameters = Object.entries(schema.properties ?? {}).map(([name, property]) =>
    describeParameter(name, property, schema.required?.includes(name) ?? false),
  )
  const list = parameters.length > 0 ? `Parameters:\n${parameters.join('\n')}` : 'No parameters.'
  return `## ${tool.name}\n${tool.description.trim()}\n${list}`
}

function describeParameter(name: string, property: JsonSchema, required: boolean): string {
  const { description, type, enum: values, ...rest } = property
  const nested = property.properties ?? property.items ?? property.anyOf
  const kind = [type ?? (values ? 'one of' : 'any')].flat().join(' or ')
  const choice = values ? `, one of ${values.map(value => JSON.stringify(value)).join(', ')}` : ''
  const detail = nested ? `, JSON schema ${JSON.stringify(rest)}` : ''
  return `- ${name} (${kind}, ${required ? 'required' : 'optional'}${choice}${detail})${description ? `: ${description}` : ''}`
}

function toPlainMessage(message: ModelMessage): ModelMessage {
  if (message.role === 'user') return message
  if (message.role === 'tool') {
    const images = message.imageUrls.map((url): UserPart => ({ type: 'image', url }))
    const text = `EXECUTION RESULT of [${message.toolName}]:\n${message.text}`
    return { role: 'user', content: [{ type: 'text', text }, ...images] }
  }
  const { role, text, reasoning, toolCalls } = message
  return { role, reasoning, toolCalls: [], text: [text, ...toolCalls.map(writeCall)].filter(Boolean).join('\n\n') }
}

function writeCall({ name, arguments: written }: { name: string; arguments: string }): string {
  const parameters = Object.entries(argumentsOf(written)).map(
    ([key, value]) => `<parameter=${key}>${typeof value === 'string' ? value : JSON.stringify(value)}</parameter>\n`,
  )
  return `<function=${name}>\n${parameters.join('')}</function>`
}

function mergeSameRole(messages: ModelMessage[]): ModelMessage[] {
  const turns: ModelMessage[] = []
  for (const message of messages) {
    const last = turns.at(-1)
    if (last?.role === 'user' && message.role === 'user') {
      turns[turns.length - 1] = { role: 'user', content: [...last.content, ...message.content] }
    } else if (last?.role === 'assistant' && message.role === 'assistant') {
      const text = [last.text, message.text].filter(Boolean).join('\n\n')
      turns[turns.length - 1] = { ...message, text, reasoning: [...last.reasoning, ...message.reasoning] }
    } else turns.push(message)
  }
  return turns
}

import { z } from 'zod'
import { isOwnTool } from '../api/event/own-tools.ts'
import type { ToolCallPart } from '../llm/completion.ts'

const text = z.string().nullish()

/** The fields of legacy events that a replay needs; everything else may have any form. */
export const legacyRecorded = z.looseObject({
  action: z.string().optional(),
  source: z.string().nullish(),
  args: z.record(z.string(), z.unknown()).nullish(),
  tool_call_metadata: z.looseObject({ tool_call_id: text, model_response: z.unknown() }).nullish(),
})
export type LegacyRecorded = z.output<typeof legacyRecorded>

interface Answer {
  text: string
  toolCalls: ToolCallPart[]
}

/**
 * What was asked and what the agent answered, from events of the legacy generation: ours to the letter, others' by what
 * their actions did. Events of the environment are dropped, and so are actions that no tool here can repeat.
 */
export class LegacyTrajectory {
  readonly answers = new Map<string, Answer>()
  initialMessage: string | undefined
  #isWithoutQuestion = false

  /** In their order. */
  add(event: LegacyRecorded, index: number): void {
    if (event.action === undefined || this.#isWithoutQuestion) return
    if (event.source === 'user') {
      if (event.action === 'message') this.initialMessage ??= textArg(event, 'content')
    } else if (event.source === 'agent') {
      this.#isWithoutQuestion = this.initialMessage === undefined && event.action !== 'system'
      if (!this.#isWithoutQuestion) this.#answer(event, index)
    }
  }

  #answer(event: LegacyRecorded, index: number): void {
    if (event.action === 'message') {
      this.answers.set(`message-${index}`, { text: textArg(event, 'content'), toolCalls: [] })
      return
    }
    const response = responseOf(event)
    const call = ownCall(response) ?? repeated(event, `call-${index}`)
    if (!call) return
    const key = response?.id ?? `event-${index}`
    const answer = this.answers.get(key) ?? { text: messageText(event, response), toolCalls: [] }
    answer.toolCalls.push(call)
    this.answers.set(key, answer)
  }
}

const modelResponse = z.object({
  id: z.string(),
  choices: z.array(
    z.object({
      message: z.object({
        content: text,
        tool_calls: z
          .array(z.object({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) }))
          .nullish(),
      }),
    }),
  ),
})
type ModelResponse = z.output<typeof modelResponse>

function responseOf(event: LegacyRecorded): ModelResponse | undefined {
  return modelResponse.safeParse(event.tool_call_metadata?.model_response).data
}

/** Ours carry one call each. */
function ownCall(response: ModelResponse | undefined): ToolCallPart | undefined {
  const calls = response?.choices[0]?.message.tool_calls ?? []
  const [call] = calls
  if (!call || calls.length !== 1 || !isOwnTool(call.function.name)) return undefined
  return { id: call.id, name: call.function.name, arguments: call.function.arguments }
}

function messageText(event: LegacyRecorded, response: ModelResponse | undefined): string {
  const said = response?.choices[0]?.message.content
  if (said !== undefined && said !== null) return said
  return event.action === 'think' ? '' : textArg(event, 'thought')
}

/** The same work with our tools; undefined where there is none for it. */
function repeated(event: LegacyRecorded, id: string): ToolCallPart | undefined {
  const found = toolFor(event)
  return found && { id, name: found.name, arguments: JSON.stringify(found.arguments) }
}

function toolFor(event: LegacyRecorded): { name: string; arguments: Record<string, unknown> } | undefined {
  const args = event.args ?? {}
  const path = args.path
  switch (event.action) {
    case 'run':
      return {
        name: 'terminal',
        arguments: { command: args.command, ...(args.is_input === true && { is_input: true }) },
      }
    case 'run_ipython':
      return {
        name: 'terminal',
        arguments: { command: `python3 - <<'PYTHON_CELL'\n${textArg(event, 'code')}\nPYTHON_CELL` },
      }
    case 'read':
      return {
        name: 'file_editor',
        arguments: { command: 'view', path, ...definedArgs({ view_range: args.view_range }) },
      }
    case 'write':
      return { name: 'file_editor', arguments: { command: 'create', path, file_text: args.content } }
    case 'edit': {
      const { command, file_text, old_str, new_str, insert_line } = args
      return {
        name: 'file_editor',
        arguments: definedArgs({ command, path, file_text, old_str, new_str, insert_line }),
      }
    }
    case 'think':
      return { name: 'think', arguments: { thought: textArg(event, 'thought') } }
    case 'finish':
      return { name: 'finish', arguments: { message: textArg(event, 'final_thought') || textArg(event, 'thought') } }
    default:
      return undefined
  }
}

function definedArgs(args: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null && value !== undefined))
}

function textArg(event: LegacyRecorded, name: string): string {
  const value = event.args?.[name]
  return typeof value === 'string' ? value : ''
}

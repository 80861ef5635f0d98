import { randomToken } from '../../domain/ids.ts'
import { isRecord } from '../../domain/is-record.ts'
import { isTooDeep } from '../../text/brackets.ts'
import type { Completion, ToolCallPart, ToolDefinition } from '../completion.ts'
import { type JsonSchema, schemaOf } from './tools.ts'

const CALL = /<function=([^>\s]+)>|<tool_call>/
/** A model that goes on to invent the result of its own call. */
const INVENTED = /EXECUTION RESULT of \[/

interface Scanned {
  call: { name: string; arguments: Record<string, unknown> } | null
  end: number
  /** Whether its end was written. */
  whole: boolean
}

/**
 * Reads the calls out of an answer that was asked for by `withPromptTools`. Missing close tags are added, as the stop
 * word cuts the last one anyway; but a call that the output limit cut is dropped, as half of a command may do harm.
 * Values are not judged here: the loop tells the model what is wrong with them.
 */
export function readPromptCalls<T extends Pick<Completion, 'text' | 'toolCalls' | 'finishReason'>>(
  answer: T,
  tools: readonly ToolDefinition[],
): T {
  const { text } = answer
  const schemas = new Map(tools.map(tool => [tool.name, schemaOf(tool)]))
  const toolCalls: ToolCallPart[] = []
  let thought: string | null = null
  const calls = new RegExp(CALL, 'g')
  for (;;) {
    const at = calls.lastIndex
    const start = calls.exec(text)
    if (!start || (thought !== null && INVENTED.test(text.slice(at, start.index)))) break
    thought ??= withoutFence(text.slice(0, start.index))
    const from = start.index + start[0].length
    const scanned = start[1] ? scanCall(text, from, start[1], schemas.get(start[1])) : scanJsonCall(text, from)
    const cut = answer.finishReason === 'length' && !scanned.whole
    if (scanned.call && !cut) {
      const { name, arguments: given } = scanned.call
      toolCalls.push({ id: `call_${randomToken(9)}`, name, arguments: JSON.stringify(given) })
    }
    calls.lastIndex = scanned.end
  }
  if (thought === null) return answer
  const called = toolCalls.length > 0
  return { ...answer, text: thought, toolCalls, finishReason: called ? 'tool-calls' : answer.finishReason }
}

/** Small models like to put their calls into a code block. */
function withoutFence(text: string): string {
  return text.replace(/```\w*\s*$/, '').trimEnd()
}

function scanCall(text: string, from: number, name: string, schema: JsonSchema | undefined): Scanned {
  const given: Record<string, unknown> = {}
  let at = skipSpace(text, from)
  if (text[at] === '{') return scanJsonArguments(text, at, name)
  for (;;) {
    at = skipSpace(text, at)
    const parameter = /^<parameter=([^>\n]+)>/.exec(text.slice(at, at + 200))
    if (!parameter?.[1]) break
    const key = parameter[1].trim()
    const value = scanValue(text, at + parameter[0].length, name => name !== key && isParameter(schema, name))
    at = value.end
    given[key] = convert(value.text, schema?.properties?.[key])
  }
  const close = /^<\/function>?/.exec(text.slice(at, at + 12))
  return { call: { name, arguments: given }, end: at + (close?.[0].length ?? 0), whole: close !== null }
}

function isParameter(schema: JsonSchema | undefined, name: string): boolean {
  return schema?.properties?.[name] !== undefined
}

/**
 * A value ends at the close tag that something of the form follows: it may well hold such tags itself, as when this
 * very file is edited. Without a close tag it ends where the next parameter begins.
 */
function scanValue(text: string, from: number, isNext: (name: string) => boolean): { text: string; end: number } {
  const close = /<\/parameter>(?=\s*(?:<parameter=|<\/function|<function=|$))/g
  close.lastIndex = from
  const closed = close.exec(text)
  const open = /\n<parameter=([^>\n]+)>/g
  open.lastIndex = from
  for (let next = open.exec(text); next && next.index < (closed?.index ?? text.length); next = open.exec(text)) {
    if (next[1] && isNext(next[1].trim())) return { text: text.slice(from, next.index), end: next.index }
  }
  if (closed) return { text: text.slice(from, closed.index), end: close.lastIndex }
  const stop = /\s*<\/function|\n<function=|<\/parameter>/g
  stop.lastIndex = from
  const stopped = stop.exec(text)
  const end = stopped?.index ?? text.length
  return { text: text.slice(from, end), end }
}

/** Some write JSON between the tags, or know only the form `<tool_call>{"name": …, "arguments": …}</tool_call>`. */
function scanJsonArguments(text: string, from: number, name: string): Scanned {
  const { value, end, whole } = scanJson(text, from, '</function')
  return { call: { name, arguments: isRecord(value) ? value : {} }, end, whole }
}

function scanJsonCall(text: string, from: number): Scanned {
  const { value, end, whole } = scanJson(text, from, '</tool_call>')
  if (!isRecord(value) || typeof value.name !== 'string') return { call: null, end, whole }
  const given = value.arguments ?? value.parameters
  return { call: { name: value.name, arguments: isRecord(given) ? given : {} }, end, whole }
}

function scanJson(text: string, from: number, close: string): { value: unknown; end: number; whole: boolean } {
  for (let end = text.indexOf(close, from); end >= 0; end = text.indexOf(close, end + 1)) {
    const value = parsed(text.slice(from, end))
    if (value !== undefined) return { value, end: end + close.length, whole: true }
  }
  const value = parsed(text.slice(from))
  return { value, end: text.length, whole: value !== undefined }
}

function convert(text: string, schema: JsonSchema | undefined): unknown {
  const types = [schema?.type ?? []].flat()
  const literal = text.replace(/^\r?\n/, '').replace(/\r?\n$/, '')
  if (types.includes('string') || (types.length === 0 && !schema?.anyOf)) return literal
  const value = parsed(literal.trim())
  return value === undefined ? literal : value
}

function parsed(text: string): unknown {
  if (isTooDeep(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function skipSpace(text: string, at: number): number {
  let index = at
  while (index < text.length && /\s/.test(text.charAt(index))) index++
  return index
}

const MARKERS = ['<function=', '<tool_call>']

/** Lets text through up to the first call: people see the thought, not the markup. */
export function createMarkupFilter(show: (text: string) => void): { push(text: string): void; end(): void } {
  let held = ''
  let silent = false
  return {
    push(text) {
      if (silent) return
      held += text
      const starts = MARKERS.map(marker => held.indexOf(marker)).filter(index => index >= 0)
      silent = starts.length > 0
      const shown = silent ? Math.min(...starts) : held.length - unfinishedMarker(held)
      if (shown > 0) show(held.slice(0, shown))
      held = held.slice(shown)
    },
    end() {
      if (!silent && held) show(held)
      held = ''
    },
  }
}

/** Length of the end of a text that may become a marker. */
function unfinishedMarker(text: string): number {
  const from = text.lastIndexOf('<')
  if (from < 0) return 0
  const tail = text.slice(from)
  return MARKERS.some(marker => marker.startsWith(tail)) ? tail.length : 0
}

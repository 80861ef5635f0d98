import type { ModelRequest } from '../fakes/model-server.ts'

/** One thing that a model is told, whatever the wire; calls and results carry the ids of their provider. */
export type Said =
  | { kind: 'user' | 'assistant' | 'thinking'; text: string }
  | { kind: 'call'; id: string; name: string; text: string }
  | { kind: 'result'; id: string; text: string }

/** What a model sees of a conversation when it is asked. */
export interface Sight {
  request: ModelRequest
  system: string
  said: Said[]
  /** Results of the last answer's calls, in order. */
  results: string[]
  /** The only one, or the last of them. */
  result: string
}

export function sightOf(request: ModelRequest): Sight {
  const { system, said } = READERS[request.wire](request.body)
  const lastCall = said.findLastIndex(one => one.kind === 'call')
  const results = said.slice(lastCall + 1).flatMap(one => (one.kind === 'result' ? [one.text] : []))
  return { request, system, said, results, result: results.at(-1) ?? '' }
}

/**
 * What providers refuse: calls without their results right after them and in their order, results without a call, ids
 * that come twice, arguments that are no object.
 */
export function flawsOf({ said }: Sight): string[] {
  const flaws: string[] = []
  const calls = said.flatMap(one => (one.kind === 'call' ? [one.id] : []))
  if (new Set(calls).size < calls.length) flaws.push(`The ids of calls are not unique: ${calls}`)
  let open: string[] = []
  for (const [index, one] of said.entries()) {
    if (one.kind === 'call') {
      open.push(one.id)
      if (!/^\{.*\}$/s.test(one.text) || !isJson(one.text))
        flaws.push(`The arguments of ${one.id} are no object: ${one.text}`)
    } else if (one.kind === 'result') {
      const expected = open.shift()
      if (one.id !== expected) flaws.push(`At ${index} stands the result of ${one.id} instead of ${expected}`)
    } else if (open.length > 0) flaws.push(`At ${index} the ${one.kind} speaks before ${open} are answered`)
    if (said[index + 1]?.kind !== 'result' && one.kind === 'result' && open.length > 0) {
      flaws.push(`After ${index} ${open} are left without a result`)
      open = []
    }
  }
  if (open.length > 0) flaws.push(`${open} have no result`)
  if (said[0]?.kind !== 'user') flaws.push(`The first word is the ${said[0]?.kind}'s`)
  return flaws
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

// The bodies are other people's formats, each with parts of its own.
// biome-ignore lint/suspicious/noExplicitAny: what a test does not find there, it reports
type Body = any

const READERS: Record<ModelRequest['wire'], (body: Body) => { system: string; said: Said[] }> = {
  openai: body => ({
    system: textOf(body.messages.filter(isSystem).map((one: Body) => one.content)),
    said: body.messages.filter((one: Body) => !isSystem(one)).flatMap(fromChat),
  }),
  responses: body => ({
    system: textOf([body.instructions, ...body.input.filter(isSystem).map((one: Body) => one.content)]),
    said: body.input.filter((one: Body) => !isSystem(one)).map(fromItem),
  }),
  anthropic: body => ({
    system: textOf(body.system),
    said: body.messages.flatMap(({ role, content }: Body) => [content].flat().map(part => fromBlock(role, part))),
  }),
  gemini: body => ({ system: textOf(body.systemInstruction?.parts), said: fromContents(body.contents) }),
}

function isSystem({ role }: { role?: string }): boolean {
  return role === 'system' || role === 'developer'
}

function fromChat({ role, content, tool_calls = [], tool_call_id }: Body): Said[] {
  if (role === 'tool') return [{ kind: 'result', id: tool_call_id, text: textOf(content) }]
  const words: Said[] = content ? [{ kind: role, text: textOf(content) }] : []
  return [...words, ...tool_calls.map((call: Body) => asCall(call.id, call.function.name, call.function.arguments))]
}

function fromItem(item: Body): Said {
  if (item.type === 'function_call') return asCall(item.call_id, item.name, item.arguments)
  if (item.type === 'function_call_output') return { kind: 'result', id: item.call_id, text: textOf(item.output) }
  if (item.type === 'reasoning') return { kind: 'thinking', text: textOf(item.summary) }
  return { kind: item.role, text: textOf(item.content) }
}

function fromBlock(role: 'user' | 'assistant', part: Body): Said {
  if (part.type === 'tool_use') return asCall(part.id, part.name, JSON.stringify(part.input))
  if (part.type === 'tool_result') return { kind: 'result', id: part.tool_use_id, text: textOf(part.content) }
  if (part.type === 'thinking') return { kind: 'thinking', text: part.thinking }
  return { kind: role, text: textOf(part) }
}

/** Without ids: a result answers the call at its place. */
function fromContents(contents: Body[]): Said[] {
  let calls = 0
  let results = 0
  return contents.flatMap(({ role, parts }) =>
    parts.map((part: Body): Said => {
      if (part.functionCall) return asCall(`${calls++}`, part.functionCall.name, JSON.stringify(part.functionCall.args))
      if (part.functionResponse) {
        return { kind: 'result', id: `${results++}`, text: textOf(part.functionResponse.response?.content) }
      }
      return { kind: part.thought ? 'thinking' : role === 'model' ? 'assistant' : 'user', text: textOf(part) }
    }),
  )
}

function asCall(id: string, name: string, text: string): Said {
  return { kind: 'call', id, name, text }
}

function textOf(content: Body): string {
  if (content === undefined || content === null) return ''
  if (typeof content === 'string') return content
  if (Array.isArray(content)) return content.map(textOf).join('\n')
  return content.text ?? ''
}

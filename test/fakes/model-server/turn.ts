/** One answer of the scripted model, told once and spoken in each provider's own wire format. */
export interface Turn {
  text?: string
  reasoning?: string
  /** Proof of the reasoning: Anthropic's thinking signature, Gemini's thought signature. */
  signature?: string
  /** `arguments` as text goes out as it is, malformed or not (Gemini can only carry objects). */
  toolCalls?: ScriptedCall[]
  usage?: Partial<ScriptedUsage>
  /** US dollars, reported in a header as a LiteLLM proxy does; without it the cost is unknown, as on any own server. */
  cost?: number
  finish?: 'length' | 'content-filter'
  fault?: Fault
  /** Refused in these words, in the provider's own form. */
  refusal?: { status: number; message: string }
  /** Extra fields of a chunk's delta, as servers of the Chat Completions wire invent them. */
  extra?: object[]
  /** Seconds in the Retry-After header of a fault. */
  retryAfter?: number
  /** Answered with this and nothing else, as if it were an answer. */
  body?: object
  /** The answer comes whole, also where a stream was asked for. */
  unstreamed?: boolean
  delayMs?: number
  chunkDelayMs?: number
  /** The second half of a stream comes after it. */
  halfway?: Promise<unknown>
}

export interface ScriptedCall {
  name: string
  arguments: Record<string, unknown> | string
  id?: string
}

/** `input` counts all prompt tokens, cached ones included; `output` counts reasoning too. */
export interface ScriptedUsage {
  input: number
  output: number
  cacheRead: number
  cacheWrite: number
  reasoning: number
}

/** Answered with an error status and the provider's own error body. */
export const STATUS_FAULTS = [
  'authentication',
  'forbidden',
  'no-credit',
  'payment-required',
  'unknown-model',
  'rate-limit',
  'server-error',
  'overloaded',
  'context-overflow',
  'content-policy',
  'bad-request',
  'html',
] as const
export type StatusFault = (typeof STATUS_FAULTS)[number]

/**
 * `refused` drops the connection unanswered, `hang` never answers, `empty` finishes without content. The others send the
 * first half of the turn, then: `half-closed` ends the stream properly but too early, `disconnected` drops the connection,
 * `malformed` sends a frame that is no JSON, `error-frame` sends the provider's overload error, `hang-in-stream` goes silent.
 */
type StreamFault =
  | 'refused'
  | 'hang'
  | 'empty'
  | 'half-closed'
  | 'disconnected'
  | 'malformed'
  | 'error-frame'
  | 'hang-in-stream'

export type Fault = StatusFault | StreamFault

export type WireName = 'openai' | 'responses' | 'anthropic' | 'gemini'

/** What one provider's wire format looks like. */
export interface Wire {
  /** Complete server-sent frames, in order. */
  frames(turn: Turn, answer: Answer): string[]
  whole(turn: Turn, answer: Answer): unknown
  error(fault: StatusFault, context: { model: string; key: string }): { status: number; body: unknown }
  refused(status: number, message: string): unknown
  /** Sent in the middle of a stream. */
  errorFrame: string
}

export interface Answer {
  id: string
  model: string
}

const DEFAULT_USAGE: ScriptedUsage = { input: 100, output: 20, cacheRead: 0, cacheWrite: 0, reasoning: 0 }

export function usageOf(turn: Turn): ScriptedUsage {
  return { ...DEFAULT_USAGE, ...turn.usage }
}

export function callsOf(turn: Turn, answer: Answer): { id: string; name: string; arguments: string }[] {
  return (turn.toolCalls ?? []).map((call, index) => ({
    id: call.id ?? `call_${answer.id}_${index}`,
    name: call.name,
    arguments: typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments),
  }))
}

/** Cuts text into at least two pieces, so that clients have something to join, and into about a thousand at most. */
export function pieces(text: string | undefined): string[] {
  if (!text) return []
  const size = Math.max(1, Math.min(Math.max(12, Math.ceil(text.length / 1_000)), Math.ceil(text.length / 2)))
  const result: string[] = []
  for (let at = 0; at < text.length; at += size) result.push(text.slice(at, at + size))
  return result
}

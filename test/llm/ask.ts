import { z } from 'zod'
import { type CompleteOptions, createComplete } from '../../server/llm/answer/stream.ts'
import type {
  Complete,
  CompletionRequest,
  Fallback,
  ModelChoice,
  ModelMessage,
  Silence,
  ToolDefinition,
} from '../../server/llm/completion.ts'
import type { WireName } from '../fakes/model-server/turn.ts'
import type { ModelServer } from '../fakes/model-server.ts'
import { outbound } from '../parts/outbound.ts'

export const KEY = 'sk-test-0123456789abcdefSECRET'

/** A model name for each wire, all with a known price where they are not local. */
const MODELS: Record<WireName, string> = {
  openai: 'openai/gpt-5',
  responses: 'openai/gpt-5',
  anthropic: 'anthropic/claude-sonnet-4-6',
  gemini: 'gemini/gemini-2.5-flash',
}

export const WIRE_NAMES = ['openai', 'responses', 'anthropic', 'gemini'] as const

/** The Responses API is spoken with its public address alone, so ask with the server's own `fetch`. */
export function choiceFor(wire: WireName, server: ModelServer): ModelChoice {
  if (wire === 'responses') return { model: MODELS[wire], baseUrl: null, apiKey: KEY, namedBy: 'person' }
  return { model: MODELS[wire], baseUrl: server.url[wire], apiKey: KEY, namedBy: 'person' }
}

export const TERMINAL: ToolDefinition = {
  name: 'terminal',
  description: 'Runs a command.',
  parameters: z.object({
    command: z.string().describe('What to run'),
    timeout: z.number().optional(),
    paths: z.array(z.string()).optional(),
  }),
}

export interface Heard {
  text: string[]
  reasoning: string[]
  retries: { attempt: number; delayMs: number; reason: string }[]
  silences: (Silence | null)[]
  fallbacks: Fallback[]
}

export type AskingOptions = Partial<CompleteOptions> & { fetch?: typeof globalThis.fetch }

/** As the service asks. `fetch` may lead public addresses elsewhere. */
export function completeWith(
  choice: () => Promise<Omit<ModelChoice, 'namedBy'>>,
  { fetch, ...options }: AskingOptions = {},
): Complete {
  const calls = fetch ? { fetch: () => fetch, sleep: outbound.sleep } : outbound
  return createComplete(async () => ({ namedBy: 'person', ...(await choice()) }), { outbound: calls, ...options })
}

/** Asks the scripted model over a wire. */
export function modelOn(wire: WireName, server: ModelServer, options: AskingOptions = {}): Complete {
  return completeWith(
    async () => choiceFor(wire, server),
    wire === 'responses' ? { ...options, fetch: server.fetch } : options,
  )
}

/** A request, and what it reports on the way. */
export function ask(
  parts: { messages?: ModelMessage[]; signal?: AbortSignal; tools?: ToolDefinition[] } = {},
): CompletionRequest & { heard: Heard } {
  const heard: Heard = { text: [], reasoning: [], retries: [], silences: [], fallbacks: [] }
  return {
    system: 'You are the agent.',
    messages: parts.messages ?? [user('Fix the test.')],
    tools: parts.tools ?? [TERMINAL],
    signal: parts.signal ?? new AbortController().signal,
    onDelta: delta => {
      if (delta.text) heard.text.push(delta.text)
      if (delta.reasoning) heard.reasoning.push(delta.reasoning)
    },
    onVoid: () => {
      heard.text = []
      heard.reasoning = []
    },
    onRetry: ({ attempt, delayMs, reason }) => void heard.retries.push({ attempt, delayMs, reason }),
    onSilence: silence => void heard.silences.push(silence),
    onFallback: fallback => void heard.fallbacks.push(fallback),
    heard,
  }
}

export function user(text: string): ModelMessage {
  return { role: 'user', content: [{ type: 'text', text }] }
}

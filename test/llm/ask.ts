import { z } from 'zod'
import type {
  Complete,
  CompletionRequest,
  Fallback,
  ModelChoice,
  ModelMessage,
  ToolDefinition,
} from '../../server/llm/completion.ts'
import { type CompleteOptions, createComplete } from '../../server/llm/stream.ts'
import type { WireName } from '../fakes/model-server/turn.ts'
import type { ModelServer } from '../fakes/model-server.ts'

export const KEY = 'sk-test-0123456789abcdefSECRET'

/** A model name for each wire, all with a known price where they are not local. */
export const MODELS: Record<WireName, string> = {
  openai: 'openai/gpt-5',
  responses: 'openai/gpt-5',
  anthropic: 'anthropic/claude-sonnet-4-6',
  gemini: 'gemini/gemini-2.5-flash',
}

export const WIRE_NAMES = ['openai', 'responses', 'anthropic', 'gemini'] as const

/** The Responses API is spoken with its public address alone, so ask with the server's own `fetch`. */
export function choiceFor(wire: WireName, server: ModelServer): ModelChoice {
  if (wire === 'responses') return { model: MODELS[wire], baseUrl: null, apiKey: KEY }
  return { model: MODELS[wire], baseUrl: server.url[wire], apiKey: KEY }
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
  fallbacks: Fallback[]
}

/** Asks the scripted model over a wire. */
export function modelOn(wire: WireName, server: ModelServer, options: CompleteOptions = {}): Complete {
  return createComplete(
    async () => choiceFor(wire, server),
    wire === 'responses' ? { ...options, fetch: server.fetch } : options,
  )
}

/** A request, and what it reports on the way. */
export function ask(
  parts: { messages?: ModelMessage[]; signal?: AbortSignal; tools?: ToolDefinition[] } = {},
): CompletionRequest & { heard: Heard } {
  const heard: Heard = { text: [], reasoning: [], retries: [], fallbacks: [] }
  return {
    system: 'You are the agent.',
    messages: parts.messages ?? [user('Fix the test.')],
    tools: parts.tools ?? [TERMINAL],
    signal: parts.signal ?? new AbortController().signal,
    onDelta: delta => {
      if (delta.text) heard.text.push(delta.text)
      if (delta.reasoning) heard.reasoning.push(delta.reasoning)
    },
    onRetry: retry => void heard.retries.push(retry),
    onFallback: fallback => void heard.fallbacks.push(fallback),
    heard,
  }
}

export function user(text: string): ModelMessage {
  return { role: 'user', content: [{ type: 'text', text }] }
}

import type { z } from 'zod'
import type { TokenUsage } from '../api/event/metrics.ts'
import type { ModelOptions } from '../api/model-options.ts'
import type { NamedBy } from '../outbound/outbound.ts'

/** How a conversation's model is reached. The key is fetched per call and never stored here. */
export interface ModelChoice {
  /** LiteLLM-style name, `provider/model` */
  model: string
  baseUrl: string | null
  apiKey: string | null
  /** Who named the address: nobody but the person leads a call to this machine or its network. */
  namedBy: NamedBy
  /** How the model is asked; absent is as its provider has it. */
  options?: ModelOptions
  /** Headers of each request, which may carry keys. */
  headers?: Readonly<Record<string, string>>
}

/** The conversation as a model sees it. */
export type ModelMessage =
  | { role: 'user'; content: UserPart[] }
  | {
      role: 'assistant'
      text: string
      reasoning: ReasoningPart[]
      toolCalls: ToolCallPart[]
      /** As received in `Completion.providerMetadata`; sent back unchanged. */
      providerMetadata?: Record<string, unknown>
    }
  | { role: 'tool'; toolCallId: string; toolName: string; text: string; imageUrls: string[]; isError: boolean }

export type UserPart = { type: 'text'; text: string } | { type: 'image'; url: string }
export interface ReasoningPart {
  text: string
  signature?: string
}
export interface ToolCallPart {
  id: string
  name: string
  /** JSON text as the model wrote it; may be malformed */
  arguments: string
  /** Why the call is not carried out, for the model: its arguments were more than is taken. */
  refused?: string
}

export interface ToolDefinition {
  name: string
  description: string
  parameters: z.ZodObject
  /** A JSON schema that goes to the model in place of the one of `parameters`. */
  inputSchema?: Readonly<Record<string, unknown>>
}

export interface CompletionRequest {
  /** What stays the same for the whole conversation, so that providers can cache it. */
  system: string
  /** What may change between two answers (the date, skills, secrets' names); follows `system`. */
  dynamicSystem?: string
  messages: ModelMessage[]
  tools: readonly ToolDefinition[]
  signal: AbortSignal
  onDelta: (delta: { text?: string; reasoning?: string }) => void
  /** Called when a model is asked anew after `onDelta` has got something of an answer that broke off: that is void. */
  onVoid?: () => void
  /** Called before each wait of a retry, so that people see why nothing happens. `attempt` is the call that failed, from 1. */
  onRetry: (retry: Retry) => void
  /** Called when the model has been silent for a while, and with null when it speaks again or the call ends. */
  onSilence?: (silence: Silence | null) => void
  /** Called when the fallback model is asked in place of the chosen one. */
  onFallback?: (fallback: Fallback) => void
}

export interface Retry {
  attempt: number
  delayMs: number
  reason: string
  /** Ends the wait. */
  askNow: () => void
}

export interface Silence {
  /** When the model last gave a sign of life, in milliseconds since 1970. */
  since: number
  /** Ends the call, and asks again at once. */
  askNow: () => void
}

/** Names of models as in `ModelChoice`. */
export interface Fallback {
  from: string
  to: string
  reason: string
}

/** One answer. `usage.model` is who gave it, `cost` what that model takes: US dollars, null when the price is unknown. */
export interface Completion {
  responseId: string
  text: string
  reasoning: ReasoningPart[]
  toolCalls: ToolCallPart[]
  usage: TokenUsage
  cost: number | null
  latencyMs: number
  /** What the use is counted under when the answer is a step of the agent; absent is `default`. */
  usageId?: string
  /** `too-large`: the answer was broken off, because it was more than is taken; what was of use of it is here. */
  finishReason: 'stop' | 'tool-calls' | 'length' | 'content-filter' | 'too-large' | 'other'
  providerMetadata?: Record<string, unknown>
}

/**
 * Asks for the next answer, which may be empty when the model properly finished without saying anything. Rejects with
 * AppError `llm_*` (see errors.ts), or the signal's reason when aborted.
 * A model and a replayed trajectory are both of this type.
 */
export type Complete = (request: CompletionRequest) => Promise<Completion>

import type { Event, EventOf, NewEvent } from '../api/event/events.ts'
import type { ConversationStats } from '../api/event/metrics.ts'
import type { ConfirmationPolicy } from '../api/v1/conversation/confirmation.ts'
import type { AgentHooks } from '../domain/hooks.ts'
import type { Complete, Completion, CompletionRequest } from '../llm/completion.ts'
import type { Tool } from '../tools/tool.ts'
import type { Limit, Limits } from './limits.ts'
import type { Rating } from './risk.ts'
import type { RatedCall } from './risk-rating.ts'

/** Everything that a run needs; nothing here knows of HTTP, Docker or SQLite. */
export interface AgentRun {
  /** The conversation as it stands, without what was navigated away from; kept up to date while the run goes on. */
  events: readonly Event[]
  stats(): ConversationStats
  limits(): Limits
  /** Stores events, all or nothing, and with them the statistics when the model has answered. */
  record(events: NewEvent[], stats?: ConversationStats): void
  /** Asked for anew before each step: tool servers come and go. */
  tools(): readonly Tool[]
  complete: Complete
  /** `context` differs between conversations and stands after what is the same for all, which can be cached. */
  prompt: { fixed: string; context: string }
  /** Whether the calls that are open at the beginning were accepted by a person. */
  accepted: boolean
  confirmation(): { policy: ConfirmationPolicy; allowed: readonly string[] }
  /** How risky an action is; null when nobody rates. Never throws. */
  rate: ((call: RatedCall) => Rating) | null
  hooks: AgentHooks | null
  /** What skills say about the files that a call touched, for the model; null is nothing. */
  knowledgeFor(call: EventOf<'ActionEvent'>): { names: string[]; text: string } | null
  /** What the network of its sandbox has refused since the last question, and how it was changed, for the model; null is nothing. */
  networkNote?: (step: { hasFailed: boolean }) => Promise<string | null>
  /** Keeps what the files are, before the agent answers a person or after a step. Never rejects. */
  keepFiles?: (reason: 'turn' | 'step') => Promise<void>
  /** Whether to look for a model that goes in circles. */
  stuckDetection: boolean
  condenser: RunCondenser | null
  /** Looked at between steps. */
  pauseRequested(): boolean
  /** Aborting interrupts the model call and the running command. */
  signal: AbortSignal
  onDelta: CompletionRequest['onDelta']
  onVoid: NonNullable<CompletionRequest['onVoid']>
  onRetry: CompletionRequest['onRetry']
  onFallback: NonNullable<CompletionRequest['onFallback']>
  onSilence: NonNullable<CompletionRequest['onSilence']>
  onOutput(toolCallId: string, tail: string): void
}

/** Sums up what the model need not read word for word any more. */
export interface RunCondenser {
  /** What the use of the model for it is counted as. */
  usageId: string
  /**
   * @param force when the model refused the history as it is
   * @returns null when there is nothing to sum up (yet)
   */
  condense(
    events: readonly Event[],
    options: { force: boolean; stats: ConversationStats; signal: AbortSignal },
  ): Promise<{ event: NewEvent; completions: readonly Completion[] } | null>
}

export type RunOutcome =
  | { kind: 'finished' }
  | { kind: 'paused' }
  | { kind: 'interrupted' }
  /** A person has to accept or reject the open calls. */
  | { kind: 'waiting' }
  | { kind: 'stuck'; why: string }
  /** A hook of the repository has forbidden the end again and again. */
  | { kind: 'vetoed'; why: string }
  | { kind: 'limit'; limit: Limit }
  | { kind: 'failed'; error: unknown }

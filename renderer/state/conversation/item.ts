import type { EventOf } from '../../../server/api/event/events.ts'
import type { ModelFallback } from './fallback.ts'

interface Base {
  /** Stable for as long as the item is shown. */
  readonly key: string
  /** Sequence number of the event that began it. */
  readonly seq: number
  readonly at: string
}

export interface MessageItem extends Base {
  readonly kind: 'message'
  readonly author: 'user' | 'agent' | 'environment'
  readonly text: string
  readonly images: readonly string[]
  /** True for the message with which the agent finished. */
  readonly final: boolean
  /** The event after which the conversation can go on from here; null inside of a step. */
  readonly eventId: string | null
  /** Skills of the repository or the user that it brought in. */
  readonly skills: readonly string[]
  /** What skills and hooks added to it for the model. */
  readonly added: string
}

/** What the model thought: reasoning, or a note through the think tool. */
export interface ThoughtItem extends Base {
  readonly kind: 'thought'
  readonly text: string
}

export type Outcome =
  | { state: 'queued' | 'running' }
  | { state: 'ok' | 'error'; event: EventOf<'ObservationEvent'>; seconds: number }
  /** `stopped`: the person stopped the agent while the call was under way. */
  | { state: 'failed' | 'stopped'; event: EventOf<'AgentErrorEvent'>; seconds: number }
  | { state: 'rejected'; event: EventOf<'UserRejectObservation'>; seconds: number }

export interface ActionItem extends Base {
  readonly kind: 'action'
  readonly event: EventOf<'ActionEvent'>
  readonly outcome: Outcome
}

/** Consecutive reads and searches, folded into one line; always two or more. */
export interface ReadsItem extends Base {
  readonly kind: 'reads'
  readonly actions: readonly ActionItem[]
}

/** The conversation itself stopped: a limit, the model, an internal fault. */
export interface ProblemItem extends Base {
  readonly kind: 'problem'
  readonly event: EventOf<'ConversationErrorEvent'>
}

export interface NoteItem extends Base {
  readonly kind: 'note'
  readonly note: 'paused' | 'interrupted' | 'stuck' | 'condense_asked' | 'engine_away' | 'engine_back'
}

/** An error that answers a call which is not in the loaded part of the log. */
interface StrayErrorItem extends Base {
  readonly kind: 'stray_error'
  readonly event: EventOf<'AgentErrorEvent'>
}

/** Events that are not loaded between two that are. */
export interface GapItem extends Base {
  readonly kind: 'gap'
  readonly count: number
}

export interface HookItem extends Base {
  readonly kind: 'hook'
  readonly event: EventOf<'HookExecutionEvent'>
}

/** The model sees a summary in the place of earlier steps from here on. */
export interface CondensationItem extends Base {
  readonly kind: 'condensation'
  readonly event: EventOf<'Condensation'>
}

/** Another model answers from here on. */
export interface FallbackItem extends Base {
  readonly kind: 'fallback'
  readonly fallback: ModelFallback
}

/** The person went to another point of the log. */
export interface NavigationItem extends Base {
  readonly kind: 'navigation'
  readonly direction: 'back' | 'forward'
  /** The event that was the last one before; null where that is not loaded. Going there undoes it. */
  readonly from: string | null
}

/** A part of the log that the conversation does not go on from: the person went back to before it. */
export interface AsideItem extends Base {
  readonly kind: 'aside'
  readonly items: readonly Item[]
  /** Its last event: going there takes it up again. */
  readonly lastEventId: string
}

/** An event of a kind that this window does not know. */
interface UnknownItem extends Base {
  readonly kind: 'unknown'
  readonly name: string
}

export type Item =
  | MessageItem
  | ThoughtItem
  | ActionItem
  | ReadsItem
  | ProblemItem
  | NoteItem
  | StrayErrorItem
  | GapItem
  | HookItem
  | CondensationItem
  | FallbackItem
  | NavigationItem
  | AsideItem
  | UnknownItem

import { replaceEqualDeep } from '@tanstack/react-query'
import { type Event, type ExecutionStatus, executionStatus } from '../../../server/api/event/events.ts'
import type { AnswerSoFarEvent, EventFrame, FullStateEvent } from '../../../server/api/event/frames.ts'
import { type ConversationStats, conversationStats } from '../../../server/api/event/metrics.ts'
import { endsAnswer } from '../../../server/api/event/streamed-answer.ts'
import type { Item } from './item.ts'
import { extendItems, itemsOf } from './items.ts'

/**
 * One conversation as the window shows it. INVARIANTS: `events` ascends by `seq` and has no sequence number twice;
 * everything else follows from `events`, the newest `full_state` and the transient frames, so pages and live frames
 * may come in any order and more than once.
 */
export interface Conversation {
  readonly events: readonly Event[]
  readonly items: readonly Item[]
  /** Cursor of the page before the oldest event; null at the beginning, undefined until a page has come. */
  readonly olderPage: string | null | undefined
  readonly full: FullStateEvent['value'] | null
  /** Newest sequence number that the socket has delivered, or was asked to deliver from. */
  readonly liveSeq: number
  readonly stream: Stream | null
  /** When the model last gave a sign of life; null while it does. */
  readonly silentSince: string | null
  /** The last lines of running commands, by tool call. */
  readonly tails: Readonly<Record<string, string>>
  readonly serverError: { code: string; detail: string } | null
}

/** The model's answer as it comes. `afterSeq` is where the log stood; `cut` when its beginning was missed. */
export interface Stream {
  readonly afterSeq: number
  readonly text: string
  readonly reasoning: string
  readonly cut: boolean
}

export type Input =
  | { kind: 'page'; items: readonly Event[]; nextPage: string | null }
  | { kind: 'resumed'; afterSeq: number }
  | { kind: 'frame'; frame: EventFrame }
  | { kind: 'error_dismissed' }

export const EMPTY_CONVERSATION: Conversation = {
  events: [],
  items: [],
  olderPage: undefined,
  full: null,
  liveSeq: -1,
  stream: null,
  silentSince: null,
  tails: {},
  serverError: null,
}

/** Takes a batch, because the items are derived once for all of it. */
export function advance(before: Conversation, inputs: readonly Input[]): Conversation {
  const after = inputs.reduce(take, before)
  const settled = after.events === before.events && after.stream === before.stream ? after : settle(after)
  if (settled.events === before.events) return settled
  const grown = isGrown(before.events, settled.events)
  return { ...settled, items: grown ? extendItems(before.items, settled.events) : again(before.items, settled.events) }
}

/** Derived anew, with the items that are as they were as the same objects: who shows them is not rendered for older ones. */
function again(before: readonly Item[], events: readonly Event[]): readonly Item[] {
  const known = new Map(before.map(item => [item.key, item]))
  return itemsOf(events).map(item => replaceEqualDeep(known.get(item.key), item))
}

/** Both ascend and no event ever leaves, so the old last one in its old place means that all before it are the same. */
function isGrown(before: readonly Event[], after: readonly Event[]): boolean {
  return before.length > 0 && after[before.length - 1] === before.at(-1)
}

function take(state: Conversation, input: Input): Conversation {
  switch (input.kind) {
    case 'page':
      return takePage(state, input)
    case 'resumed':
      return { ...state, liveSeq: input.afterSeq, stream: state.stream && { ...state.stream, cut: true } }
    case 'frame':
      return takeFrame(state, input.frame)
    case 'error_dismissed':
      return { ...state, serverError: null }
  }
}

function takePage(state: Conversation, { items, nextPage }: Extract<Input, { kind: 'page' }>): Conversation {
  const events = merge(state.events, items)
  const oldest = items.reduce((least, event) => Math.min(least, event.seq), Number.POSITIVE_INFINITY)
  const reachesBack = state.olderPage === undefined || oldest <= (state.events[0]?.seq ?? oldest)
  return { ...state, events, olderPage: reachesBack ? nextPage : state.olderPage }
}

function takeFrame(state: Conversation, frame: EventFrame): Conversation {
  if ('seq' in frame)
    return {
      ...state,
      events: merge(state.events, [frame]),
      liveSeq: Math.max(state.liveSeq, frame.seq),
      silentSince: null,
    }
  switch (frame.kind) {
    case 'StreamingDeltaEvent':
      return { ...state, stream: extend(state, frame.content ?? '', frame.reasoning_content ?? ''), silentSince: null }
    case 'AnswerSoFarEvent':
      return { ...state, stream: wholeStream(state, frame), silentSince: null }
    case 'OutputDeltaEvent':
      return { ...state, tails: { ...state.tails, [frame.tool_call_id]: frame.tail } }
    case 'ModelSilenceEvent':
      return { ...state, silentSince: frame.since }
    case 'ConversationStateUpdateEvent':
      return { ...state, full: frame.value }
    case 'ServerErrorEvent':
      return { ...state, serverError: { code: frame.code, detail: frame.detail } }
  }
}

function extend(state: Conversation, text: string, reasoning: string): Stream {
  const running = runningStream(state)
  if (!running) return { afterSeq: state.liveSeq, text, reasoning, cut: false }
  return { ...running, text: running.text + text, reasoning: running.reasoning + reasoning }
}

function wholeStream(state: Conversation, { content, reasoning_content }: AnswerSoFarEvent): Stream {
  const { afterSeq } = runningStream(state) ?? { afterSeq: state.liveSeq }
  return { afterSeq, text: content, reasoning: reasoning_content, cut: false }
}

/** What comes is of another answer once that one was stored. */
function runningStream({ events, stream }: Conversation): Stream | null {
  return stream && !isReplaced(stream, events) ? stream : null
}

/** Drops what stored events have replaced. */
function settle(state: Conversation): Conversation {
  const stream = runningStream(state)
  const open = Object.keys(state.tails)
  if (open.length === 0) return { ...state, stream }
  const answered = new Set(
    state.events.flatMap(event =>
      'tool_call_id' in event && event.kind !== 'ActionEvent' ? [event.tool_call_id] : [],
    ),
  )
  if (!open.some(id => answered.has(id))) return { ...state, stream }
  const tails = Object.fromEntries(Object.entries(state.tails).filter(([id]) => !answered.has(id)))
  return { ...state, stream, tails }
}

function isReplaced(stream: Stream, events: readonly Event[]): boolean {
  for (let index = events.length - 1; index >= 0; index -= 1) {
    const event = events[index]
    if (!event || event.seq <= stream.afterSeq) return false
    if (endsAnswer(event)) return true
  }
  return false
}

/** Appending is the usual case and copies once; anything else is sorted in. The one already there wins. */
function merge(known: readonly Event[], incoming: readonly Event[]): readonly Event[] {
  const newest = known.at(-1)?.seq ?? -1
  const only = incoming[0]
  if (incoming.length === 1 && only && only.seq > newest) return [...known, only]
  const bySeq = new Map(known.map(event => [event.seq, event]))
  for (const event of incoming) if (!bySeq.has(event.seq)) bySeq.set(event.seq, event)
  if (bySeq.size === known.length) return known
  return [...bySeq.values()].sort((a, b) => a.seq - b.seq)
}

// ---- what follows from the log and the newest full state

export function newestSeq({ events }: Conversation): number {
  return events.at(-1)?.seq ?? -1
}

export function hasOlder({ events, olderPage }: Conversation): boolean {
  return olderPage !== null && (events[0]?.seq ?? 0) > 0
}

export function statusOf(state: Conversation): ExecutionStatus | null {
  return newestField(state, 'execution_status', executionStatus) ?? state.full?.execution_status ?? null
}

export function statsOf(state: Conversation): ConversationStats | null {
  return newestField(state, 'stats', conversationStats) ?? state.full?.stats ?? null
}

interface Schema<Value> {
  safeParse(value: unknown): { success: true; data: Value } | { success: false }
}

/** The newest stored update of a field, where it is newer than the full state. */
function newestField<Value>({ events, full }: Conversation, key: string, schema: Schema<Value>): Value | null {
  for (let index = events.length - 1; index >= 0; index -= 1) {
    const event = events[index]
    if (!event || event.seq <= (full?.last_seq ?? -1)) return null
    if (event.kind !== 'ConversationStateUpdateEvent' || event.key !== key) continue
    const parsed = schema.safeParse(event.value)
    if (parsed.success) return parsed.data
  }
  return null
}

/** Tells one run from the next: where its newest change of status stands in the log. */
export function runSeqOf({ events }: Conversation): number {
  return (
    events.findLast(event => event.kind === 'ConversationStateUpdateEvent' && event.key === 'execution_status')?.seq ??
    -1
  )
}

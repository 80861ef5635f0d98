import type { Content } from '../../server/api/content.ts'
import type { Event, EventOf } from '../../server/api/events.ts'

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
}

/** What the model thought: reasoning, or a note through the think tool. */
export interface ThoughtItem extends Base {
  readonly kind: 'thought'
  readonly text: string
}

export type Outcome =
  | { state: 'queued' | 'running' }
  | { state: 'ok' | 'error'; event: EventOf<'ObservationEvent'>; seconds: number }
  | { state: 'failed'; event: EventOf<'AgentErrorEvent'>; seconds: number }
  | { state: 'rejected'; event: EventOf<'UserRejectObservation'>; seconds: number }

export interface ActionItem extends Base {
  readonly kind: 'action'
  readonly event: EventOf<'ActionEvent'>
  readonly outcome: Outcome
}

/** Consecutive reads, folded into one line; always two or more. */
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
  readonly note: 'paused' | 'interrupted' | 'stuck'
}

/** An error that answers a call which is not in the loaded part of the log. */
export interface StrayErrorItem extends Base {
  readonly kind: 'stray_error'
  readonly event: EventOf<'AgentErrorEvent'>
}

/** Events that are not loaded between two that are. */
export interface GapItem extends Base {
  readonly kind: 'gap'
  readonly count: number
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

type Answer = EventOf<'ObservationEvent' | 'UserRejectObservation' | 'AgentErrorEvent'>

/** @param events ascending by `seq`, each once */
export function itemsOf(events: readonly Event[]): readonly Item[] {
  return derive(events, events)
}

/**
 * The items of a log that has grown at its end, without looking at all of it again.
 * @param items those of the log before
 * @param events the whole log now
 */
export function extendItems(items: readonly Item[], events: readonly Event[]): readonly Item[] {
  const settled = settledCount(items)
  const start = items[settled]?.seq
  if (settled === 0 || start === undefined) return itemsOf(events)
  const tail = events.slice(events.findLastIndex(event => event.seq < start) + 1)
  return [...items.slice(0, settled), ...derive(tail, events)]
}

/** How many items from the first on no later event can change: it may answer an open call or join the last reads. */
function settledCount(items: readonly Item[]): number {
  const open = items.findIndex(item => item.kind === 'action' && isOpen(item.outcome))
  let count = open < 0 ? items.length - 1 : open
  while (count > 0 && dependsOnNext(items[count - 1], items[count])) count -= 1
  return Math.max(0, count)
}

function isOpen({ state }: Outcome): boolean {
  return state === 'running' || state === 'queued'
}

function dependsOnNext(item: Item | undefined, next: Item | undefined): boolean {
  if (!item || !next) return false
  return item.seq === next.seq || next.kind === 'gap' || item.kind === 'reads' || isRead(item)
}

/** @param tail the events to derive from, @param log all events, where the call of an answer is looked for */
function derive(tail: readonly Event[], log: readonly Event[]): readonly Item[] {
  const calls = new Set<string>()
  const answers = new Map<string, Answer>()
  for (const event of tail) {
    if (event.kind === 'ActionEvent') calls.add(event.tool_call_id)
    else if (isAnswer(event)) answers.set(event.tool_call_id, event)
  }
  const isKnown = (id: string) =>
    calls.has(id) || log.some(event => event.kind === 'ActionEvent' && event.tool_call_id === id)
  const items: Item[] = []
  let expected = tail[0]?.seq ?? 0
  let running = false
  for (const event of tail) {
    if (event.seq > expected) items.push(gapItem(expected, event))
    expected = event.seq + 1
    if (event.kind === 'AgentErrorEvent' && isKnown(event.tool_call_id)) continue
    for (const item of itemsOfEvent(event, answers, running)) {
      running ||= item.kind === 'action' && item.outcome.state === 'running'
      items.push(item)
    }
  }
  return foldReads(items)
}

function gapItem(expected: number, { seq, timestamp }: Event): GapItem {
  return { kind: 'gap', key: `gap-${expected}`, seq: expected, at: timestamp, count: seq - expected }
}

function isAnswer(event: Event): event is Answer {
  return event.kind === 'ObservationEvent' || event.kind === 'UserRejectObservation' || event.kind === 'AgentErrorEvent'
}

function itemsOfEvent(event: Event, answers: ReadonlyMap<string, Answer>, running: boolean): Item[] {
  const base = { key: event.id, seq: event.seq, at: event.timestamp }
  switch (event.kind) {
    case 'MessageEvent':
      return messageItems(event)
    case 'ActionEvent':
      return actionItems(event, outcomeOf(event, answers.get(event.tool_call_id), running))
    case 'AgentErrorEvent':
      return [{ kind: 'stray_error', ...base, event }]
    case 'ConversationErrorEvent':
      return [{ kind: 'problem', ...base, event }]
    case 'PauseEvent':
      return [{ kind: 'note', ...base, note: 'paused' }]
    case 'InterruptEvent':
      return [{ kind: 'note', ...base, note: 'interrupted' }]
    case 'ConversationStateUpdateEvent':
      return event.key === 'execution_status' && event.value === 'stuck'
        ? [{ kind: 'note', ...base, note: 'stuck' }]
        : []
    case 'ObservationEvent':
    case 'UserRejectObservation':
    case 'SystemPromptEvent':
    case 'Condensation':
    case 'CondensationRequest':
    case 'HookExecutionEvent':
      return []
  }
}

function messageItems(event: EventOf<'MessageEvent'>): Item[] {
  const author = event.source === 'user' || event.source === 'agent' ? event.source : 'environment'
  const { text, images } = splitContent(event.llm_message.content)
  if (text === '' && images.length === 0) return []
  return [{ kind: 'message', key: event.id, seq: event.seq, at: event.timestamp, author, text, images, final: false }]
}

function actionItems(event: EventOf<'ActionEvent'>, outcome: Outcome): Item[] {
  const base = { seq: event.seq, at: event.timestamp }
  const prose = event.thought.map(({ text }) => text).join('\n\n')
  const thinking = event.reasoning_content ?? event.thinking_blocks.map(block => block.thinking).join('\n\n')
  const said = { ...base, kind: 'message', author: 'agent', images: [] } as const
  const items: Item[] = []
  if (thinking.trim()) items.push({ ...base, kind: 'thought', key: `${event.id}-reasoning`, text: thinking.trim() })
  if (prose.trim()) items.push({ ...said, key: `${event.id}-thought`, text: prose.trim(), final: false })
  const done = outcome.state === 'ok'
  if (event.action?.kind === 'ThinkAction' && done)
    items.push({ ...base, kind: 'thought', key: event.id, text: event.action.thought })
  else if (event.action?.kind === 'FinishAction' && done)
    items.push({ ...said, key: event.id, text: event.action.message, final: true })
  else items.push({ ...base, kind: 'action', key: event.id, event, outcome })
  return items
}

/** Calls of one answer are carried out in order: the first without an answer runs, those after it wait. */
function outcomeOf(action: EventOf<'ActionEvent'>, answer: Answer | undefined, running: boolean): Outcome {
  if (!answer) return { state: running ? 'queued' : 'running' }
  const seconds = Math.max(0, (Date.parse(answer.timestamp) - Date.parse(action.timestamp)) / 1000)
  if (answer.kind === 'AgentErrorEvent') return { state: 'failed', event: answer, seconds }
  if (answer.kind === 'UserRejectObservation') return { state: 'rejected', event: answer, seconds }
  const { observation } = answer
  const exitedBadly = observation.kind === 'TerminalObservation' && observation.exit_code > 0
  return { state: observation.is_error || exitedBadly ? 'error' : 'ok', event: answer, seconds }
}

/** A read that failed stays on a line of its own, so that it can open by itself. */
function foldReads(items: readonly Item[]): readonly Item[] {
  const folded: Item[] = []
  for (const item of items) {
    const last = folded.at(-1)
    if (!isRead(item) || !last) folded.push(item)
    else if (last.kind === 'reads') folded[folded.length - 1] = { ...last, actions: [...last.actions, item] }
    else if (isRead(last))
      folded[folded.length - 1] = { kind: 'reads', key: last.key, seq: last.seq, at: last.at, actions: [last, item] }
    else folded.push(item)
  }
  return folded
}

function isRead(item: Item): item is ActionItem {
  if (item.kind !== 'action') return false
  const { action } = item.event
  return action?.kind === 'FileEditorAction' && action.command === 'view' && item.outcome.state === 'ok'
}

/** The text and the pictures of a message or an observation. */
export function splitContent(content: readonly Content[]): { text: string; images: string[] } {
  return {
    text: content.flatMap(part => (part.type === 'text' ? [part.text] : [])).join('\n'),
    images: content.flatMap(part => (part.type === 'image' ? part.image_urls : [])),
  }
}

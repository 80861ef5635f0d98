import { isResult, OpenCalls, type Result } from '../../../server/api/event/calls.ts'
import type { Content } from '../../../server/api/event/content.ts'
import type { Event, EventOf } from '../../../server/api/event/events.ts'
import { branchOf, isStep, type Step } from './branch.ts'
import { fallbackOf, isAlreadyShown } from './fallback.ts'
import type { ActionItem, AsideItem, GapItem, Item, NavigationItem, Outcome } from './item.ts'

/** An answer, and when the run began that carried the call out: what waited for a person's word took no longer. */
interface Answered {
  event: Result
  runs: number
  stopped: boolean
}

/** @param events ascending by `seq`, each once */
export function itemsOf(events: readonly Event[]): readonly Item[] {
  const branch = branchOf(events)
  if (!branch) return derive(events, events)
  const { aside, steps } = branch
  const active = events.filter(({ seq }) => !aside.has(seq))
  const items = [...derive(active, active, aside), ...asideItems(events, aside), ...steps.map(navigationItem)]
  return items.sort((a, b) => a.seq - b.seq)
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
  // Going elsewhere in the log changes what came before it, and a stop the errors before it.
  if (tail.some(event => isStep(event) || event.kind === 'InterruptEvent')) return itemsOf(events)
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

/**
 * @param tail the events to derive from
 * @param log all events, where the call of an answer is looked for
 * @param aside what is missing in both on purpose
 */
function derive(tail: readonly Event[], log: readonly Event[], aside?: ReadonlySet<number>): readonly Item[] {
  const calls = new Set<string>()
  const open = new OpenCalls()
  /** By the event of the call: providers repeat their ids. */
  const answers = new Map<string, Answered>()
  const stopped = errorsOfStops(tail)
  let runs = Number.NEGATIVE_INFINITY
  for (const event of tail) {
    if (event.kind === 'ActionEvent') {
      calls.add(event.tool_call_id)
      open.add(event)
    } else if (isResult(event)) {
      const call = open.take(event) ?? takeFromElsewhere(open, event, log)
      if (call) answers.set(call.id, { event, runs, stopped: stopped.has(event.id) })
    } else if (beginsRun(event)) runs = Date.parse(event.timestamp)
  }
  const isKnown = (id: string) =>
    calls.has(id) || log.some(event => event.kind === 'ActionEvent' && event.tool_call_id === id)
  const items: Item[] = []
  let expected = tail[0]?.seq ?? 0
  let running = false
  for (const event of tail) {
    const gap = event.seq > expected && gapItem(expected, event, aside)
    if (gap) items.push(gap)
    expected = event.seq + 1
    if (event.kind === 'AgentErrorEvent' && isKnown(event.tool_call_id)) continue
    for (const item of itemsOfEvent(event, { answers, running, log })) {
      if (isRepeatedText(item, items.at(-1))) continue
      running ||= item.kind === 'action' && item.outcome.state === 'running'
      items.push(item)
    }
  }
  return groupReads(items)
}

/** The ids of the errors with which a stop ended the calls that were under way: they stand right before it. */
function errorsOfStops(events: readonly Event[]): ReadonlySet<string> {
  const found = new Set<string>()
  for (const [index, stop] of events.entries()) {
    if (stop.kind !== 'InterruptEvent') continue
    const earliest = Date.parse(stop.timestamp) - MAX_STOP_MS
    for (let place = index - 1; place >= 0; place -= 1) {
      const event = events[place]
      if (event?.kind !== 'AgentErrorEvent' || Date.parse(event.timestamp) < earliest) break
      found.add(event.id)
    }
  }
  return found
}

/** Both are stored at once; an older error is one of the tool itself. */
const MAX_STOP_MS = 1000

/** That the agent is stuck, after the problem that says so and why. */
function isRepeatedText(item: Item, previous: Item | undefined): boolean {
  return item.kind === 'note' && item.note === 'stuck' && previous?.kind === 'problem'
}

function gapItem(expected: number, { seq, timestamp }: Event, aside?: ReadonlySet<number>): GapItem | null {
  let count = 0
  for (let missing = expected; missing < seq; missing += 1) if (!aside?.has(missing)) count += 1
  return count === 0 ? null : { kind: 'gap', key: `gap-${expected}`, seq: expected, at: timestamp, count }
}

/** Each run of events that are set aside, as one item; one in which nothing is to be seen is left out. */
function asideItems(events: readonly Event[], aside: ReadonlySet<number>): AsideItem[] {
  const runs: Event[][] = []
  for (const [place, event] of events.entries()) {
    if (!aside.has(event.seq)) continue
    const previous = events[place - 1]
    if (previous && aside.has(previous.seq)) runs.at(-1)?.push(event)
    else runs.push([event])
  }
  return runs.flatMap(run => {
    const items = derive(run, run)
    const [first, last] = [run[0], run.at(-1)]
    if (!first || !last || items.length === 0) return []
    const { id, seq, timestamp } = first
    return [{ kind: 'aside', key: `aside-${id}`, seq, at: timestamp, items, lastEventId: last.id }]
  })
}

function navigationItem({ event, direction, from }: Step): NavigationItem {
  return { kind: 'navigation', key: event.id, seq: event.seq, at: event.timestamp, direction, from }
}

function beginsRun(event: Event): boolean {
  return event.kind === 'ConversationStateUpdateEvent' && event.key === 'execution_status' && event.value === 'running'
}

/** In a log that another program wrote, a result can name no event of ours; then the provider's id is all that there is. */
function takeFromElsewhere(open: OpenCalls, result: Result, log: readonly Event[]) {
  const isOurs = result.kind === 'AgentErrorEvent' || log.some(({ id }) => id === result.action_id)
  return isOurs ? undefined : open.takeByProviderId(result.tool_call_id)
}

interface Known {
  answers: ReadonlyMap<string, Answered>
  /** Whether an earlier call of the log is being carried out. */
  running: boolean
  log: readonly Event[]
}

function itemsOfEvent(event: Event, { answers, running, log }: Known): Item[] {
  const base = { key: event.id, seq: event.seq, at: event.timestamp }
  switch (event.kind) {
    case 'MessageEvent':
      return messageItems(event)
    case 'ActionEvent':
      return actionItems(event, outcomeOf(event, answers.get(event.id), running))
    case 'AgentErrorEvent':
      return [{ kind: 'stray_error', ...base, event }]
    case 'ConversationErrorEvent':
      return [{ kind: 'problem', ...base, event }]
    case 'PauseEvent':
      return [{ kind: 'note', ...base, note: 'paused' }]
    case 'InterruptEvent':
      return [{ kind: 'note', ...base, note: 'interrupted' }]
    case 'ConversationStateUpdateEvent':
      return stateItems(event, log)
    case 'Condensation':
      return [{ kind: 'condensation', ...base, event }]
    case 'CondensationRequest':
      return [{ kind: 'note', ...base, note: 'condense_asked' }]
    case 'HookExecutionEvent':
      return [{ kind: 'hook', ...base, event }]
    case 'ObservationEvent':
    case 'UserRejectObservation':
    case 'SystemPromptEvent':
      return []
    default:
      return [unknownItem(event)]
  }
}

/** At run time there can be kinds that this window was not built with. */
function unknownItem(event: never): Item {
  const { id, seq, timestamp, kind }: Pick<Event, 'id' | 'seq' | 'timestamp'> & { kind: string } = event
  return { kind: 'unknown', key: id, seq, at: timestamp, name: kind }
}

function stateItems(event: EventOf<'ConversationStateUpdateEvent'>, log: readonly Event[]): Item[] {
  const base = { key: event.id, seq: event.seq, at: event.timestamp }
  if (event.key === 'execution_status' && event.value === 'stuck') return [{ kind: 'note', ...base, note: 'stuck' }]
  const engine = event.key === 'engine' ? Object(event.value).state : null
  if (engine === 'away') return [{ kind: 'note', ...base, note: 'engine_away' }]
  if (engine === 'back') return [{ kind: 'note', ...base, note: 'engine_back' }]
  const fallback = fallbackOf(event)
  return fallback && !isAlreadyShown(event, log) ? [{ kind: 'fallback', ...base, fallback }] : []
}

function messageItems(event: EventOf<'MessageEvent'>): Item[] {
  const author = event.source === 'user' || event.source === 'agent' ? event.source : 'environment'
  const { text, images } = splitContent(event.llm_message.content)
  if (text === '' && images.length === 0) return []
  const added = splitContent(event.extended_content).text
  const base = { kind: 'message', key: event.id, seq: event.seq, at: event.timestamp } as const
  const skills = event.activated_skills
  return [{ ...base, author, text, images, final: false, eventId: event.id, skills, added }]
}

function actionItems(event: EventOf<'ActionEvent'>, outcome: Outcome): Item[] {
  const base = { seq: event.seq, at: event.timestamp }
  const prose = event.thought.map(({ text }) => text).join('\n\n')
  const thinking = event.reasoning_content ?? event.thinking_blocks.map(block => block.thinking).join('\n\n')
  const said = { ...base, kind: 'message', author: 'agent', images: [], skills: [], added: '' } as const
  const items: Item[] = []
  if (thinking.trim()) items.push({ ...base, kind: 'thought', key: `${event.id}-reasoning`, text: thinking.trim() })
  if (prose.trim()) items.push({ ...said, key: `${event.id}-thought`, text: prose.trim(), final: false, eventId: null })
  const done = outcome.state === 'ok'
  if (event.action?.kind === 'ThinkAction' && done)
    items.push({ ...base, kind: 'thought', key: event.id, text: event.action.thought })
  else if (event.action?.kind === 'FinishAction' && done)
    items.push({ ...said, key: event.id, text: event.action.message, final: true, eventId: answerId(outcome) })
  else items.push({ ...base, kind: 'action', key: event.id, event, outcome })
  return items
}

function answerId(outcome: Outcome): string | null {
  return 'event' in outcome ? outcome.event.id : null
}

/** Calls of one answer are carried out in order: the first without an answer runs, those after it wait. */
function outcomeOf(action: EventOf<'ActionEvent'>, answered: Answered | undefined, running: boolean): Outcome {
  if (!answered) return { state: running ? 'queued' : 'running' }
  const { event: answer, runs, stopped } = answered
  const began = Math.max(Date.parse(action.timestamp), runs)
  const seconds = Math.max(0, (Date.parse(answer.timestamp) - began) / 1000)
  if (answer.kind === 'AgentErrorEvent') return { state: stopped ? 'stopped' : 'failed', event: answer, seconds }
  if (answer.kind === 'UserRejectObservation') return { state: 'rejected', event: answer, seconds }
  const { observation } = answer
  const exitedBadly = observation.kind === 'TerminalObservation' && observation.exit_code > 0
  return { state: observation.is_error || exitedBadly ? 'error' : 'ok', event: answer, seconds }
}

/** A read that failed stays on a line of its own, so that it can open by itself. */
function groupReads(items: readonly Item[]): readonly Item[] {
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
  if (item.outcome.state !== 'ok') return false
  if (action?.kind === 'FileEditorAction') return action.command === 'view'
  return action?.kind === 'GrepAction' || action?.kind === 'GlobAction'
}

/** The text and the pictures of a message or an observation. */
export function splitContent(content: readonly Content[]): { text: string; images: string[] } {
  return {
    text: content.flatMap(part => (part.type === 'text' ? [part.text] : [])).join('\n'),
    images: content.flatMap(part => (part.type === 'image' ? part.image_urls : [])),
  }
}

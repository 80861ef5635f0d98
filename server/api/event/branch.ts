import { type Call, isResult, OpenCalls, type Result } from './calls.ts'
import type { Event, EventOf } from './events.ts'

/** The key of the state update that says after which event a conversation goes on; null is its beginning. */
export const LEAF_KEY = 'leaf_event_id'

/**
 * What the conversation consists of now: the path from its beginning to its head. The log itself only grows; a state
 * update with the key `leaf_event_id` moves the head, so that what follows goes on from there.
 *
 * INVARIANTS: the events keep the order of the log; without navigation they are the whole log; state updates are left
 * out, because they tell of the conversation and are not part of it; a call and its result are never separated:
 * - A head within the calls and results of an answer that are all there moves to the last of them, because what was
 *   carried out has happened. If a result is missing it moves to before the answer, whose calls cannot be answered
 *   any more.
 * - A result that comes after its call was left belongs to its call, not to the head.
 * - A head that is unknown changes nothing, and neither does one that is the head already.
 */
export function activeBranch(events: readonly Event[]): Event[] {
  return treeOf(events).activeBranch()
}

/** null is the beginning. */
type Position = Node | null

interface Node {
  event: Event
  before: Position
  answer: Answer | null
}

/** The calls of a model's answer, their results, and what was said before the last of these came. */
interface Answer {
  before: Position
  last: Position
  /** Ids of the calls without a result. */
  open: Set<string>
}

export function treeOf(events: readonly Event[], options?: { isPartial: boolean }): ConversationTree {
  const tree = new ConversationTree(options)
  for (const event of events) tree.add(event)
  return tree
}

/** Every branch of a conversation. It is built event by event in the order of the log, in time in proportion to it. */
export class ConversationTree {
  readonly #unknown: null | undefined
  #head: Position = null
  /** The answer that is being carried out at the head. */
  #current: Answer | null = null
  readonly #positions = new Map<string, Position>()
  readonly #calls = new OpenCalls()
  readonly #answers = new Map<string, Answer>()

  /** @param isPartial the log's beginning is not there: a head that is unknown lies in it, before all that is there */
  constructor({ isPartial = false } = {}) {
    this.#unknown = isPartial ? null : undefined
  }

  add(event: Event): void {
    if (event.kind === 'ConversationStateUpdateEvent') this.#noteState(event)
    else if (isResult(event)) this.#addResult(event)
    else if (event.kind === 'ActionEvent') this.#addCall(event)
    else this.#append(event, this.#current && this.#current.open.size > 0 ? this.#current : null)
  }

  activeBranch(): Event[] {
    return this.#path(this.#head)
  }

  /** The path to an event instead of the head, wherever that event lies. @returns null when it is not in the log */
  branchTo(eventId: string | null): Event[] | null {
    const target = this.#locate(eventId)
    return target === undefined ? null : this.#path(target)
  }

  /** Id of the event after which the conversation goes on, null at its beginning. */
  leaf(): string | null {
    return this.#head?.event.id ?? null
  }

  /** Where the conversation goes on after that event; undefined when it is unknown. */
  #locate(eventId: string | null): Position | undefined {
    if (eventId === null) return null
    const position = this.#positions.has(eventId) ? this.#positions.get(eventId) : this.#unknown
    if (!position?.answer || position === this.#head) return position
    return position.answer.open.size === 0 ? position.answer.last : position.answer.before
  }

  #path(to: Position): Event[] {
    const path: Event[] = []
    for (let node = to; node; node = node.before) path.push(node.event)
    return path.reverse()
  }

  #noteState(event: EventOf<'ConversationStateUpdateEvent'>): void {
    const target = event.key === LEAF_KEY ? this.#locate(leafValue(event.value)) : undefined
    if (target !== undefined && target !== this.#head) {
      this.#head = target
      this.#current = null
    }
    this.#positions.set(event.id, this.#head)
  }

  #addCall(call: Call): void {
    if (!this.#current || this.#current.open.size === 0) {
      this.#current = { before: this.#head, last: null, open: new Set() }
    }
    this.#current.open.add(call.id)
    this.#answers.set(call.id, this.#current)
    this.#calls.add(call)
    this.#append(call, this.#current)
  }

  #addResult(result: Result): void {
    const call = this.#calls.take(result)
    const answer = (call && this.#answers.get(call.id)) ?? null
    if (call) answer?.open.delete(call.id)
    if (!answer || answer === this.#current) this.#append(result, answer)
    else this.#hang(result, answer.last, answer)
  }

  #append(event: Event, answer: Answer | null): void {
    this.#head = this.#hang(event, this.#head, answer)
  }

  #hang(event: Event, before: Position, answer: Answer | null): Node {
    const node = { event, before, answer }
    if (answer) answer.last = node
    this.#positions.set(event.id, node)
    return node
  }
}

/** No event has an empty id. */
function leafValue(value: unknown): string | null {
  return typeof value === 'string' || value === null ? value : ''
}

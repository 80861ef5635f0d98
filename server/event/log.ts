import { setImmediate as nextTurn } from 'node:timers/promises'
import { ConversationTree } from '../api/event/branch.ts'
import type { Event, NewEvent } from '../api/event/events.ts'
import type { TransientEvent } from '../api/event/frames.ts'
import { Slices } from '../async/slices.ts'
import { AppError } from '../domain/errors.ts'
import { type ConversationId, newEventId } from '../domain/ids.ts'
import { assertBatchFits } from '../paging/fitting.ts'
import type { Database } from '../store/database/database.ts'
import type { EventFilter, EventTable, StoredEvent } from '../store/events.ts'
import { maskEvent } from './masked-event.ts'
import { RunningOutput } from './running-output.ts'

/** What a subscriber gets: the event as JSON text, ready to send; `seq` is undefined for a transient one. */
export interface Publication {
  seq: number | undefined
  body: string
}

/** The active branch of one conversation, kept up to date until closed. */
export interface FollowedBranch {
  readonly events: readonly Event[]
  close(): void
}
export type EventListener = (publication: Publication) => void

/** How a subscriber takes a backlog of more than one page. */
export interface BacklogOptions {
  /** Awaited between two pages: a slow reader holds back its own backlog. */
  ready(): Promise<void>
  /** Called once when the rest of the backlog cannot be read; nothing more comes. */
  onError(error: unknown): void
}

/** Events that are read at once; each costs some 30 µs to parse. */
const PAGE = 200
/** What is sent of a backlog before the reader is asked whether it can take more. */
const PAGE_CHARACTERS = 1024 * 1024

/** Events at the end of a log, among them the whole last answer. */
const TAIL_EVENTS = 1000

const EACH_PAGE_IN_A_TURN: BacklogOptions = { ready: () => nextTurn(), onError: () => {} }

/**
 * The append-only log of each conversation.
 *
 * INVARIANTS: sequence numbers are dense from 0; an event is committed before any listener sees it; listeners see
 * events in the order of their numbers.
 */
export class EventLog {
  readonly #database: Database
  readonly #events: EventTable
  readonly #hide: (text: string) => string
  readonly #lastSeq = new Map<ConversationId, number>()
  readonly #listeners = new Map<ConversationId, Set<EventListener>>()
  readonly #followers = new Map<ConversationId, Set<Event[]>>()
  readonly #output = new RunningOutput()
  /** Called with the conversation after something was stored there. Must not throw, and takes no time. */
  onStored: (conversationId: ConversationId) => void = () => {}

  /** @param hide takes secret values out of what is said, before it is stored */
  constructor(database: Database, events: EventTable, hide: (text: string) => string = text => text) {
    this.#database = database
    this.#events = events
    this.#hide = hide
  }

  append(conversationId: ConversationId, event: NewEvent): Event {
    const [stored] = this.appendAll(conversationId, [event])
    if (!stored) throw new AppError('internal', 'The event was not stored.')
    return stored
  }

  /** All or nothing; `alongside` is committed with them and gets the time of the append, also when there are no events. Published after the commit. */
  appendAll(conversationId: ConversationId, events: NewEvent[], alongside?: (at: string) => void): Event[] {
    const timestamp = new Date().toISOString()
    const named = events.map(event => ({ ...maskEvent(event, this.#hide), id: newEventId(), timestamp }))
    return this.#store(conversationId, named, () => alongside?.(timestamp))
  }

  /** Takes over events of another log, with their ids and times. All or nothing, and with them `alongside`. */
  copyAll(conversationId: ConversationId, events: readonly Event[], alongside: () => void): void {
    this.#store(conversationId, events, alongside)
  }

  /** The same for a long log, in slices: a process that dies leaves the first of them. */
  async copyInSlices(conversationId: ConversationId, events: readonly Event[]): Promise<void> {
    const slices = new Slices()
    for (let from = 0; from < events.length; from += PAGE) {
      this.#store(conversationId, events.slice(from, from + PAGE), () => {})
      if (slices.due()) await slices.turn()
    }
  }

  /** Takes over a piece of a log of another Atelier as it is, after what is there. All or nothing; no listener gets it. */
  takeOver(conversationId: ConversationId, events: readonly StoredEvent[]): void {
    const next = this.lastSeq(conversationId) + 1
    if (events[0] && events[0].seq !== next) throw new AppError('internal', 'The log has a gap.')
    this.#database.transaction(() => {
      for (const event of events) this.#events.insert(conversationId, event, event.body)
    })
    this.#lastSeq.set(conversationId, next + events.length - 1)
    this.onStored(conversationId)
  }

  #store(conversationId: ConversationId, events: readonly object[], alongside: () => void): Event[] {
    const first = this.lastSeq(conversationId) + 1
    // The log is what gives an event its missing fields.
    const stored = events.map((event, index) => ({ ...event, seq: first + index }) as Event)
    const bodies = stored.map(event => JSON.stringify(event))
    this.#database.transaction(() => {
      alongside()
      for (const [index, event] of stored.entries()) this.#events.insert(conversationId, event, bodies[index] ?? '')
    })
    this.#lastSeq.set(conversationId, first + stored.length - 1)
    this.onStored(conversationId)
    this.#output.settle(conversationId, stored)
    for (const follower of this.#followers.get(conversationId) ?? []) follower.push(...stored)
    for (const [index, event] of stored.entries()) {
      this.#deliver(conversationId, { seq: event.seq, body: bodies[index] ?? '' })
    }
    return stored
  }

  /** Sends without storing. Who joins later gets what still runs: an answer so far and the output of commands, and nothing else. */
  publishTransient(conversationId: ConversationId, event: TransientEvent): void {
    this.#output.keep(conversationId, event)
    if (!this.#listeners.has(conversationId)) return
    this.#deliver(conversationId, { seq: undefined, body: JSON.stringify(event) })
  }

  /** -1 when there is none. */
  lastSeq(conversationId: ConversationId): number {
    const known = this.#lastSeq.get(conversationId)
    if (known !== undefined) return known
    const last = this.#events.lastSeq(conversationId)
    this.#lastSeq.set(conversationId, last)
    return last
  }

  /** In one turn of the event loop: for parts of a log. */
  read(conversationId: ConversationId, fromSeq: number, limit: number): Event[] {
    return this.#events.read(conversationId, fromSeq, limit)
  }

  /** Where calls without a result are: those of the last answer, since little is stored while they wait. */
  readEnd(conversationId: ConversationId): Event[] {
    return this.read(conversationId, Math.max(0, this.lastSeq(conversationId) + 1 - TAIL_EVENTS), TAIL_EVENTS)
  }

  /** From a sequence number to the end, which is reached in the turn in which the last page comes. */
  async *pages(conversationId: ConversationId, fromSeq = 0): AsyncGenerator<Event[], void> {
    const slices = new Slices()
    for (let from = fromSeq; ; from += PAGE) {
      const page = this.read(conversationId, from, PAGE)
      yield page
      if (page.length < PAGE) return
      if (slices.due()) await slices.turn()
    }
  }

  /**
   * The whole log as a tree, built in slices. `use` is called in the turn of the last one: nothing can have been
   * appended since.
   */
  async readTree<T>(conversationId: ConversationId, use: (tree: ConversationTree) => T): Promise<T> {
    const slices = new Slices()
    const tree = new ConversationTree()
    for (let from = 0; ; from += PAGE) {
      const page = this.read(conversationId, from, PAGE)
      for (const event of page) tree.add(event)
      if (page.length < PAGE) return use(tree)
      if (slices.due()) await slices.turn()
    }
  }

  /** Those from one number to another that tell of skills, hooks and the answers of models. */
  telling(conversationId: ConversationId, fromSeq: number, toSeq: number): Event[] {
    return this.#events.telling(conversationId, fromSeq, toSeq)
  }

  /** Of any conversation, in the order of the ids; null for unknown ones. @throws AppError too_large */
  batch(ids: readonly string[]): (Event | null)[] {
    assertBatchFits(ids, this.#events.bytesOf(ids))
    const found = new Map(this.#events.anywhere(ids).map(event => [event.id, event]))
    return ids.map(id => found.get(id) ?? null)
  }

  /** Unknown ids are left out. @throws AppError too_large */
  byIds(conversationId: ConversationId, ids: readonly string[]): Event[] {
    assertBatchFits(ids, this.#events.bytesOf(ids))
    return this.#events.byIds(conversationId, ids)
  }

  /** A page in either direction; `next` is the event that the next page starts with, named by its number as `pageId`. */
  search(
    conversationId: ConversationId,
    filter: EventFilter,
    page: { order: 'ASC' | 'DESC'; pageId: string | null | undefined; limit: number },
  ): { items: Event[]; next: { id: string; pageId: string } | null } {
    const fromSeq = page.pageId && /^\d{1,15}$/.test(page.pageId) ? Number(page.pageId) : undefined
    const { events, next } = this.#events.search(conversationId, filter, { ...page, fromSeq })
    return { items: events, next: next && { id: next.id, pageId: String(next.seq) } }
  }

  count(conversationId: ConversationId, filter: EventFilter): number {
    return this.#events.count(conversationId, filter)
  }

  /**
   * Calls the listener with every stored event from `fromSeq` on, then with what has come of an answer and of each command
   * that runs, then with live ones: no gap, no duplicate. The first page comes before this returns. The last page is read and the
   * listener joined in one turn of the event loop, so nothing can be appended between them.
   */
  subscribe(
    conversationId: ConversationId,
    fromSeq: number,
    listener: EventListener,
    { ready, onError }: BacklogOptions = EACH_PAGE_IN_A_TURN,
  ): () => void {
    let closed = false
    let leave = () => {}
    /** @returns where the next page begins; null when there is none and the listener has joined */
    const sendPage = (from: number): number | null => {
      const page = this.#events.readBodies(conversationId, from, PAGE)
      let characters = 0
      for (const publication of page) {
        if (characters > PAGE_CHARACTERS) return publication.seq
        listener(publication)
        characters += publication.body.length
      }
      if (page.length === PAGE) return from + PAGE
      for (const event of this.#output.of(conversationId)) listener({ seq: undefined, body: JSON.stringify(event) })
      leave = this.#join(conversationId, listener)
      return null
    }
    const sendRest = async (first: number) => {
      for (let from: number | null = first; from !== null && !closed; ) {
        await ready()
        from = closed ? null : sendPage(from)
      }
    }
    const next = sendPage(fromSeq)
    if (next !== null) sendRest(next).catch(onError)
    return () => {
      closed = true
      leave()
    }
  }

  #join(conversationId: ConversationId, listener: EventListener): () => void {
    const listeners = this.#listeners.get(conversationId) ?? new Set<EventListener>()
    this.#listeners.set(conversationId, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) this.#listeners.delete(conversationId)
    }
  }

  /** What the conversation consists of now; whatever is stored later is added to it. */
  async follow(conversationId: ConversationId): Promise<FollowedBranch> {
    return this.readTree(conversationId, tree => {
      const events = tree.activeBranch()
      const followers = this.#followers.get(conversationId) ?? new Set<Event[]>()
      this.#followers.set(conversationId, followers.add(events))
      const close = () => {
        followers.delete(events)
        if (followers.size === 0) this.#followers.delete(conversationId)
      }
      return { events, close }
    })
  }

  forget(conversationId: ConversationId): void {
    this.#lastSeq.delete(conversationId)
    this.#output.forget(conversationId)
  }

  #deliver(conversationId: ConversationId, publication: Publication): void {
    for (const listener of [...(this.#listeners.get(conversationId) ?? [])]) listener(publication)
  }
}

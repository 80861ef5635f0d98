import { documentsIn } from './documents.ts'
import type { Indexed, IndexFile, PlacedDocument } from './index-file.ts'
import type { IndexProgress } from './messages.ts'
import { headingOf, placeOf, type Source, type StoredConversation, type StoredEvent } from './source.ts'

/** Events that are read at once. */
const EVENTS_AT_ONCE = 200
/** A transaction takes about so long; others wait for it no longer. */
const STEP_MS = 40
/** A conversation that is new and longer than this was copied: what it says is no news. */
const MAX_NEW_EVENTS = 1000

/** `idle`: there is nothing to do until something changes. */
export type Step = 'news' | 'backlog' | 'idle'

/**
 * Keeps the index up to date with the database: what has changed first, then, from the newest to the oldest, what was
 * there before the index was. Each step is one transaction, which records how far it came: a process that dies loses
 * nothing but the step.
 *
 * INVARIANT: what is indexed of a conversation is one stretch of its log, which grows at both ends.
 */
export class Indexer {
  readonly #source: Source
  readonly #index: IndexFile
  /** In which something was stored, or that were changed. */
  readonly #changed = new Set<string>()
  /** Not looked at since the start; the next one is at the end. */
  readonly #unseen: string[]
  /** Whose beginning is not indexed yet; the next one is at the end. */
  readonly #incomplete: string[] = []
  readonly #removed = new Map<string, Indexed>()
  /** Length of each log, and how much of it is indexed. */
  readonly #extents = new Map<string, { length: number; indexed: number }>()

  constructor(source: Source, index: IndexFile) {
    this.#source = source
    this.#index = index
    this.#unseen = source.conversationIds().reverse()
    const present = new Set(this.#unseen)
    for (const one of index.conversations()) if (!present.has(one.id)) this.#removed.set(one.id, one)
  }

  note(conversations: readonly string[]): void {
    for (const id of conversations) this.#changed.add(id)
  }

  step(): Step {
    const until = performance.now() + STEP_MS
    const workOn = (work: () => boolean) => {
      this.#index.transaction(() => {
        while (work() && performance.now() < until);
      })
    }
    if (this.#changed.size > 0 || this.#unseen.length > 0) {
      workOn(() => this.#lookAtNext())
      return 'news'
    }
    if (this.#removed.size > 0) {
      workOn(() => this.#removeNext())
      return 'backlog'
    }
    if (this.#incomplete.length > 0) {
      workOn(() => this.#extendNext())
      return 'backlog'
    }
    return 'idle'
  }

  progress(): Omit<IndexProgress, 'problem'> {
    let [indexed, total] = [0, 0]
    for (const extent of this.#extents.values()) {
      indexed += extent.indexed
      total += extent.length
    }
    return { indexed, total }
  }

  /** @returns whether there is another one */
  #lookAtNext(): boolean {
    const [changed] = this.#changed
    const id = changed ?? this.#unseen.pop()
    if (id === undefined) return false
    const isComplete = this.#lookAt(id)
    if (isComplete) this.#changed.delete(id)
    else this.#changed.add(id)
    return true
  }

  /** @returns whether its end is indexed */
  #lookAt(id: string): boolean {
    const conversation = this.#source.conversations([id]).get(id)
    const known = this.#removed.has(id) ? undefined : this.#index.conversation(id)
    if (!conversation) {
      if (known) this.#remove(known)
      return true
    }
    // It comes again once nothing of it is left.
    if (this.#removed.has(id)) return true
    if (known && this.#isOther(known, conversation)) {
      this.#remove(known)
      return true
    }
    const length = this.#source.length(id)
    const indexed = known ?? this.#add(conversation, length)
    const heading = headingOf(conversation)
    if (indexed.heading !== heading) this.#index.setHeading(indexed, heading)
    return this.#extendUp(indexed, length)
  }

  #add(conversation: StoredConversation, length: number): Indexed {
    const isNew = this.#unseen.length === 0 && length <= MAX_NEW_EVENTS
    return this.#index.addConversation(conversation.id, placeOf(conversation), isNew ? 0 : length)
  }

  /** The log is not the one that was indexed, as after a backup was restored, or the conversation is of another place. */
  #isOther(known: Indexed, conversation: StoredConversation): boolean {
    if (this.#index.placeOf(known) !== placeOf(conversation)) return true
    return known.lastEvent !== null && this.#source.idAt(known.id, known.high - 1) !== known.lastEvent
  }

  #extendUp(indexed: Indexed, length: number): boolean {
    const events = this.#source.events(indexed.id, indexed.high, Math.min(length, indexed.high + EVENTS_AT_ONCE))
    const high = indexed.high + events.length
    this.#index.add('up', indexed, events.flatMap(placed))
    const extended = { ...indexed, high, lastEvent: events.at(-1)?.id ?? indexed.lastEvent }
    if (events.length > 0) this.#index.setExtent(extended)
    if (!this.#extents.has(indexed.id) && indexed.low > 0) this.#incomplete.unshift(indexed.id)
    this.#extents.set(indexed.id, { length, indexed: high - indexed.low })
    return events.length === 0 || high >= length
  }

  /** @returns whether there is another one */
  #extendNext(): boolean {
    const id = this.#incomplete.at(-1)
    const indexed = id === undefined ? undefined : this.#index.conversation(id)
    if (!indexed || indexed.low === 0 || this.#removed.has(indexed.id)) {
      this.#incomplete.pop()
      return this.#incomplete.length > 0
    }
    const low = Math.max(0, indexed.low - EVENTS_AT_ONCE)
    const events = this.#source.events(indexed.id, low, indexed.low)
    this.#index.add('down', indexed, events.flatMap(placed))
    const lastEvent = indexed.lastEvent ?? events.at(-1)?.id ?? null
    this.#index.setExtent({ ...indexed, low, lastEvent })
    const extent = this.#extents.get(indexed.id)
    if (extent) this.#extents.set(indexed.id, { ...extent, indexed: indexed.high - low })
    return true
  }

  #remove(indexed: Indexed): void {
    this.#removed.set(indexed.id, indexed)
    this.#extents.delete(indexed.id)
  }

  /** @returns whether there is more to remove */
  #removeNext(): boolean {
    const [next] = this.#removed.values()
    if (!next) return false
    if (!this.#index.removeSome(next)) {
      this.#removed.delete(next.id)
      // Where it is still there, it is indexed anew.
      this.#unseen.push(next.id)
    }
    return this.#removed.size > 0
  }
}

function placed({ seq, at, body }: StoredEvent): PlacedDocument[] {
  return documentsIn(body).map(document => ({ ...document, seq, at }))
}

import { searchConversationEvents } from '../../../server/api/v1/conversation/event-routes.ts'
import type { Client } from '../../../server/client/client.ts'
import type { EventSocket, EventSocketOptions, EventSocketState } from '../../../server/client/event-socket.ts'
import {
  advance,
  type Conversation,
  EMPTY_CONVERSATION,
  hasOlder,
  type Input,
  newestSeq,
  type Stream,
} from './conversation.ts'
import { pauseBefore } from './pace.ts'

type History =
  | { kind: 'loading' | 'ready' | 'loading_older' }
  /** On the way back to an event: how many of the events up to it are there. */
  | { kind: 'loading_back'; loaded: number; wanted: number }
  /** `first`: nothing is shown yet. `older`: what is loaded stays. */
  | { kind: 'failed'; part: 'first' | 'older'; error: unknown }

export interface FeedSnapshot {
  readonly conversation: Conversation
  readonly history: History
  readonly socket: EventSocketState
}

export interface FeedOptions {
  conversationId: string
  client: Client
  openSocket(options: Pick<EventSocketOptions, 'afterSeq' | 'onResumed' | 'onFrame' | 'onState'>): EventSocket
  /** Calls back once, no sooner than so many milliseconds after the last time. Returns how to call it off. */
  schedule(flush: () => void, pauseMs: number): () => void
  /** What an earlier feed of the conversation had; the socket goes on from there. */
  initial?: Conversation | undefined
  onClosed?(last: Conversation): void
}

const FIRST_PAGE = 60
const OLDER_PAGE = 100
const BACK_PAGE = 100

/**
 * One conversation's events, as a store for `useSyncExternalStore`. It works while it has a subscriber: the newest page
 * first, then the socket from the newest event on; older pages when asked.
 */
export class ConversationFeed {
  readonly #options: FeedOptions
  readonly #watchers = new Set<() => void>()
  readonly #streamWatchers = new Set<() => void>()
  /** As it is; the snapshot has the text of an answer as it was when anything else changed. */
  #conversation: Conversation
  #snapshot: FeedSnapshot
  #pending: Input[] = []
  #flushing: { readonly pauseMs: number; readonly callOff: () => void } | undefined
  #socket: EventSocket | undefined
  #life = new AbortController()

  constructor(options: FeedOptions) {
    this.#options = options
    const conversation = options.initial ?? EMPTY_CONVERSATION
    this.#conversation = conversation
    this.#snapshot = { conversation, history: { kind: 'loading' }, socket: { kind: 'connecting' } }
  }

  /** Not another one for each piece of an answer: that is in `stream`. */
  readonly snapshot = (): FeedSnapshot => this.#snapshot

  readonly stream = (): Stream | null => this.#conversation.stream

  readonly subscribeToStream = (watcher: () => void): (() => void) => {
    this.#streamWatchers.add(watcher)
    return () => this.#streamWatchers.delete(watcher)
  }

  readonly subscribe = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher)
    if (this.#watchers.size === 1) this.#start()
    return () => {
      this.#watchers.delete(watcher)
      if (this.#watchers.size === 0) this.#stop()
    }
  }

  /** After the first page failed, or the service had refused. */
  readonly retry = (): void => {
    this.#stop()
    if (this.#watchers.size > 0) this.#start()
  }

  readonly dismissError = (): void => this.#push({ kind: 'error_dismissed' })

  /** One page further back; nothing when one is on its way or the beginning is reached. */
  readonly loadOlder = async (): Promise<void> => {
    const { conversation, history } = this.#snapshot
    if (isBusy(history) || !hasOlder(conversation)) return
    this.#update({ history: { kind: 'loading_older' } })
    await this.#loadPage(conversation.olderPage ?? null, 'older')
  }

  /** Everything back to the beginning, page by page. */
  readonly loadAll = async (): Promise<void> => {
    const { signal } = this.#life
    while (!signal.aborted && hasOlder(this.#snapshot.conversation)) {
      await this.loadOlder()
      if (this.#snapshot.history.kind !== 'ready') return
    }
  }

  /**
   * Everything back to an event, which is shown once all of it is there: one page after the other would be laid out anew
   * each time. What came before it was given up is kept.
   * @returns whether the event is there
   */
  readonly loadBackTo = async (seq: number, given: AbortSignal): Promise<boolean> => {
    const signal = AbortSignal.any([given, this.#life.signal])
    const pages: Input[] = []
    await this.#idle(signal)
    const { conversation } = this.#snapshot
    const first = conversation.events[0]?.seq ?? 0
    let oldest = first
    let pageId = conversation.olderPage ?? null
    if (oldest <= seq || !hasOlder(conversation)) return oldest <= seq
    try {
      while (oldest > seq && !signal.aborted) {
        this.#update({ history: { kind: 'loading_back', loaded: first - oldest, wanted: first - seq } })
        const { items, next_page_id } = await this.#fetchPage(pageId, BACK_PAGE, signal)
        pages.push({ kind: 'page', items, nextPage: next_page_id })
        oldest = items.at(-1)?.seq ?? 0
        pageId = next_page_id
        if (pageId === null) break
      }
      this.#update({ conversation: advance(this.#conversation, pages), history: { kind: 'ready' } })
    } catch (error) {
      const failed: History = signal.aborted ? { kind: 'ready' } : { kind: 'failed', part: 'older', error }
      this.#update({ conversation: advance(this.#conversation, pages), history: failed })
    }
    return oldest <= seq
  }

  /** Until no page is on its way. */
  async #idle(signal: AbortSignal): Promise<void> {
    while (isBusy(this.#snapshot.history) && !signal.aborted) {
      await new Promise<void>(resolve => {
        const leave = this.#watch(() => {
          leave()
          resolve()
        })
        signal.addEventListener('abort', () => resolve(), { once: true })
      })
    }
  }

  #watch(watcher: () => void): () => void {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  #start(): void {
    this.#life = new AbortController()
    if (newestSeq(this.#snapshot.conversation) >= 0) {
      this.#update({ history: { kind: 'ready' } })
      this.#follow()
    } else void this.#begin()
  }

  async #begin(): Promise<void> {
    this.#update({ history: { kind: 'loading' } })
    if (await this.#loadPage(null, 'first')) this.#follow()
  }

  #follow(): void {
    this.#socket = this.#options.openSocket({
      afterSeq: newestSeq(this.#snapshot.conversation),
      onResumed: afterSeq => this.#push({ kind: 'resumed', afterSeq }),
      onFrame: frame => this.#push({ kind: 'frame', frame }),
      onState: socket => this.#update({ socket }),
    })
  }

  /** @returns whether the page came and is still wanted */
  async #loadPage(pageId: string | null, part: 'first' | 'older'): Promise<boolean> {
    const { signal } = this.#life
    try {
      const { items, next_page_id } = await this.#fetchPage(pageId, part === 'first' ? FIRST_PAGE : OLDER_PAGE, signal)
      if (signal.aborted) return false
      const conversation = advance(this.#conversation, [{ kind: 'page', items, nextPage: next_page_id }])
      this.#update({ conversation, history: { kind: 'ready' } })
      return true
    } catch (error) {
      if (!signal.aborted) this.#update({ history: { kind: 'failed', part, error } })
      return false
    }
  }

  #fetchPage(page_id: string | null, limit: number, signal: AbortSignal) {
    const { client, conversationId } = this.#options
    return client.call(searchConversationEvents, {
      params: { conversation_id: conversationId },
      query: { sort_order: 'TIMESTAMP_DESC', limit, page_id },
      signal,
    })
  }

  /** Frames of one moment are taken together, so that a burst renders once. */
  #push(input: Input): void {
    this.#pending.push(input)
    const pauseMs = pauseBefore(input, this.#conversation.stream?.text.length ?? 0)
    if (this.#flushing && this.#flushing.pauseMs <= pauseMs) return
    this.#flushing?.callOff()
    this.#flushing = { pauseMs, callOff: this.#options.schedule(this.#flush, pauseMs) }
  }

  readonly #flush = (): void => {
    this.#flushing = undefined
    const inputs = this.#pending
    this.#pending = []
    if (inputs.length > 0) this.#update({ conversation: advance(this.#conversation, inputs) })
  }

  #update(change: Partial<FeedSnapshot>): void {
    const { conversation = this.#conversation } = change
    const before = this.#snapshot
    const isText =
      change.history === undefined && change.socket === undefined && isOnlyText(before.conversation, conversation)
    this.#conversation = conversation
    if (!isText) {
      this.#snapshot = { ...before, ...change, conversation }
      for (const watcher of this.#watchers) watcher()
    }
    for (const watcher of this.#streamWatchers) watcher()
  }

  #stop(): void {
    this.#life.abort()
    this.#socket?.close()
    this.#socket = undefined
    this.#flushing?.callOff()
    this.#flush()
    this.#options.onClosed?.(this.#conversation)
  }
}

/** Whether an answer has become longer, and nothing else is another. */
function isOnlyText({ stream: begun, ...before }: Conversation, { stream, ...after }: Conversation): boolean {
  if (!begun?.text || !stream) return false
  return Object.entries(before).every(([name, value]) => after[name as keyof typeof after] === value)
}

function isBusy({ kind }: History): boolean {
  return kind === 'loading' || kind === 'loading_older' || kind === 'loading_back'
}

import { type Event, event as eventSchema } from '../api/events.ts'
import type { LegacyEvent } from '../api/legacy-events.ts'
import type { Bus } from '../bus.ts'
import { AppError } from '../errors.ts'
import { isNull, LegacyView, legacyPieces } from '../event/legacy.ts'
import type { EventLog } from '../event/log.ts'
import type { ConversationId } from '../ids.ts'
import type { Connections } from './connections.ts'
import { statusOfFailure } from './legacy-failures.ts'
import { legacyConversationId } from './legacy-id.ts'
import { START_STATUS } from './legacy-info.ts'
import type { ConversationService } from './service.ts'
import type { StartTasks } from './start.ts'

/** What is sent beside events. */
export type StatusFrame =
  | { status_update: true; type: 'info' | 'error'; id: string; message: string }
  | { status_update: true; type: 'info'; message: string; conversation_title: string }
/** Said when a session is closed: it is in no log, so it has no id and no time. */
export interface StoppedFrame {
  observation: 'agent_state_changed'
  content: string
  extras: { agent_state: 'stopped'; reason: string }
  message: string
}
export type LegacyFrame = LegacyEvent | StatusFrame | StoppedFrame

export interface LegacyListener {
  /** Must not throw. */
  send(frame: LegacyFrame): void
  /** Awaited between the pieces of what is replayed: a slow reader holds back its own. */
  ready(): Promise<void>
  /** The conversation was stopped or deleted, will never come because its start failed, or cannot be read. */
  ended(): void
}

const MAX_SUBSCRIBERS = 50
const STOPPED: StoppedFrame = {
  observation: 'agent_state_changed',
  content: '',
  extras: { agent_state: 'stopped', reason: '' },
  message: '',
}

interface Dependencies {
  log: EventLog
  conversations: ConversationService
  tasks: StartTasks
  connections: Connections
  bus: Bus
}

/** A conversation as it goes on, for the legacy socket. */
export class LegacyStream {
  readonly #dependencies: Dependencies

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  /**
   * Sends what is stored after `latestEventId`, then what comes; a conversation that is starting first tells how far it
   * is. Returns what ends it. @throws AppError conversation_not_found, invalid_id,
   * too_many_requests
   */
  open(text: string, latestEventId: number, listener: LegacyListener): () => void {
    const { conversations, tasks, connections } = this.#dependencies
    const id = legacyConversationId(text)
    const starting = tasks.starting().some(({ conversationId }) => conversationId === id)
    if (!id) throw new AppError('conversation_not_found', 'There is no such conversation.')
    if (connections.count(id) >= MAX_SUBSCRIBERS) throw new AppError('too_many_requests', 'Too many subscribers')
    const closeStream =
      starting && !conversations.exists(id)
        ? this.#awaitStart(id, latestEventId, listener)
        : this.#follow(conversations.find(id).id, latestEventId, listener)
    const leave = connections.enter(id, () => {
      listener.send(STOPPED)
      listener.ended()
    })
    return () => {
      closeStream()
      leave()
    }
  }

  #awaitStart(id: ConversationId, latestEventId: number, listener: LegacyListener): () => void {
    const { conversations, tasks, bus } = this.#dependencies
    let told = ''
    let close = bus.subscribe(change => {
      if (change.resource === 'start-task') look()
    })
    const look = () => {
      const task = tasks.newestOf(id)
      if (!task) return
      if (task.status !== told) listener.send(startFrame(task.status, task.detail))
      told = task.status
      if (conversations.exists(id)) {
        close()
        close = this.#follow(id, latestEventId, listener)
      } else if (task.status === 'ERROR') {
        close()
        listener.ended()
      }
    }
    look()
    return () => close()
  }

  #follow(id: ConversationId, latestEventId: number, listener: LegacyListener): () => void {
    const { conversations, bus } = this.#dependencies
    const closing = new AbortController()
    this.#replayAndJoin(id, latestEventId, { listener, signal: closing.signal }).catch(() => listener.ended())
    const unwatch = bus.subscribe(change => {
      if (change.resource === 'conversation' && change.id === id && !conversations.exists(id)) listener.ended()
    })
    return () => {
      closing.abort()
      unwatch()
    }
  }

  /** States are history: of those that are replayed only the last one counts, after everything else. */
  async #replayAndJoin(id: ConversationId, latestEventId: number, subscriber: Subscriber): Promise<void> {
    const { listener, signal } = subscriber
    const view = new LegacyView()
    let lastState: LegacyEvent | undefined
    let next = 0
    for await (const piece of legacyPieces(this.#dependencies.log.pages(id))) {
      if (signal.aborted) return
      next += piece.length
      for (const event of view.push(piece)) {
        if (event.id <= latestEventId || isNull(event)) continue
        if (isState(event)) lastState = event
        else listener.send(event)
      }
      if (piece.length > 0) await listener.ready()
    }
    if (signal.aborted) return
    if (lastState) listener.send(lastState)
    this.#join(id, next, { ...subscriber, view })
  }

  #join(id: ConversationId, fromSeq: number, { listener, signal, view }: Subscriber & { view: LegacyView }): void {
    let pending: Event[] = []
    const flush = () => {
      const events = pending
      pending = []
      if (signal.aborted) return
      for (const [index, legacy] of view.push(events).entries()) {
        for (const frame of liveFrames(id, events[index], legacy)) listener.send(frame)
      }
    }
    // Events that were stored together arrive in one turn and are shown together: figures belong to their answer.
    const leave = this.#dependencies.log.subscribe(
      id,
      fromSeq,
      ({ seq, body }) => {
        if (seq === undefined) return
        if (pending.push(eventSchema.parse(JSON.parse(body))) === 1) queueMicrotask(flush)
      },
      { ready: listener.ready, onError: listener.ended },
    )
    signal.addEventListener('abort', leave)
  }
}

interface Subscriber {
  listener: LegacyListener
  /** Aborted when the listener leaves. */
  signal: AbortSignal
}

function isState(event: LegacyEvent): boolean {
  return 'observation' in event && event.observation === 'agent_state_changed'
}

/** What the environment says is for the log, but for these. */
const FROM_ENVIRONMENT = new Set(['run', 'agent_state_changed', 'recall', 'error'])

export function liveFrames(id: string, event: Event | undefined, legacy: LegacyEvent): LegacyFrame[] {
  if (event?.kind === 'ConversationStateUpdateEvent' && event.key === 'title' && typeof event.value === 'string') {
    return [{ status_update: true, type: 'info', message: id, conversation_title: event.value }]
  }
  if (event?.kind === 'ConversationErrorEvent') {
    const id = statusOfFailure(event.code)
    const told = { status_update: true, type: 'error', message: event.detail } as const
    return [...(id ? [{ ...told, id }] : []), { ...legacy, source: 'agent' }]
  }
  if (isNull(legacy)) return []
  if (legacy.source !== 'environment') return [legacy]
  if (!('observation' in legacy) || !FROM_ENVIRONMENT.has(legacy.observation)) return []
  return [{ ...legacy, source: 'agent' }]
}

function startFrame(status: keyof typeof START_STATUS, detail: string | null): StatusFrame {
  const type = status === 'ERROR' ? 'error' : 'info'
  return { status_update: true, type, id: START_STATUS[status], message: detail ?? status }
}

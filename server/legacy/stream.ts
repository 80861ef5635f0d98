import { type Event, event as eventSchema } from '../api/event/events.ts'
import type { AgentState, LegacyEvent } from '../api/legacy/events.ts'
import type { Bus } from '../bus.ts'
import { waitingCalls } from '../conversation/run/waiting-calls.ts'
import type { ConversationService } from '../conversation/service.ts'
import type { StartTasks } from '../conversation/start/tasks.ts'
import { AppError } from '../domain/errors.ts'
import type { ConversationId } from '../domain/ids.ts'
import type { EventLog } from '../event/log.ts'
import type { LegacyConversationTable } from '../store/conversation/legacy.ts'
import type { Connections } from './connections.ts'
import { isAwaiting, isNull, LegacyView, legacyPieces } from './event/convert.ts'
import { toAgentState } from './event/observations.ts'
import { statusOfFailure } from './failures.ts'
import { legacyConversationId } from './ids.ts'
import { START_STATUS } from './info.ts'

/** What is sent beside events. */
type StatusFrame =
  | { status_update: true; type: 'info' | 'error'; id: string; message: string }
  | { status_update: true; type: 'info'; message: string; conversation_title: string }
/** A state that is in no log, so it has no id and no time: at connect, while the sandbox starts, when a session is closed. */
interface StateFrame {
  observation: 'agent_state_changed'
  content: string
  extras: { agent_state: AgentState; reason: string }
  message: string
}
type LegacyFrame = LegacyEvent | StatusFrame | StateFrame

export interface LegacyListener {
  /** Must not throw. */
  send(frame: LegacyFrame): void
  /** Awaited between the pieces of what is replayed: a slow reader holds back its own. */
  ready(): Promise<void>
  /** The conversation was stopped or deleted, will never come because its start failed, or cannot be read. */
  ended(): void
}

const MAX_SUBSCRIBERS = 50
interface Dependencies {
  eventLog: EventLog
  conversations: ConversationService
  tasks: StartTasks
  connections: Connections
  created: Pick<LegacyConversationTable, 'nameOf'>
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
    if (connections.count(id) >= MAX_SUBSCRIBERS) throw new AppError('too_many_requests', 'Too many subscribers')
    const closeStream =
      starting && !conversations.exists(id)
        ? this.#awaitStart(id, latestEventId, listener)
        : this.#follow(conversations.find(id).id, latestEventId, listener)
    const leave = connections.enter(id, () => {
      listener.send(stateFrame('stopped'))
      listener.ended()
    })
    return () => {
      closeStream()
      leave()
    }
  }

  #awaitStart(id: ConversationId, latestEventId: number, listener: LegacyListener): () => void {
    const { conversations, tasks, bus } = this.#dependencies
    listener.send(stateFrame('loading'))
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

  /**
   * States are history: of those that are replayed only the last one counts, after everything else but the calls that
   * wait for confirmation. Where there is none, the current state is sent.
   */
  async #replayAndJoin(id: ConversationId, latestEventId: number, subscriber: Subscriber): Promise<void> {
    const { eventLog, conversations } = this.#dependencies
    const { listener, signal } = subscriber
    const view = new LegacyView()
    const waiting = waitingCalls(eventLog, conversations.find(id))
    const waitingActions: LegacyEvent[] = []
    let lastState: LegacyEvent | undefined
    let next = 0
    for await (const piece of legacyPieces(eventLog.pages(id))) {
      if (signal.aborted) return
      next += piece.length
      for (const event of view.push(piece, waiting)) {
        if (event.id <= latestEventId || isNull(event)) continue
        if (isState(event)) lastState = event
        else if (isAwaiting(event)) waitingActions.push(event)
        else listener.send(event)
      }
      if (piece.length > 0) await listener.ready()
    }
    if (signal.aborted) return
    listener.send(lastState ?? stateFrame(toAgentState(conversations.find(id).execution_status)))
    for (const action of waitingActions) listener.send(action)
    this.#join(id, next, { ...subscriber, view })
  }

  #join(id: ConversationId, fromSeq: number, { listener, signal, view }: Subscriber & { view: LegacyView }): void {
    const { eventLog, conversations, created } = this.#dependencies
    let pending: Event[] = []
    const flush = () => {
      const events = pending
      pending = []
      if (signal.aborted || !conversations.exists(id)) return
      const frames = view
        .push(events, waitingCalls(eventLog, conversations.find(id)))
        .flatMap((legacy, index) => liveFrames(created.nameOf(id), events[index], legacy))
      for (const frame of statesFirst(frames)) listener.send(frame)
    }
    // Events that are stored in one turn are shown together: figures belong to their answer, and calls that wait for
    // confirmation to the state that says so.
    const leave = eventLog.subscribe(
      id,
      fromSeq,
      ({ seq, body }) => {
        if (seq === undefined) return
        if (pending.push(eventSchema.parse(JSON.parse(body))) === 1) setImmediate(flush)
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

function isState(frame: LegacyFrame): boolean {
  return 'observation' in frame && frame.observation === 'agent_state_changed'
}

function stateFrame(agent_state: AgentState): StateFrame {
  return { observation: 'agent_state_changed', content: '', extras: { agent_state, reason: '' }, message: '' }
}

/** Clients offer the answers when the call arrives: they must know by then that somebody is to give one. */
function statesFirst(frames: LegacyFrame[]): LegacyFrame[] {
  const first = frames.findIndex(frame => isAwaiting(frame))
  if (first < 0) return frames
  const after = frames.slice(first)
  return [...frames.slice(0, first), ...after.filter(isState), ...after.filter(frame => !isState(frame))]
}

/** What the environment says is for the log, but for these. */
const FROM_ENVIRONMENT = new Set(['run', 'agent_state_changed', 'recall', 'error'])

/** @param name of the conversation, for clients of this generation */
function liveFrames(name: string, event: Event | undefined, legacy: LegacyEvent): LegacyFrame[] {
  if (event?.kind === 'ConversationStateUpdateEvent' && event.key === 'title' && typeof event.value === 'string') {
    return [{ status_update: true, type: 'info', message: name, conversation_title: event.value }]
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

import { agentError } from '../../agent/answer.ts'
import type { Event, EventOf, NewEvent } from '../../api/event/events.ts'
import type { ConversationStats } from '../../api/event/metrics.ts'
import { isStoreRefusal } from '../../disk/failure.ts'
import { messageOf } from '../../domain/errors.ts'
import type { ConversationId } from '../../domain/ids.ts'
import { openCalls } from '../../event/model-messages.ts'
import type { Log } from '../../log.ts'
import type { RunResult } from './outcome.ts'

/** Events that were to be stored at once, and the statistics with them. */
export interface RefusedEvents {
  events: NewEvent[]
  stats: ConversationStats | undefined
}

/** A run that has ended and whose last events the disk refused. */
export interface UnstoredRun {
  /** In the order in which they are to be stored; what is stored leaves the list. */
  refused: RefusedEvents[]
  ending: RunResult
  /** Whether the agent goes on once all of it is stored: it was the disk alone that stopped it. */
  goesOn: boolean
}

/** What a run stores. From the first events that the disk refuses on all is kept: the log stays in the order of what happened. */
export class RunLog {
  readonly refused: RefusedEvents[] = []
  readonly #store: (events: NewEvent[], stats: ConversationStats | undefined) => void
  #refusal: unknown

  constructor(store: (events: NewEvent[], stats: ConversationStats | undefined) => void) {
    this.#store = store
  }

  /** @throws AppError of the store, and the same one again for whatever follows */
  record(events: NewEvent[], stats: ConversationStats | undefined): void {
    if (this.#refusal !== undefined) throw this.#refusal
    try {
      this.#store(events, stats)
    } catch (error) {
      if (isStoreRefusal(error)) {
        this.#refusal = error
        this.refused.push({ events, stats })
      }
      throw error
    }
  }
}

/** Answers to calls whose results are neither in the log nor among what is still to be stored. */
export function lostResults(events: readonly Event[], refused: readonly RefusedEvents[]): NewEvent[] {
  const kept = refused.flatMap(one => one.events)
  const isAnswered = (call: EventOf<'ActionEvent'>) =>
    kept.some(
      event =>
        ('action_id' in event && event.action_id === call.id) ||
        (event.kind === 'AgentErrorEvent' && event.tool_call_id === call.tool_call_id),
    )
  const lost = openCalls(events).filter(call => !isAnswered(call))
  return lost.map(call => agentError(call.tool_name, call.tool_call_id, RESULT_LOST))
}

const RESULT_LOST =
  'The disk was full when this call ended, so its result was not stored. It may have been carried out: check its effects before trying again.'

interface Dependencies {
  /** @throws when the disk refuses still */
  store: (id: ConversationId, run: UnstoredRun) => void
  goOn: (id: ConversationId) => void
  log: Log
}

interface Waiting {
  run: UnstoredRun
  attempts: number
  timer: NodeJS.Timeout | undefined
}

const FIRST_RETRY_MS = 1_000
const MAX_RETRY_MS = 60_000

/** The ends of runs that the disk refused, kept in memory and stored as soon as it takes them. */
export class UnstoredRuns {
  readonly #dependencies: Dependencies
  readonly #waiting = new Map<ConversationId, Waiting>()

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  keep(id: ConversationId, run: UnstoredRun): void {
    const waiting: Waiting = { run, attempts: 0, timer: undefined }
    this.#waiting.set(id, waiting)
    this.#plan(id, waiting)
  }

  /**
   * Stores what is kept of this run now, for a person who wants something of it. `stops`: that it does not go on by
   * itself, even if it is stored only later. @throws AppError of the store
   */
  settle(id: ConversationId, stops: boolean): void {
    const waiting = this.#waiting.get(id)
    if (!waiting) return
    if (stops) waiting.run.goesOn = false
    this.#dependencies.store(id, waiting.run)
    this.forget(id)
  }

  /** For whoever learns that the disk may take something again. */
  retryAll(): void {
    for (const id of [...this.#waiting.keys()]) this.#retry(id)
  }

  /** Of a conversation that is deleted. */
  forget(id: ConversationId): void {
    clearTimeout(this.#waiting.get(id)?.timer)
    this.#waiting.delete(id)
  }

  /** Tries for the last time; what cannot be stored is put right at the next start. */
  close(): void {
    for (const { run } of this.#waiting.values()) run.goesOn = false
    this.retryAll()
    for (const id of [...this.#waiting.keys()]) this.forget(id)
  }

  #plan(id: ConversationId, waiting: Waiting): void {
    clearTimeout(waiting.timer)
    const delay = Math.min(FIRST_RETRY_MS * 2 ** waiting.attempts, MAX_RETRY_MS)
    waiting.attempts++
    waiting.timer = setTimeout(() => this.#retry(id), delay).unref()
  }

  #retry(id: ConversationId): void {
    const waiting = this.#waiting.get(id)
    if (!waiting) return
    const { store, goOn, log } = this.#dependencies
    try {
      store(id, waiting.run)
    } catch (error) {
      log.debug({ conversation: id, error: messageOf(error) }, 'The end of a run still cannot be stored')
      return this.#plan(id, waiting)
    }
    this.forget(id)
    log.info({ conversation: id }, 'The end of a run is stored now')
    if (!waiting.run.goesOn) return
    try {
      goOn(id)
    } catch (error) {
      log.warn({ conversation: id, error: messageOf(error) }, 'A run could not go on')
    }
  }
}

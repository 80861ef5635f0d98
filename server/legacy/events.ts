import { totalCost } from '../agent/limits.ts'
import type { Event } from '../api/event/events.ts'
import { CANNED_REASONS } from '../api/event/rejection-reasons.ts'
import type { LegacyEventFilter } from '../api/legacy/event-routes.ts'
import type { ClientAction, LegacyEvent } from '../api/legacy/events.ts'
import { DEFAULT_SETTINGS } from '../api/v1/settings/settings.ts'
import { Slices } from '../async/slices.ts'
import { waitingCalls } from '../conversation/run/waiting-calls.ts'
import type { ConversationService } from '../conversation/service.ts'
import { BOUNDS } from '../domain/bounds.ts'
import { AppError } from '../domain/errors.ts'
import type { ConversationId } from '../domain/ids.ts'
import type { EventLog } from '../event/log.ts'
import type { SettingsService } from '../settings/service.ts'
import { isNull, LegacyView, legacyPieces } from './event/convert.ts'
import type { LegacyConversations } from './service.ts'

export interface LegacyEventQuery {
  start_id: number
  end_id?: number | null | undefined
  reverse: boolean
  limit: number
}

const MAX_LIMIT = 100
const NOT_OURS =
  "The agent's terminal is the agent's. Run a command of your own at the gateway, with POST /api/bash/execute_bash_command."
const CHUNK = 200
/** An answer's results follow its calls, and its figures follow them, within as many events. */
const AROUND = 64

/** The log of a conversation for clients of the legacy generation. */
export class LegacyEvents {
  readonly #eventLog: EventLog
  readonly #conversations: ConversationService
  readonly #legacy: LegacyConversations
  readonly #settings: Pick<SettingsService, 'read'>

  constructor(dependencies: {
    eventLog: EventLog
    conversations: ConversationService
    legacy: LegacyConversations
    settings: Pick<SettingsService, 'read'>
  }) {
    this.#settings = dependencies.settings
    this.#eventLog = dependencies.eventLog
    this.#conversations = dependencies.conversations
    this.#legacy = dependencies.legacy
  }

  /** @throws AppError bad_request for a limit out of bounds, conversation_not_found */
  async page(
    text: string,
    query: LegacyEventQuery,
    filter: LegacyEventFilter,
  ): Promise<{ events: LegacyEvent[]; has_more: boolean }> {
    if (query.limit < 0 || query.limit > MAX_LIMIT) throw new AppError('bad_request', 'Invalid limit')
    const id = this.#legacy.begun(text)
    if (!id) return { events: [], has_more: false }
    const found: LegacyEvent[] = []
    const slices = new Slices()
    let bytes = 0
    for (const event of this.#scan(id, query)) {
      if (slices.due()) await slices.turn()
      if (!matches(event, filter)) continue
      bytes += Buffer.byteLength(JSON.stringify(event))
      const isFull = found.length === query.limit || (found.length > 0 && bytes > BOUNDS.page.limit)
      if (isFull) return { events: found, has_more: true }
      found.push(event)
    }
    return { events: found, has_more: false }
  }

  /** Calls that could not be understood belong to what happened: a replay repeats them. */
  trajectory(text: string): AsyncIterable<LegacyEvent> {
    return this.#trajectory(this.#legacy.find(text))
  }

  async *#trajectory(id: ConversationId): AsyncGenerator<LegacyEvent, void> {
    const view = new LegacyView()
    const waiting = waitingCalls(this.#eventLog, this.#conversations.find(id))
    for await (const piece of legacyPieces(this.#eventLog.pages(id))) {
      yield* view.push(piece, waiting).filter(event => 'action' in event || !isNull(event))
    }
  }

  /** The events around one, for the model. */
  around(text: string, eventId: number, before: number, after: number): LegacyEvent[] {
    const id = this.#legacy.find(text)
    if (eventId > this.#eventLog.lastSeq(id)) {
      throw new AppError(
        'event_not_found',
        'There is no such event in the conversation. Name the id of one that it has.',
      )
    }
    return this.#chunk(id, Math.max(0, eventId - before), eventId + after).filter(event => !isNull(event))
  }

  /** What a client does to a conversation. @throws AppError bad_request, not_waiting, conflict */
  async post(text: string, { action, args }: ClientAction): Promise<void> {
    const id = this.#legacy.find(text)
    if (action === 'message') {
      const images = args.image_urls?.length ? [{ type: 'image' as const, image_urls: args.image_urls }] : []
      const content = [...(args.content ? [{ type: 'text' as const, text: args.content }] : []), ...images]
      return this.#conversations.send(id, { role: 'user', content, run: true })
    }
    if (action === 'run') throw new AppError('bad_request', NOT_OURS)
    switch (args.agent_state) {
      case 'running':
        await this.#raiseLimit(id)
        return this.#conversations.run(id)
      case 'paused':
        return this.#conversations.pause(id)
      case 'stopped':
        return this.#conversations.interrupt(id)
      case 'user_confirmed':
        return this.#conversations.respondToConfirmation(id, { accept: true, reason: '', always_allow: false })
      case 'user_rejected':
        return this.#conversations.respondToConfirmation(id, {
          accept: false,
          reason: CANNED_REASONS.rejected,
          always_allow: false,
        })
      default:
        throw new AppError(
          'bad_request',
          `The agent cannot be set to ${args.agent_state}. Use running, paused, stopped, user_confirmed or user_rejected.`,
        )
    }
  }

  /** Going on at a limit allows as much again: clients of this generation cannot set limits. */
  async #raiseLimit(id: ConversationId): Promise<void> {
    const { limit_reached: limit, stats, max_budget_per_task: budget } = this.#conversations.find(id)
    const settings = this.#settings.read()
    if (limit === 'max_iterations') {
      const more = settings.max_iterations ?? DEFAULT_SETTINGS.max_iterations
      await this.#conversations.update(id, { max_iterations: stats.steps + more })
    } else if (limit === 'max_budget_per_task') {
      const more = settings.max_budget_per_task ?? budget ?? 0
      await this.#conversations.update(id, { max_budget_per_task: totalCost(stats) + more })
    }
  }

  *#scan(id: ConversationId, query: LegacyEventQuery): Generator<LegacyEvent> {
    const first = Math.max(0, query.start_id)
    const last = Math.min(this.#eventLog.lastSeq(id), query.end_id ?? Number.MAX_SAFE_INTEGER)
    for (let done = 0; first + done <= last; done += CHUNK) {
      const from = query.reverse ? Math.max(first, last - done - CHUNK + 1) : first + done
      const to = query.reverse ? last - done : Math.min(last, first + done + CHUNK - 1)
      const chunk = this.#chunk(id, from, to)
      yield* query.reverse ? chunk.reverse() : chunk
    }
  }

  #chunk(id: ConversationId, from: number, to: number): LegacyEvent[] {
    const start = Math.max(0, from - AROUND)
    const events: Event[] = this.#eventLog.read(id, start, to + AROUND + 1 - start)
    return new LegacyView()
      .push(events, waitingCalls(this.#eventLog, this.#conversations.find(id)))
      .filter(event => event.id >= from && event.id <= to)
  }
}

function matches(event: LegacyEvent, filter: LegacyEventFilter): boolean {
  const type = 'action' in event ? event.action : event.observation
  const time = Date.parse(event.timestamp)
  return (
    (!filter.source || event.source === filter.source) &&
    (!filter.query || JSON.stringify(event).toLowerCase().includes(filter.query.toLowerCase())) &&
    (!filter.start_date || time >= Date.parse(filter.start_date)) &&
    (!filter.end_date || time <= Date.parse(filter.end_date)) &&
    (!filter.include_types?.length || filter.include_types.includes(type)) &&
    !filter.exclude_types?.includes(type)
  )
}

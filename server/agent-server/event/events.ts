import type { WireEvent } from '../../api/agent-server/events.ts'
import type { EventDialect } from '../../api/event-dialects.ts'
import type { ConversationService } from '../../conversation/service.ts'
import { AppError } from '../../domain/errors.ts'
import type { SettingsService } from '../../settings/service.ts'
import type { Conversation } from '../../store/conversation/conversations.ts'
import { dialectOf, type EventReader } from './dialect.ts'
import { storedTime, toWire } from './wire.ts'

export interface EventQuery {
  kind?: string | null | undefined
  source?: string | null | undefined
  body?: string | null | undefined
  timestamp__gte?: string | null | undefined
  timestamp__lt?: string | null | undefined
}

/** Which kinds the client asks for. */
export interface Reading {
  event_dialect?: EventDialect | undefined
}

/** The log of a conversation in the words of the agent-server API, where a page is named by its first event's id. */
export class GatewayEvents {
  readonly #conversations: ConversationService
  readonly #settings: Pick<SettingsService, 'read'>

  constructor(conversations: ConversationService, settings: Pick<SettingsService, 'read'>) {
    this.#conversations = conversations
    this.#settings = settings
  }

  search(
    { id }: Conversation,
    query: EventQuery & Reading,
    page: { order: 'TIMESTAMP' | 'TIMESTAMP_DESC'; pageId: string | null | undefined; limit: number },
  ): { items: WireEvent[]; next_page_id: string | null } {
    const dialect = this.dialectOf({ asked: query.event_dialect })
    const [first] = page.pageId ? this.#conversations.eventsById(id, [page.pageId]) : []
    const { items, next_event_id } = this.#conversations.searchEvents(id, toFilter(query), {
      order: page.order === 'TIMESTAMP' ? 'ASC' : 'DESC',
      pageId: first && String(first.seq),
      limit: page.limit,
    })
    return { items: items.map(event => toWire(event, dialect)), next_page_id: next_event_id }
  }

  count({ id }: Conversation, query: EventQuery): number {
    return this.#conversations.countEvents(id, toFilter(query))
  }

  /** @throws AppError event_not_found */
  get(conversation: Conversation, eventId: string, reading: Reading): WireEvent {
    const [found] = this.batch(conversation, [eventId], reading)
    if (!found)
      throw new AppError(
        'event_not_found',
        'There is no such event in this conversation. Name the id of one that it has.',
      )
    return found
  }

  /** In the order of the ids; null for unknown ones. */
  batch({ id }: Conversation, eventIds: readonly string[], reading: Reading): (WireEvent | null)[] {
    const dialect = this.dialectOf({ asked: reading.event_dialect })
    const found = new Map(this.#conversations.eventsById(id, eventIds).map(event => [event.id, event]))
    return eventIds.map(eventId => {
      const event = found.get(eventId)
      return event ? toWire(event, dialect) : null
    })
  }

  dialectOf(reader: Omit<EventReader, 'port'>): EventDialect {
    return dialectOf({ ...reader, port: 'gateway' }, this.#settings.read().event_dialect)
  }

  /** The number of the first event at or after the time; undefined when there is none yet. */
  firstSince({ id }: Conversation, time: string): number | undefined {
    const page = { order: 'ASC', pageId: null, limit: 1 } as const
    return this.#conversations.searchEvents(id, { from: storedTime(time) }, page).items[0]?.seq
  }
}

function toFilter({ kind, source, body, timestamp__gte, timestamp__lt }: EventQuery) {
  return {
    // Existing clients send the path of the class.
    kind: kind?.split('.').at(-1),
    source: source ?? undefined,
    text: body || undefined,
    from: storedTime(timestamp__gte),
    before: storedTime(timestamp__lt),
  }
}

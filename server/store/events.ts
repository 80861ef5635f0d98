import { type Event, event } from '../api/event/events.ts'
import { isStoreRefusal } from '../disk/failure.ts'
import { BOUNDS } from '../domain/bounds.ts'
import type { ConversationId } from '../domain/ids.ts'
import { countFitting } from '../paging/fitting.ts'
import { placeholderOf } from './database/damaged-event.ts'
import type { Database, Row, Value } from './database/database.ts'

export interface EventFilter {
  kind?: string | undefined
  from?: string | undefined
  before?: string | undefined
  source?: string | undefined
  /** Part of a message's text, in either case. */
  text?: string | undefined
}

/** An event as its row has it. */
export interface StoredEvent extends Pick<Event, 'seq' | 'id' | 'kind' | 'timestamp'> {
  /** The whole of it, as JSON. */
  body: string
}

export class EventTable {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  insert(conversationId: ConversationId, stored: Omit<StoredEvent, 'body'>, body: string): void {
    this.#database.run(
      'INSERT INTO event (conversation_id, seq, id, kind, timestamp, body) VALUES (?, ?, ?, ?, ?, ?)',
      [conversationId, stored.seq, stored.id, stored.kind, stored.timestamp, body],
    )
  }

  /** -1 when there is none. */
  lastSeq(conversationId: ConversationId): number {
    const found = this.#database.get('SELECT max(seq) AS n FROM event WHERE conversation_id = ?', [conversationId])
    return found?.n === null || found?.n === undefined ? -1 : Number(found.n)
  }

  /** Ascending from `fromSeq`. */
  read(conversationId: ConversationId, fromSeq: number, limit: number): Event[] {
    const rest = 'FROM event WHERE conversation_id = ? AND seq >= ? ORDER BY seq LIMIT ?'
    return this.#events(rest, [conversationId, fromSeq, limit])
  }

  /** The stored JSON texts, as they are sent. */
  readBodies(conversationId: ConversationId, fromSeq: number, limit: number): { seq: number; body: string }[] {
    // What is no event is not sent as one; a whole check of each would hold up the others.
    const sql = `SELECT seq, CASE WHEN json_valid(body) THEN iif(json_extract(body, '$.seq') = seq, body, NULL) END AS body
      FROM event WHERE conversation_id = ? AND seq >= ? ORDER BY seq LIMIT ?`
    return this.#database.all(sql, [conversationId, fromSeq, limit]).map(found => ({
      seq: Number(found.seq),
      body: found.body === null ? this.#placeholder(conversationId, Number(found.seq)) : String(found.body),
    }))
  }

  /** Of the events of these ids, one that is named twice counted twice. */
  bytesOf(ids: readonly string[]): number {
    const sql =
      'SELECT sum(octet_length(body)) AS bytes FROM json_each(?) AS wanted JOIN event ON event.id = wanted.value'
    return Number(this.#database.get(sql, [JSON.stringify(ids)])?.bytes ?? 0)
  }

  /** Of any conversation; unknown ids are left out. */
  anywhere(ids: readonly string[]): Event[] {
    return this.#events('FROM json_each(?) AS wanted JOIN event ON event.id = wanted.value', [JSON.stringify(ids)])
  }

  /** In the order of the log; unknown ids are left out. */
  byIds(conversationId: ConversationId, ids: readonly string[]): Event[] {
    if (ids.length === 0) return []
    const places = ids.map(() => '?').join(', ')
    const rest = `FROM event WHERE conversation_id = ? AND id IN (${places}) ORDER BY seq`
    return this.#events(rest, [conversationId, ...ids])
  }

  /** Those from one number to another, both included, that tell of skills, hooks and the answers of models. */
  telling(conversationId: ConversationId, fromSeq: number, toSeq: number): Event[] {
    const rest = `FROM event WHERE conversation_id = ? AND seq BETWEEN ? AND ? AND (${MATCHES_TEXT}) ORDER BY seq`
    return this.#events(rest, [conversationId, fromSeq, toSeq])
  }

  /** A page, which ends early where its events are large together; `next` is the first event after it. */
  search(
    conversationId: ConversationId,
    filter: EventFilter,
    page: { order: 'ASC' | 'DESC'; fromSeq: number | undefined; limit: number },
  ): { events: Event[]; next: { seq: number; id: string } | null } {
    const { table, clauses, values } = condition(filter)
    if (page.fromSeq !== undefined) {
      clauses.push(page.order === 'ASC' ? 'seq >= ?' : 'seq <= ?')
      values.push(page.fromSeq)
    }
    const sql = `SELECT seq, id, octet_length(body) AS bytes FROM ${table}
      WHERE ${clauses.join(' AND ')} ORDER BY seq ${page.order} LIMIT ?`
    const found = this.#database
      .all(sql, [conversationId, ...values, page.limit + 1])
      .map(row => ({ seq: Number(row.seq), id: String(row.id), bytes: Number(row.bytes) }))
    const count = countFitting(found.slice(0, page.limit), ({ bytes }) => bytes, BOUNDS.page.limit)
    const seqs = JSON.stringify(found.slice(0, count).map(({ seq }) => seq))
    const rest = `FROM event WHERE conversation_id = ? AND seq IN (SELECT value FROM json_each(?)) ORDER BY seq ${page.order}`
    const next = found[count]
    return { events: this.#events(rest, [conversationId, seqs]), next: next ? { seq: next.seq, id: next.id } : null }
  }

  count(conversationId: ConversationId, filter: EventFilter): number {
    const { table, clauses, values } = condition(filter)
    const sql = `SELECT count(*) AS n FROM ${table} WHERE ${clauses.join(' AND ')}`
    return Number(this.#database.get(sql, [conversationId, ...values])?.n ?? 0)
  }

  /** One that cannot be read is a placeholder, so that the numbers stay dense. */
  #events(rest: string, values: Value[]): Event[] {
    try {
      return this.#database.all(`SELECT body ${rest}`, values).map(toEvent)
    } catch (error) {
      if (isStoreRefusal(error)) throw error
      // Every further column costs time, so they are read only where there is damage.
      const found = this.#database.all(`SELECT body, conversation_id, seq, event.id, kind, timestamp ${rest}`, values)
      return found.map(row => this.#readable(row))
    }
  }

  #readable(row: Row): Event {
    const key = `${row.conversation_id} ${row.seq}`
    return this.#database.damaged.read('event', key, () => toEvent(row)) ?? placeholderOf(row)
  }

  #placeholder(conversationId: ConversationId, seq: number): string {
    const [found] = this.read(conversationId, seq, 1)
    return JSON.stringify(found)
  }
}

const VALID_BODY = "iif(json_valid(body), body, '{}')"

/** Decided by the database, since most events are none of these. An observation, which may be large, says early what it is. */
const MATCHES_TEXT = `CASE kind
  WHEN 'MessageEvent' THEN json_extract(${VALID_BODY}, '$.activated_skills[0]') IS NOT NULL
  WHEN 'ObservationEvent' THEN instr(substr(body, 1, 4000), '"InvokeSkillObservation"') > 0
  WHEN 'HookExecutionEvent' THEN json_extract(${VALID_BODY}, '$.blocked') = 1
  WHEN 'ConversationStateUpdateEvent' THEN json_extract(${VALID_BODY}, '$.key') = 'stats'
  ELSE 0 END`

const HAS_TEXT = `kind = 'MessageEvent' AND EXISTS (SELECT 1 FROM json_each(${VALID_BODY}, '$.llm_message.content') AS part
  WHERE instr(lower(json_extract(part.value, '$.text')), lower(?)) > 0)`

const SOURCE = `json_extract(${VALID_BODY}, '$.source')`
/** As the index of them has it: SQLite uses one with a condition only where the query has the same, without parameters. */
const USER_MESSAGES = `kind = 'MessageEvent' AND ${SOURCE} = 'user'`

/** What of a filter is rare is named, since SQLite, which counts nothing, would rather read a whole log in order. */
function condition({ kind, source, from, before, text }: EventFilter): {
  table: string
  clauses: string[]
  values: Value[]
} {
  const userMessages = kind === 'MessageEvent' && source === 'user'
  const index = userMessages ? 'event_user_message' : (kind ?? text) !== undefined && 'event_kind'
  const all: [string, Value | undefined][] = [
    ['kind = ?', userMessages ? undefined : kind],
    [`${SOURCE} = ?`, userMessages ? undefined : source],
    ['timestamp >= ?', from],
    ['timestamp < ?', before],
    [HAS_TEXT, text],
  ]
  const used = all.filter((clause): clause is [string, Value] => clause[1] !== undefined)
  const clauses = used.map(([clause]) => clause)
  return {
    table: index ? `event INDEXED BY ${index}` : 'event',
    clauses: ['conversation_id = ?', ...(userMessages ? [USER_MESSAGES] : []), ...clauses],
    values: used.map(([, value]) => value),
  }
}

function toEvent(found: Row): Event {
  return event.parse(JSON.parse(String(found.body)))
}

import { type Event, type EventKind, event } from '../api/events.ts'
import type { ConversationId } from '../ids.ts'
import type { Database, Row, Value } from './database.ts'

export interface EventFilter {
  kind?: string | undefined
  from?: string | undefined
  before?: string | undefined
  source?: string | undefined
  /** Part of a message's text, in either case. */
  text?: string | undefined
}

export class EventTable {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  insert(conversationId: ConversationId, stored: Event, body: string): void {
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
    const sql = 'SELECT body FROM event WHERE conversation_id = ? AND seq >= ? ORDER BY seq LIMIT ?'
    return this.#database.all(sql, [conversationId, fromSeq, limit]).map(toEvent)
  }

  /** The stored JSON texts, as they are sent. */
  readBodies(conversationId: ConversationId, fromSeq: number, limit: number): { seq: number; body: string }[] {
    const sql = 'SELECT seq, body FROM event WHERE conversation_id = ? AND seq >= ? ORDER BY seq LIMIT ?'
    return this.#database
      .all(sql, [conversationId, fromSeq, limit])
      .map(found => ({ seq: Number(found.seq), body: String(found.body) }))
  }

  /** Of any conversation; unknown ids are left out.. */
  anywhere(ids: readonly string[]): Event[] {
    const sql = `SELECT body FROM json_each(?) AS wanted JOIN event ON event.id = wanted.value`
    return this.#database.all(sql, [JSON.stringify(ids)]).map(toEvent)
  }

  /** In the order of the log; unknown ids are left out. */
  byIds(conversationId: ConversationId, ids: readonly string[]): Event[] {
    if (ids.length === 0) return []
    const places = ids.map(() => '?').join(', ')
    const sql = `SELECT body FROM event WHERE conversation_id = ? AND id IN (${places}) ORDER BY seq`
    return this.#database.all(sql, [conversationId, ...ids]).map(toEvent)
  }

  ofKinds(conversationId: ConversationId, kinds: EventKind[]): Event[] {
    const places = kinds.map(() => '?').join(', ')
    const sql = `SELECT body FROM event WHERE conversation_id = ? AND kind IN (${places}) ORDER BY seq`
    return this.#database.all(sql, [conversationId, ...kinds]).map(toEvent)
  }

  search(
    conversationId: ConversationId,
    filter: EventFilter,
    page: { order: 'ASC' | 'DESC'; fromSeq: number | undefined; limit: number },
  ): Event[] {
    const { clauses, values } = condition(filter)
    if (page.fromSeq !== undefined) {
      clauses.push(page.order === 'ASC' ? 'seq >= ?' : 'seq <= ?')
      values.push(page.fromSeq)
    }
    const where = ['conversation_id = ?', ...clauses].join(' AND ')
    const sql = `SELECT body FROM event WHERE ${where} ORDER BY seq ${page.order} LIMIT ?`
    return this.#database.all(sql, [conversationId, ...values, page.limit]).map(toEvent)
  }

  count(conversationId: ConversationId, filter: EventFilter): number {
    const { clauses, values } = condition(filter)
    const where = ['conversation_id = ?', ...clauses].join(' AND ')
    return Number(
      this.#database.get(`SELECT count(*) AS n FROM event WHERE ${where}`, [conversationId, ...values])?.n ?? 0,
    )
  }
}

const SAYS = `kind = 'MessageEvent' AND EXISTS (SELECT 1 FROM json_each(body, '$.llm_message.content') AS part
  WHERE instr(lower(json_extract(part.value, '$.text')), lower(?)) > 0)`

function condition(filter: EventFilter): { clauses: string[]; values: Value[] } {
  const all: [string, Value | undefined][] = [
    ['kind = ?', filter.kind],
    ['timestamp >= ?', filter.from],
    ['timestamp < ?', filter.before],
    ["json_extract(body, '$.source') = ?", filter.source],
    [SAYS, filter.text],
  ]
  const used = all.filter((clause): clause is [string, Value] => clause[1] !== undefined)
  return { clauses: used.map(([text]) => text), values: used.map(([, value]) => value) }
}

function toEvent(found: Row): Event {
  return event.parse(JSON.parse(String(found.body)))
}

import type { ConversationId } from '../../domain/ids.ts'
import type { Database } from '../database/database.ts'

/** Conversations that an agent server elsewhere runs and reports, and which of their events came already. */
export class ReportedConversationTable {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  has(id: ConversationId): boolean {
    return this.#database.get('SELECT 1 FROM reported_conversation WHERE conversation_id = ?', [id]) !== undefined
  }

  add(id: ConversationId): void {
    this.#database.run('INSERT INTO reported_conversation (conversation_id) VALUES (?)', [id])
  }

  /** Those of a sandbox that are kept. */
  countOf(sandboxId: string): number {
    const sql = `SELECT count(*) AS n FROM reported_conversation
      JOIN conversation ON conversation.id = conversation_id WHERE sandbox_id = ?`
    return Number(this.#database.get(sql, [sandboxId])?.n ?? 0)
  }

  idsOf(sandboxId: string): ConversationId[] {
    const sql = `SELECT conversation_id FROM reported_conversation
      JOIN conversation ON conversation.id = conversation_id WHERE sandbox_id = ?`
    return this.#database.all(sql, [sandboxId]).map(found => String(found.conversation_id) as ConversationId)
  }

  /** How many events came, kept or not. */
  countEvents(id: ConversationId): number {
    const found = this.#database.get('SELECT count(*) AS n FROM reported_event WHERE conversation_id = ?', [id])
    return Number(found?.n ?? 0)
  }

  /** Of the given ids, those that came already. */
  knownEvents(id: ConversationId, eventIds: readonly string[]): Set<string> {
    const sql = `SELECT event_id FROM reported_event
      WHERE conversation_id = ? AND event_id IN (SELECT value FROM json_each(?))`
    return new Set(this.#database.all(sql, [id, JSON.stringify(eventIds)]).map(found => String(found.event_id)))
  }

  addEvents(id: ConversationId, eventIds: readonly string[]): void {
    const sql = 'INSERT INTO reported_event (conversation_id, event_id) SELECT ?, value FROM json_each(?)'
    this.#database.run(sql, [id, JSON.stringify(eventIds)])
  }

  /** Of the events that are kept. */
  bytesOf(id: ConversationId): number {
    const sql = 'SELECT sum(octet_length(body)) AS bytes FROM event WHERE conversation_id = ?'
    return Number(this.#database.get(sql, [id])?.bytes ?? 0)
  }
}

import { type PendingMessage, pendingMessage } from '../../api/v1/conversation/pending-messages.ts'
import { type ConversationId, newConversationId } from '../../domain/ids.ts'
import type { Database } from '../database/database.ts'
import { json } from '../database/json.ts'

const body = json(pendingMessage)

/** Messages that wait for a conversation, in the order of their delivery. */
export class PendingMessageTable {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  add(message: PendingMessage): void {
    this.#database.run('INSERT INTO pending_message (conversation_id, id, body) VALUES (?, ?, ?)', [
      message.conversation_id,
      message.id,
      JSON.stringify(message),
    ])
  }

  /** Brings what waits for one conversation into this order, as it is here. */
  replace(messages: readonly PendingMessage[]): void {
    this.#database.transaction(() => {
      for (const message of messages) {
        this.remove(message.id)
        this.add(message)
      }
    })
  }

  /** Lets them wait for each of other conversations instead, in their order. */
  passOn(messages: readonly PendingMessage[], to: readonly ConversationId[]): void {
    this.#database.transaction(() => {
      for (const message of messages) {
        this.remove(message.id)
        for (const conversation_id of to) this.add({ ...message, id: newConversationId(), conversation_id })
      }
    })
  }

  of(id: ConversationId): PendingMessage[] {
    const sql = 'SELECT id, body FROM pending_message WHERE conversation_id = ? ORDER BY position'
    return this.#database.damaged.readAll(
      'pending_message',
      this.#database.all(sql, [id]),
      found => found.id,
      found => body.parse(found.body),
    )
  }

  count(id: ConversationId): number {
    const sql = 'SELECT count(*) AS n FROM pending_message WHERE conversation_id = ?'
    return Number(this.#database.get(sql, [id])?.n ?? 0)
  }

  conversations(): ConversationId[] {
    return this.#database
      .all('SELECT DISTINCT conversation_id AS id FROM pending_message')
      .map(found => String(found.id) as ConversationId)
  }

  remove(messageId: string): void {
    this.#database.run('DELETE FROM pending_message WHERE id = ?', [messageId])
  }

  removeAll(id: ConversationId): void {
    this.#database.run('DELETE FROM pending_message WHERE conversation_id = ?', [id])
  }
}

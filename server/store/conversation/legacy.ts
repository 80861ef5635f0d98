import type { ConversationId } from '../../domain/ids.ts'
import type { Database } from '../database/database.ts'

/**
 * The conversations that a client of the legacy generation created, with the names that such clients gave them instead of
 * an id. A row comes before its conversation, and goes at the first start of Atelier after it. Asked for every row of a
 * list, so that it is kept in memory too.
 */
export class LegacyConversationTable {
  readonly #database: Database
  readonly #names: Map<string, string | null>

  constructor(database: Database) {
    this.#database = database
    database.run(`DELETE FROM legacy_conversation
      WHERE conversation_id NOT IN (SELECT id FROM conversation)
        AND conversation_id NOT IN (SELECT conversation_id FROM start_task WHERE conversation_id IS NOT NULL)`)
    const rows = database.all('SELECT conversation_id, name FROM legacy_conversation')
    this.#names = new Map(
      rows.map(({ conversation_id, name }) => [String(conversation_id), name === null ? null : String(name)]),
    )
  }

  has(id: ConversationId): boolean {
    return this.#names.has(id)
  }

  /** What clients of the legacy generation call it. */
  nameOf(id: ConversationId): string {
    return this.#names.get(id) ?? id
  }

  /** @param name null where its client left the id to Atelier */
  keep(id: ConversationId, name: string | null): void {
    this.#database.run('INSERT OR IGNORE INTO legacy_conversation (conversation_id, name) VALUES (?, ?)', [id, name])
    if (!this.#names.has(id)) this.#names.set(id, name)
  }
}

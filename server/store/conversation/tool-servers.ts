import type { Database } from '../database/database.ts'

/**
 * Which item of the vault holds a conversation's own tool servers. A row may be there before its conversation; it goes
 * with it, and its item is a stray one then.
 */
export class ConversationToolServerTable {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  get(conversationId: string): string | undefined {
    const found = this.#database.get('SELECT vault_item FROM conversation_tool_servers WHERE conversation_id = ?', [
      conversationId,
    ])
    return found && String(found.vault_item)
  }

  put(conversationId: string, item: string): void {
    this.#database.run(
      `INSERT INTO conversation_tool_servers (conversation_id, vault_item) VALUES (?, ?)
       ON CONFLICT (conversation_id) DO UPDATE SET vault_item = excluded.vault_item`,
      [conversationId, item],
    )
  }

  /** Those that have a row. */
  conversations(): string[] {
    return this.#database
      .all('SELECT conversation_id FROM conversation_tool_servers', [])
      .map(({ conversation_id }) => String(conversation_id))
  }

  delete(conversationId: string): void {
    this.#database.run('DELETE FROM conversation_tool_servers WHERE conversation_id = ?', [conversationId])
  }

  /** Those of conversations that never came to be. */
  deleteOrphans(): void {
    this.#database.run(
      'DELETE FROM conversation_tool_servers WHERE conversation_id NOT IN (SELECT id FROM conversation)',
      [],
    )
  }
}

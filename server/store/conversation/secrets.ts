import { z } from 'zod'
import type { Database } from '../database/database.ts'
import { json } from '../database/json.ts'

/** A secret without its value. */
const secretMetadata = z.object({
  name: z.string(),
  description: z.string(),
  kind: z.enum(['StaticSecret', 'LookupSecret']),
})
export type SecretMetadata = z.output<typeof secretMetadata>

const row = z.object({ vault_item: z.string(), told: json(z.array(secretMetadata)) })
export type ConversationSecretRow = z.output<typeof row>

/**
 * Which item of the vault holds a conversation's own secrets, and what may be shown of them. A row may be there before its
 * conversation; it goes with it, and its item is a stray one then.
 */
export class ConversationSecretTable {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  get(conversationId: string): ConversationSecretRow | undefined {
    const sql = 'SELECT vault_item, told FROM conversation_secrets WHERE conversation_id = ?'
    const found = this.#database.get(sql, [conversationId])
    return found && this.#database.damaged.read('conversation_secrets', conversationId, () => row.parse(found))
  }

  put(conversationId: string, { vault_item, told }: ConversationSecretRow): void {
    this.#database.run(
      `INSERT INTO conversation_secrets (conversation_id, vault_item, told) VALUES (?, ?, ?)
       ON CONFLICT (conversation_id) DO UPDATE SET vault_item = excluded.vault_item, told = excluded.told`,
      [conversationId, vault_item, JSON.stringify(told)],
    )
  }

  delete(conversationId: string): void {
    this.#database.run('DELETE FROM conversation_secrets WHERE conversation_id = ?', [conversationId])
  }

  /** Of all conversations. */
  items(): string[] {
    return this.#database
      .all('SELECT vault_item FROM conversation_secrets', [])
      .map(({ vault_item }) => String(vault_item))
  }

  /** Those of conversations that never came to be. */
  deleteOrphans(): void {
    this.#database.run(
      'DELETE FROM conversation_secrets WHERE conversation_id NOT IN (SELECT id FROM conversation)',
      [],
    )
  }
}

import type { ConversationId } from '../../domain/ids.ts'
import type { Database } from '../database/database.ts'

export interface BegunDeletion {
  id: ConversationId
  keepSandbox: boolean
}

/**
 * Conversations whose deletion was begun: no request finds them any more. The row goes with the conversation's own. Asked
 * with every request, so that it is kept in memory too.
 */
export class ConversationDeletions {
  readonly #database: Database
  readonly #begun: Map<string, BegunDeletion>

  constructor(database: Database) {
    this.#database = database
    const rows = database.all('SELECT conversation_id, keep_sandbox FROM conversation_deletion')
    this.#begun = new Map(
      rows.map(row => {
        const id = String(row.conversation_id) as ConversationId
        return [id, { id, keepSandbox: row.keep_sandbox === 1 }]
      }),
    )
  }

  all(): BegunDeletion[] {
    return [...this.#begun.values()]
  }

  has(id: ConversationId): boolean {
    return this.#begun.has(id)
  }

  /** `alongside` is committed with it, before it. */
  begin(deletion: BegunDeletion, alongside: () => void = () => {}): void {
    const sql = 'INSERT OR REPLACE INTO conversation_deletion (conversation_id, keep_sandbox) VALUES (?, ?)'
    this.#database.transaction(() => {
      alongside()
      this.#database.run(sql, [deletion.id, deletion.keepSandbox ? 1 : 0])
    })
    this.#begun.set(deletion.id, deletion)
  }

  /** The conversation stays after all. */
  withdraw(id: ConversationId): void {
    this.#database.run('DELETE FROM conversation_deletion WHERE conversation_id = ?', [id])
    this.#begun.delete(id)
  }

  /** Its conversation is gone. */
  end(id: ConversationId): void {
    this.#begun.delete(id)
  }
}

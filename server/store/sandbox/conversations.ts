import type { Database } from '../database/database.ts'

export interface SandboxConversation {
  id: string
  title: string | null
  updatedAt: string
  archived: boolean
}

const MAX_LISTED = 20

/** Which conversations work in a sandbox, as far as somebody who looks at sandboxes wants to know. */
export class SandboxConversations {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** The one that changed last first. */
  of(sandboxId: string): SandboxConversation[] {
    const sql =
      'SELECT id, title, updated_at, archived_at FROM conversation WHERE sandbox_id = ? ORDER BY updated_at DESC, id LIMIT ?'
    return this.#database.all(sql, [sandboxId, MAX_LISTED]).map(row => ({
      id: String(row.id),
      title: row.title === null ? null : String(row.title),
      updatedAt: String(row.updated_at),
      archived: row.archived_at !== null,
    }))
  }
}

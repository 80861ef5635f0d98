import type { Database } from '../database/database.ts'

export type RemovalReason = 'deleted' | 'abandoned'

/**
 * Sandboxes that are to be removed, written before the removal begins and kept until the engine has nothing of them any
 * more: a removal outlives this process and the engine. Read often, so that it is kept in memory too.
 */
export class SandboxRemovals {
  readonly #database: Database
  readonly #reasons: Map<string, RemovalReason>

  constructor(database: Database) {
    this.#database = database
    const rows = database.all('SELECT sandbox_id, reason FROM sandbox_removal')
    this.#reasons = new Map(
      rows.map(row => [String(row.sandbox_id), row.reason === 'deleted' ? 'deleted' : 'abandoned']),
    )
  }

  get all(): ReadonlyMap<string, RemovalReason> {
    return this.#reasons
  }

  /** One that was deleted stays deleted. @throws AppError store_failed, and then it is known until the service ends */
  begin(sandboxId: string, reason: RemovalReason): void {
    if (this.#reasons.get(sandboxId) === 'deleted' || this.#reasons.get(sandboxId) === reason) return
    this.#reasons.set(sandboxId, reason)
    const sql = `INSERT INTO sandbox_removal (sandbox_id, reason) VALUES (?, ?)
      ON CONFLICT (sandbox_id) DO UPDATE SET reason = excluded.reason`
    this.#database.run(sql, [sandboxId, reason])
  }

  forget(sandboxId: string): void {
    if (!this.#reasons.delete(sandboxId)) return
    this.#database.run('DELETE FROM sandbox_removal WHERE sandbox_id = ?', [sandboxId])
  }

  /** Whether a conversation works in it. */
  isUsed(sandboxId: string): boolean {
    return this.#database.get('SELECT 1 FROM conversation WHERE sandbox_id = ? LIMIT 1', [sandboxId]) !== undefined
  }
}

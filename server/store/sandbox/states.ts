import type { Database } from '../database/database.ts'

/** What one engine last said of each of its sandboxes, as JSON text: for the times in which it cannot be asked. */
export class SandboxStates {
  readonly #database: Database
  readonly #engineId: string

  constructor(database: Database, engineId: string) {
    this.#database = database
    this.#engineId = engineId
  }

  all(): string[] {
    const rows = this.#database.all('SELECT body FROM sandbox_state WHERE engine_id = ?', [this.#engineId])
    return rows.map(row => String(row.body))
  }

  /** From now on it is this engine's: one engine may have been known under two names. */
  save(sandboxId: string, body: string): void {
    const sql = `INSERT INTO sandbox_state (sandbox_id, body, engine_id) VALUES (?, ?, ?)
      ON CONFLICT (sandbox_id) DO UPDATE SET body = excluded.body, engine_id = excluded.engine_id`
    this.#database.run(sql, [sandboxId, body, this.#engineId])
  }

  remove(sandboxId: string): void {
    this.#database.run('DELETE FROM sandbox_state WHERE sandbox_id = ? AND engine_id = ?', [sandboxId, this.#engineId])
  }
}

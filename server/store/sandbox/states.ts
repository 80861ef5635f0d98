import type { Database } from '../database/database.ts'

/** What the engine last said of each sandbox, as JSON text: for the times in which it cannot be asked. */
export class SandboxStates {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  all(): string[] {
    return this.#database.all('SELECT body FROM sandbox_state').map(row => String(row.body))
  }

  save(sandboxId: string, body: string): void {
    const sql = `INSERT INTO sandbox_state (sandbox_id, body) VALUES (?, ?)
      ON CONFLICT (sandbox_id) DO UPDATE SET body = excluded.body`
    this.#database.run(sql, [sandboxId, body])
  }

  remove(sandboxId: string): void {
    this.#database.run('DELETE FROM sandbox_state WHERE sandbox_id = ?', [sandboxId])
  }
}

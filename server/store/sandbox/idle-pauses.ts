import type { Database } from '../database/database.ts'

/**
 * Sandboxes that were paused for want of use, and after how many minutes: what needs one resumes it, while one that a person paused
 * stays so. Written before the pause, so that no pause of ours is taken for a person's. By their ids alone, whatever entry their engine
 * is known under. Read often, so kept in memory.
 */
export class SandboxIdlePauses {
  readonly #database: Database
  readonly #minutes: Map<string, number>

  constructor(database: Database) {
    this.#database = database
    const rows = database.all('SELECT sandbox_id, minutes FROM sandbox_idle_pause')
    this.#minutes = new Map(rows.map(row => [String(row.sandbox_id), Number(row.minutes)]))
  }

  get ids(): string[] {
    return [...this.#minutes.keys()]
  }

  minutesOf(sandboxId: string): number | undefined {
    return this.#minutes.get(sandboxId)
  }

  /** @throws AppError store_failed */
  save(sandboxId: string, minutes: number): void {
    const sql = `INSERT INTO sandbox_idle_pause (sandbox_id, minutes) VALUES (?, ?)
      ON CONFLICT (sandbox_id) DO UPDATE SET minutes = excluded.minutes`
    this.#database.run(sql, [sandboxId, minutes])
    this.#minutes.set(sandboxId, minutes)
  }

  /** @returns whether there was one */
  forget(sandboxId: string): boolean {
    if (!this.#minutes.delete(sandboxId)) return false
    this.#database.run('DELETE FROM sandbox_idle_pause WHERE sandbox_id = ?', [sandboxId])
    return true
  }

  /** Whether an agent works in it now. */
  isWorkedIn(sandboxId: string): boolean {
    const sql = "SELECT 1 FROM conversation WHERE sandbox_id = ? AND execution_status = 'running' LIMIT 1"
    return this.#database.get(sql, [sandboxId]) !== undefined
  }
}

import { z } from 'zod'
import { type EngineAddress, engineAddress } from '../../api/v1/system/engines.ts'
import type { Database } from '../database/database.ts'
import { json } from '../database/json.ts'

export interface EngineRow {
  id: string
  createdAt: string
  name: string
  address: EngineAddress
}

const row = z
  .object({
    id: z.string().regex(/^engine-\w+$/),
    created_at: z.string(),
    name: z.string().min(1).max(100),
    address: json(engineAddress),
  })
  .transform(({ created_at: createdAt, ...rest }): EngineRow => ({ ...rest, createdAt }))

/** Engines that a person added. */
export class EngineTable {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** Oldest first. One that cannot be read is left out, and what is kept of its sandboxes stays. */
  all(): EngineRow[] {
    const found = this.#database.all('SELECT id, created_at, name, address FROM engine ORDER BY created_at, id')
    return this.#database.damaged.readAll(
      'engine',
      found,
      one => one.id,
      one => row.parse(one),
    )
  }

  insert({ id, createdAt, name, address }: EngineRow): void {
    const sql = 'INSERT INTO engine (id, created_at, name, address) VALUES (?, ?, ?, ?)'
    this.#database.run(sql, [id, createdAt, name, JSON.stringify(address)])
  }

  rename(id: string, name: string): void {
    this.#database.run('UPDATE engine SET name = ? WHERE id = ?', [name, id])
  }

  /**
   * With what was last known of its sandboxes. What they may reach, and that some are to be removed, stays for as long as they may
   * come back with their engine under another entry.
   * @param isCleared whether nothing of them is left there
   */
  delete(id: string, isCleared: boolean): void {
    this.#database.transaction(() => {
      this.#database.run('DELETE FROM sandbox_state WHERE engine_id = ?', [id])
      if (isCleared) this.#database.run('DELETE FROM sandbox_removal WHERE engine_id = ?', [id])
      this.#database.run('DELETE FROM engine WHERE id = ?', [id])
    })
  }
}

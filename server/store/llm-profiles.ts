import { z } from 'zod'
import { modelOptions } from '../api/model-options.ts'
import type { Database, Row } from './database/database.ts'
import { json } from './database/json.ts'

const row = z.object({
  name: z.string(),
  model: z.string(),
  base_url: z.string().nullable(),
  /** Which item of the vault holds its key. */
  vault_item: z.string().nullable(),
  /** How it is asked. */
  options: json(modelOptions),
})
export type LlmProfileRow = z.output<typeof row>

/** Models that were saved under a name. */
export class LlmProfileTable {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** In the order of their names. */
  all(): LlmProfileRow[] {
    const sql = 'SELECT name, model, base_url, vault_item, options FROM llm_profile ORDER BY name COLLATE NOCASE, name'
    return this.#readable(this.#database.all(sql))
  }

  get(name: string): LlmProfileRow | undefined {
    const sql = 'SELECT name, model, base_url, vault_item, options FROM llm_profile WHERE name = ?'
    const found = this.#database.get(sql, [name])
    return found && this.#readable([found])[0]
  }

  #readable(found: Row[]): LlmProfileRow[] {
    return this.#database.damaged.readAll(
      'llm_profile',
      found,
      one => one.name,
      one => row.parse(one),
    )
  }

  /** Replaces one of the same name. */
  put({ name, model, base_url, vault_item, options }: LlmProfileRow): void {
    this.#database.run(
      'INSERT OR REPLACE INTO llm_profile (name, model, base_url, vault_item, options) VALUES (?, ?, ?, ?, ?)',
      [name, model, base_url, vault_item, JSON.stringify(options)],
    )
  }

  rename(name: string, newName: string): void {
    this.#database.run('UPDATE llm_profile SET name = ? WHERE name = ?', [newName, name])
  }

  delete(name: string): void {
    this.#database.run('DELETE FROM llm_profile WHERE name = ?', [name])
  }
}

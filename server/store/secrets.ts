import { z } from 'zod'
import type { Database } from './database/database.ts'

const row = z.object({ name: z.string(), description: z.string(), vault_item: z.string() })

/** A custom secret's name; its value is the vault's. */
export type SecretRow = z.output<typeof row>

export class SecretTable {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** In the order of their names. */
  all(): SecretRow[] {
    const found = this.#database.all(
      'SELECT name, description, vault_item FROM secret ORDER BY name COLLATE NOCASE, name',
    )
    return this.#database.damaged.readAll(
      'secret',
      found,
      one => one.name,
      one => row.parse(one),
    )
  }

  get(name: string): SecretRow | undefined {
    const found = this.#database.get('SELECT name, description, vault_item FROM secret WHERE name = ?', [name])
    return found && this.#database.damaged.read('secret', name, () => row.parse(found))
  }

  /** Replaces one of the same name. */
  put({ name, description, vault_item }: SecretRow): void {
    this.#database.run(
      `INSERT INTO secret (name, description, vault_item, created_at) VALUES (?, ?, ?, ?)
       ON CONFLICT (name) DO UPDATE SET description = excluded.description, vault_item = excluded.vault_item`,
      [name, description, vault_item, new Date().toISOString()],
    )
  }

  update(name: string, change: { name: string; description: string }): void {
    this.#database.run('UPDATE secret SET name = ?, description = ? WHERE name = ?', [
      change.name,
      change.description,
      name,
    ])
  }

  delete(name: string): void {
    this.#database.run('DELETE FROM secret WHERE name = ?', [name])
  }
}

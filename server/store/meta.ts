import { randomToken } from '../ids.ts'
import type { Database } from './database.ts'

/** One thing that the service remembers by a name. */
export class MetaRow {
  readonly #database: Database
  readonly #name: 'gateway_sandbox' | 'gateway_misc_settings' | 'active_llm_profile'

  constructor(database: Database, name: 'gateway_sandbox' | 'gateway_misc_settings' | 'active_llm_profile') {
    this.#database = database
    this.#name = name
  }

  get(): string | null {
    const found = this.#database.get('SELECT value FROM meta WHERE name = ?', [this.#name])
    return found ? String(found.value) : null
  }

  set(value: string | null): void {
    if (value === null) this.#database.run('DELETE FROM meta WHERE name = ?', [this.#name])
    else this.#database.run('INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)', [this.#name, value])
  }
}

/** Made once per data folder; labels the containers that belong to it. */
export function instanceId(database: Database): string {
  const found = database.get("SELECT value FROM meta WHERE name = 'instance_id'")
  if (found) return String(found.value)
  const id = randomToken(12)
  database.run("INSERT INTO meta (name, value) VALUES ('instance_id', ?)", [id])
  return id
}

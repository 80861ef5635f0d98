import { randomToken } from '../../domain/ids.ts'
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

  /** What the text says; undefined where there is none, or none that can be read. */
  parsed<T>(parse: (text: string) => T): T | undefined {
    const text = this.get()
    return text === null ? undefined : this.#database.damaged.read('meta', this.#name, () => parse(text))
  }

  set(value: string | null): void {
    if (value === null) this.#database.run('DELETE FROM meta WHERE name = ?', [this.#name])
    else this.#database.run('INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)', [this.#name, value])
  }
}

/** Made once per data folder; labels the containers that belong to it. `otherwise` is stored where there is none. */
export function instanceId(database: Database, otherwise = randomToken(12)): string {
  const found = database.get("SELECT value FROM meta WHERE name = 'instance_id'")
  if (found) return String(found.value)
  database.run("INSERT INTO meta (name, value) VALUES ('instance_id', ?)", [otherwise])
  return otherwise
}

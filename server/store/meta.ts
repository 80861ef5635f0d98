import { randomToken } from '../ids.ts'
import type { Database } from './database.ts'

/** The sandbox of those who come to the gateway with the app's own key. */
export class GatewaySandboxRow {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  get(): string | null {
    const found = this.#database.get("SELECT value FROM meta WHERE name = 'gateway_sandbox'")
    return found ? String(found.value) : null
  }

  set(id: string): void {
    this.#database.run("INSERT OR REPLACE INTO meta (name, value) VALUES ('gateway_sandbox', ?)", [id])
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

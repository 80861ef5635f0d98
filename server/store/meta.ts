import { randomToken } from '../ids.ts'
import type { Database } from './database.ts'

/** Made once per data folder; labels the containers that belong to it. */
export function instanceId(database: Database): string {
  const found = database.get("SELECT value FROM meta WHERE name = 'instance_id'")
  if (found) return String(found.value)
  const id = randomToken(12)
  database.run("INSERT INTO meta (name, value) VALUES ('instance_id', ?)", [id])
  return id
}

import { settingsFields } from '../api/v1/settings/settings.ts'
import type { Database } from './database/database.ts'

/** One row a field, value as JSON. A field without a row has never been stored. */
export class SettingTable {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  read(): Record<string, unknown> {
    const rows = this.#database.damaged.readAll(
      'setting',
      this.#database.all('SELECT name, value FROM setting'),
      found => found.name,
      found => [String(found.name), parse(String(found.name), String(found.value))] as const,
    )
    return Object.fromEntries(rows)
  }

  write(fields: Record<string, unknown>): void {
    this.#database.transaction(() => {
      for (const [name, value] of Object.entries(fields)) {
        this.#database.run('INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)', [name, JSON.stringify(value)])
      }
    })
  }
}

/** What is not of its field's kind is as damaged as what is no JSON: the field is then as if it had never been stored. */
function parse(name: string, text: string): unknown {
  const value: unknown = JSON.parse(text)
  const field = Object.hasOwn(settingsFields, name) ? settingsFields[name as keyof typeof settingsFields] : undefined
  return field ? field.nullable().parse(value) : value
}

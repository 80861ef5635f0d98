import type { Database } from './database.ts'

/** One row a field, value as JSON. A field without a row has never been stored. */
export class SettingTable {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  read(): Record<string, unknown> {
    const rows = this.#database.all('SELECT name, value FROM setting')
    return Object.fromEntries(rows.map(found => [String(found.name), JSON.parse(String(found.value))]))
  }

  write(fields: Record<string, unknown>): void {
    this.#database.transaction(() => {
      for (const [name, value] of Object.entries(fields)) {
        this.#database.run('INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)', [name, JSON.stringify(value)])
      }
    })
  }
}

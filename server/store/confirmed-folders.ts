import type { Database } from './database/database.ts'

/** Folders of this computer in which a person lets agents work themselves. */
export class ConfirmedFolderTable {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  has(path: string): boolean {
    return this.#database.get('SELECT 1 AS found FROM confirmed_folder WHERE path = ?', [path]) !== undefined
  }

  add(path: string): void {
    this.#database.run('INSERT OR IGNORE INTO confirmed_folder (path, confirmed_at) VALUES (?, ?)', [
      path,
      new Date().toISOString(),
    ])
  }
}

import type { Database } from './database/database.ts'

/**
 * Items of the vault that no row names: written, but not committed yet, or given up, but not deleted yet. What stands
 * here after a crash is what the crash left behind.
 */
export class OrphanedVaultItemTable {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  all(): string[] {
    return this.#database.all('SELECT name FROM stray_vault_item').map(found => String(found.name))
  }

  add(names: readonly string[]): void {
    this.#database.transaction(() => this.#insert(names))
  }

  remove(name: string): void {
    this.#database.run('DELETE FROM stray_vault_item WHERE name = ?', [name])
  }

  /** Lets `commit` name the kept items in rows and adds those that it gives up, all or nothing. */
  settle(kept: readonly string[], commit: () => readonly string[]): void {
    this.#database.transaction(() => {
      for (const name of kept) this.remove(name)
      this.#insert(commit())
    })
  }

  #insert(names: readonly string[]): void {
    for (const name of names) {
      this.#database.run('INSERT OR IGNORE INTO stray_vault_item (name) VALUES (?)', [name])
    }
  }
}

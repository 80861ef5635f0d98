import { z } from 'zod'
import { type TrustedItem, trustedItem } from '../api/v1/conversation/repository-trust.ts'
import type { Database, Row } from './database/database.ts'
import { json } from './database/json.ts'

const row = z.object({ repository: z.string(), body: json(trustedItem) })

/** What a person trusts, by repository and content. Secrets by name only. */
export class TrustedRepositoryTable {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** The last first. What cannot be read is not trusted. */
  all(): { repository: string; item: TrustedItem }[] {
    const found = this.#database.all(
      'SELECT repository, body FROM trusted_repository ORDER BY trusted_at DESC, repository',
    )
    return this.#database.damaged.readAll('trusted_repository', found, keyOf, one => {
      const { repository, body } = row.parse(one)
      return { repository, item: body }
    })
  }

  get(repository: string, sha256: string): TrustedItem | undefined {
    const sql = 'SELECT repository, body FROM trusted_repository WHERE repository = ? AND sha256 = ?'
    const found = this.#database.get(sql, [repository, sha256])
    return found && this.#database.damaged.read('trusted_repository', keyOf(found), () => row.parse(found).body)
  }

  /** Replaces one of the same content. All or none. */
  put(repository: string, items: readonly TrustedItem[]): void {
    this.#database.transaction(() => {
      for (const item of items) {
        this.#database.run(
          'INSERT OR REPLACE INTO trusted_repository (repository, sha256, trusted_at, body) VALUES (?, ?, ?, ?)',
          [repository, item.sha256, item.trusted_at, JSON.stringify(item)],
        )
      }
    })
  }

  /** @returns whether there was any */
  delete(repository: string): boolean {
    return this.#database.run('DELETE FROM trusted_repository WHERE repository = ?', [repository]) > 0
  }
}

function keyOf({ repository }: Row): string {
  return String(repository).slice(0, 200)
}

import { z } from 'zod'
import { gitProvider } from '../api/v1/conversation/conversations.ts'
import type { Database } from './database/database.ts'

const row = z.object({
  provider: gitProvider,
  host: z.string().nullable(),
  user_id: z.string().nullable(),
  vault_item: z.string(),
})

/** Where a provider's token is for; the token itself is the vault's. */
export type ProviderTokenRow = z.output<typeof row>

export class ProviderTokenTable {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  all(): ProviderTokenRow[] {
    const found = this.#database.all('SELECT provider, host, user_id, vault_item FROM provider_token ORDER BY rowid')
    return this.#database.damaged.readAll(
      'provider_token',
      found,
      one => one.provider,
      one => row.parse(one),
    )
  }

  /** Inside a transaction of the caller's. */
  replaceAll(rows: readonly ProviderTokenRow[]): void {
    this.#database.run('DELETE FROM provider_token')
    for (const { provider, host, user_id, vault_item } of rows) {
      this.#database.run('INSERT INTO provider_token (provider, host, user_id, vault_item) VALUES (?, ?, ?, ?)', [
        provider,
        host,
        user_id,
        vault_item,
      ])
    }
  }
}

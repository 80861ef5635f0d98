import { z } from 'zod'
import { gitProvider } from '../api/v1/conversation/conversations.ts'
import { gitSoftware } from '../api/v1/git/software.ts'
import type { Database } from './database/database.ts'
import { json } from './database/json.ts'

/** How a token of a sign-in is renewed, and when it expires. */
const renewal = z.object({
  /** Of the refresh token, which is the vault's too. */
  vault_item: z.string(),
  client_id: z.string(),
  /** Milliseconds since 1970. */
  expires_at: z.number(),
})

const row = z.object({
  provider: gitProvider,
  host: z.string().nullable(),
  user_id: z.string().nullable(),
  vault_item: z.string(),
  /** Of `enterprise_sso`, once it was found out; null with every other provider. */
  software: gitSoftware.nullable(),
  /** Null for a token that stays valid until it is revoked. */
  renewal: json(renewal).nullable(),
})

/** Where a provider's token is for; the token itself is the vault's. */
export type ProviderTokenRow = z.output<typeof row>

export class ProviderTokenTable {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  all(): ProviderTokenRow[] {
    const sql = 'SELECT provider, host, user_id, vault_item, software, renewal FROM provider_token ORDER BY rowid'
    const found = this.#database.all(sql)
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
    const sql = `INSERT INTO provider_token (provider, host, user_id, vault_item, software, renewal)
      VALUES (?, ?, ?, ?, ?, ?)`
    for (const { provider, host, user_id, vault_item, software, renewal } of rows) {
      this.#database.run(sql, [provider, host, user_id, vault_item, software, renewal && JSON.stringify(renewal)])
    }
  }
}

/** Everything of a token that is in the vault. */
export function vaultItemsOf({ vault_item, renewal }: ProviderTokenRow): string[] {
  return renewal ? [vault_item, renewal.vault_item] : [vault_item]
}

import type { GitProvider } from '../api/v1/conversation/conversations.ts'
import { timeLimit } from '../async/time-limit.ts'
import { BOUNDS } from '../domain/bounds.ts'
import { isAppError } from '../domain/errors.ts'
import { authorizationServer } from '../git-providers/sign-in/authorization-server.ts'
import { renewGrant, type TokenGrant } from '../git-providers/sign-in/token-grant.ts'
import type { ProviderTokenRow } from '../store/provider-tokens.ts'
import type { VaultItems } from './vault/items.ts'

interface Dependencies {
  items: Pick<VaultItems, 'read'>
  fetch: typeof globalThis.fetch
  /** The row as it is now. */
  current: (provider: GitProvider) => ProviderTokenRow | undefined
  /** Stores it in the place of what `row` names, unless that was replaced meanwhile. @throws AppError of the vault */
  store: (row: ProviderTokenRow, grant: TokenGrant) => Promise<void>
}

/** So long before its end a token is renewed: a clone or a push that begins now needs it for a while. */
const MARGIN_MS = 5 * 60_000

/** Keeps the tokens of sign-ins valid. Each is renewed once at a time, as a refresh token counts once. */
export class TokenRenewals {
  readonly #dependencies: Dependencies
  readonly #running = new Map<GitProvider, Promise<string | null>>()
  /** What could not be stored yet, by the item of the refresh token that it was exchanged for. */
  readonly #unstored = new Map<string, TokenGrant>()

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  /** The stored token, renewed first where it expires. @throws AppError of the vault, provider_token_invalid, provider_unavailable */
  async token(row: ProviderTokenRow): Promise<string | null> {
    const { items } = this.#dependencies
    const { renewal } = row
    if (!renewal || Date.now() < renewal.expires_at - MARGIN_MS) return items.read(row.vault_item)
    try {
      return await this.#renewOnce(row.provider, row.vault_item)
    } catch (error) {
      const isValid = Date.now() < renewal.expires_at
      if (isValid && isAppError(error, 'provider_unavailable')) return items.read(row.vault_item)
      throw error
    }
  }

  /** Another token in the place of one that the provider refuses; null where there is none. @throws AppError as `token` */
  async renewed(provider: GitProvider, refused: string): Promise<string | null> {
    const row = this.#dependencies.current(provider)
    if (!row?.renewal) return null
    const token = await this.#dependencies.items.read(row.vault_item)
    return token === refused ? this.#renewOnce(provider, row.vault_item) : token
  }

  /** Resolves when nothing is renewed any more. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#running.values())
  }

  #renewOnce(provider: GitProvider, item: string): Promise<string | null> {
    const running = this.#running.get(provider)
    if (running) return running
    const renewing = this.#renew(provider, item).finally(() => this.#running.delete(provider))
    this.#running.set(provider, renewing)
    return renewing
  }

  async #renew(provider: GitProvider, item: string): Promise<string | null> {
    const { items, fetch, current, store } = this.#dependencies
    const row = current(provider)
    if (!row) return null
    // Renewed, or replaced by another, since the caller looked.
    if (row.vault_item !== item || !row.renewal) return items.read(row.vault_item)
    const { vault_item, client_id } = row.renewal
    let grant = this.#unstored.get(vault_item)
    if (!grant) {
      const refreshToken = await items.read(vault_item)
      if (refreshToken === null) return items.read(row.vault_item)
      const server = authorizationServer({ provider, host: row.host || null, clientId: client_id })
      grant = await renewGrant(server, refreshToken, { fetch, signal: timeLimit(BOUNDS.gitDataTime.limit) })
      this.#unstored.set(vault_item, grant)
    }
    await store(row, grant)
    this.#unstored.delete(vault_item)
    return grant.token
  }
}

import { GIT_PROVIDERS, type GitProvider } from '../api/v1/conversation/conversations.ts'
import type { GitSoftware } from '../api/v1/git/software.ts'
import type { ProviderToken, ProviderTokens as TokensByProvider } from '../api/v1/settings/user-secrets.ts'
import { createMutex, type Mutex } from '../async/mutex.ts'
import type { Bus } from '../bus.ts'
import { AppError, isAppError } from '../domain/errors.ts'
import { providerOf } from '../git-providers/providers.ts'
import type { SignedIn } from '../git-providers/sign-in/sign-ins.ts'
import type { TokenGrant } from '../git-providers/sign-in/token-grant.ts'
import type { VerifiedToken } from '../git-providers/verify-token.ts'
import { type ProviderTokenRow, type ProviderTokenTable, vaultItemsOf } from '../store/provider-tokens.ts'
import { isUnchanged } from './mask/input.ts'
import { TokenRenewals } from './token-renewal.ts'
import type { VaultItems } from './vault/items.ts'

/** Whose token it is, by the word of the provider at a host. @throws AppError provider_token_invalid, provider_unavailable */
export type VerifyToken = (
  asked: { provider: GitProvider; token: string; host: string | null },
  signal: AbortSignal,
) => Promise<VerifiedToken>

interface Dependencies {
  table: ProviderTokenTable
  items: VaultItems
  verify: VerifyToken
  fetch: typeof globalThis.fetch
  bus: Bus
}

type Entry = [provider: GitProvider, given: ProviderToken]

/** The tokens of git providers, one each. */
export class ProviderTokens {
  readonly #dependencies: Dependencies
  readonly #mutex: Mutex = createMutex()
  readonly #renewals: TokenRenewals

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
    this.#renewals = new TokenRenewals({
      ...dependencies,
      current: provider => this.#stored(provider),
      store: (row, grant) => this.#storeRenewed(row, grant),
    })
  }

  /** Those that have a token, without asking the vault. */
  rows(): ProviderTokenRow[] {
    return this.#dependencies.table.all().filter(row => !this.#dependencies.items.isGone(row.vault_item))
  }

  /** Host by provider, for those that have a token; null is the provider's own. */
  async hosts(): Promise<Record<string, string | null>> {
    await this.#dependencies.items.learn(this.#dependencies.table.all().map(row => row.vault_item))
    return Object.fromEntries(this.rows().map(row => [row.provider, row.host]))
  }

  /** Renewed first, where it has expired. @throws AppError of the vault, provider_token_invalid, provider_unavailable */
  token(row: ProviderTokenRow): Promise<string | null> {
    return this.#renewals.token(row)
  }

  /** Another token in the place of one that the provider refuses; null where there is none. @throws AppError as `token` */
  renewed({ provider }: ProviderTokenRow, refused: string): Promise<string | null> {
    return this.#renewals.renewed(provider, refused)
  }

  /** Resolves when no token is renewed any more. */
  close(): Promise<void> {
    return this.#renewals.close()
  }

  /**
   * Takes `given` for the whole map: a provider that it does not name is removed, an entry without a token keeps the
   * stored one. Every new token, and every stored one whose host changes, is checked first.
   * @throws AppError provider_token_invalid, provider_unavailable, or one of the vault: then nothing has changed
   */
  replace(given: TokensByProvider, signal: AbortSignal): Promise<void> {
    return this.#mutex(async () => {
      await this.hosts()
      const entries = entriesOf(given)
      const found = await this.#verifyAll(entries, signal)
      await this.#store(entries, [], found)
    })
  }

  /** Adds or replaces what is named, and leaves the others. Nothing is asked of the providers. */
  merge(given: TokensByProvider): Promise<void> {
    return this.#mutex(async () => {
      await this.hosts()
      const entries = entriesOf(given)
      const named = new Set(entries.map(([provider]) => provider))
      const others = this.rows().filter(row => !named.has(row.provider))
      await this.#store(entries, others, new Map())
    })
  }

  /**
   * Stores the token of a sign-in, once the provider has said whose it is, and leaves those of other providers.
   * @returns the user's name @throws AppError provider_token_invalid, provider_unavailable, or one of the vault
   */
  readonly storeSignedIn = async (signedIn: SignedIn, signal: AbortSignal): Promise<string> => {
    const { provider, host, clientId, grant } = signedIn
    const { user } = await this.#dependencies.verify({ provider, token: grant.token, host }, signal)
    await this.#mutex(async () => {
      await this.hosts()
      signal.throwIfAborted()
      await this.#storeGrant({ provider, host, user_id: null }, clientId, grant)
    })
    return user
  }

  /**
   * Asks the provider whose token is stored.
   * @throws AppError secret_not_found, provider_token_invalid, provider_unavailable, or one of the vault
   */
  async test(provider: GitProvider, signal: AbortSignal): Promise<VerifiedToken & { host: string }> {
    const stored = this.#stored(provider)
    const known = providerOf(stored ?? { provider, software: null })
    const title = known?.title ?? provider
    const token = stored && (await this.token(stored))
    if (!stored || !token) throw new AppError('secret_not_found', `No token of ${title} is stored. Add one first.`)
    const host = stored.host || (known?.host ?? '')
    const verify = (token: string) => this.#dependencies.verify({ provider, token, host: stored.host }, signal)
    try {
      const verified = await verify(token).catch(async error => {
        const renewed = isAppError(error, 'provider_token_invalid') ? await this.renewed(stored, token) : null
        if (renewed === null) throw error
        return verify(renewed)
      })
      await this.#storeSoftware(stored, verified.software)
      return { ...verified, host }
    } catch (error) {
      // Where no server is named nobody refused anything.
      if (!isAppError(error, 'provider_token_invalid') || !host) throw error
      const refused = `${title} at ${host} refuses the stored token: it was revoked, or has expired. Change it.`
      throw new AppError('provider_token_invalid', refused, { cause: error })
    }
  }

  /** @throws AppError of the vault, with everything as it was */
  clear(): Promise<void> {
    return this.#mutex(async () => {
      const { table, items, bus } = this.#dependencies
      const rows = table.all()
      await items.remove(rows.flatMap(vaultItemsOf), () => table.replaceAll([]))
      bus.publish({ resource: 'settings' })
    })
  }

  async #verifyAll(entries: readonly Entry[], signal: AbortSignal): Promise<Map<GitProvider, GitSoftware>> {
    const found = new Map<GitProvider, GitSoftware>()
    const { verify } = this.#dependencies
    const checks = entries.map(async ([provider, given]) => {
      const host = given.host || null
      const stored = this.#stored(provider)
      const entered = isUnchanged(given.token) ? undefined : given.token?.trim()
      const moved = stored !== undefined && (stored.host || null) !== host
      const token = entered ?? (moved ? await this.#dependencies.items.read(stored.vault_item) : null)
      if (token) found.set(provider, (await verify({ provider, token, host }, signal)).software)
    })
    const failures = (await Promise.allSettled(checks)).flatMap(check =>
      check.status === 'rejected' ? [check.reason] : [],
    )
    if (failures.length > 0) throw mostSevere(failures)
    return found
  }

  async #store(
    entries: readonly Entry[],
    others: readonly ProviderTokenRow[],
    found: ReadonlyMap<GitProvider, GitSoftware>,
  ): Promise<void> {
    const { table, items, bus } = this.#dependencies
    const entered = entries.filter(([, given]) => !isUnchanged(given.token))
    const before = table.all()
    await items.store(
      entered.map(([, given]) => given.token?.trim() ?? ''),
      written => {
        const rows = entries.flatMap(([provider, given]): ProviderTokenRow[] => {
          const item = written[entered.findIndex(([name]) => name === provider)]
          const stored = this.#stored(provider)
          if (item === undefined && !stored) return []
          return [
            {
              provider,
              host: given.host ?? null,
              user_id: (item === undefined ? stored?.user_id : given.user_id) ?? null,
              vault_item: item ?? stored?.vault_item ?? '',
              software: null,
              renewal: null,
              ...(item === undefined && stored && keptAt(stored, given.host || null)),
              ...(provider === 'enterprise_sso' && found.has(provider) && { software: found.get(provider) ?? null }),
            },
          ]
        })
        const kept = [...others, ...rows]
        table.replaceAll(kept)
        return unusedItems(before, kept)
      },
    )
    bus.publish({ resource: 'settings' })
  }

  /** Known of a token that was stored without a check. */
  async #storeSoftware(row: ProviderTokenRow, software: GitSoftware): Promise<void> {
    if (row.provider !== 'enterprise_sso' || row.software === software) return
    await this.#mutex(async () => {
      const { table, items, bus } = this.#dependencies
      await items.store([], () => {
        table.replaceAll(this.rows().map(one => (one.vault_item === row.vault_item ? { ...one, software } : one)))
        return []
      })
      bus.publish({ resource: 'settings' })
    })
  }

  #storeRenewed(row: ProviderTokenRow, grant: TokenGrant): Promise<void> {
    return this.#mutex(async () => {
      const current = this.#stored(row.provider)
      if (!current?.renewal || current.vault_item !== row.vault_item) return
      await this.#storeGrant(current, current.renewal.client_id, grant)
    })
  }

  async #storeGrant(
    { provider, host, user_id }: Pick<ProviderTokenRow, 'provider' | 'host' | 'user_id'>,
    client_id: string,
    { token, renewal }: TokenGrant,
  ): Promise<void> {
    const { table, items, bus } = this.#dependencies
    const before = table.all()
    await items.store([token, ...(renewal ? [renewal.refreshToken] : [])], ([tokenItem = '', refreshItem = '']) => {
      const row: ProviderTokenRow = {
        provider,
        host,
        user_id,
        vault_item: tokenItem,
        software: null,
        renewal: renewal && { vault_item: refreshItem, client_id, expires_at: renewal.expiresAt },
      }
      const kept = [...this.rows().filter(one => one.provider !== provider), row]
      table.replaceAll(kept)
      return unusedItems(before, kept)
    })
    bus.publish({ resource: 'settings' })
  }

  #stored(provider: GitProvider): ProviderTokenRow | undefined {
    return this.rows().find(row => row.provider === provider)
  }
}

function entriesOf(given: TokensByProvider): Entry[] {
  return GIT_PROVIDERS.flatMap((provider): Entry[] => {
    const entry = given[provider]
    return entry ? [[provider, entry]] : []
  })
}

/** What is true of a token at one host alone, and stays behind where it is moved to another. */
function keptAt({ host, software, renewal }: ProviderTokenRow, next: string | null) {
  return (host || null) === next ? { software, renewal } : {}
}

function unusedItems(before: readonly ProviderTokenRow[], kept: readonly ProviderTokenRow[]): string[] {
  const used = new Set(kept.flatMap(vaultItemsOf))
  return before.flatMap(vaultItemsOf).filter(item => !used.has(item))
}

/** A wrong token comes first, as the user can correct it; an unreachable provider is reported when nothing else is wrong. */
function mostSevere(failures: readonly unknown[]): unknown {
  const invalid = failures.find(
    failure => failure instanceof Error && 'code' in failure && failure.code === 'provider_token_invalid',
  )
  return invalid ?? failures[0]
}

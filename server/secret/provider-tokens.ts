import { GIT_PROVIDERS, type GitProvider } from '../api/v1/conversation/conversations.ts'
import type { ProviderToken, ProviderTokens as TokensByProvider } from '../api/v1/settings/user-secrets.ts'
import { createMutex, type Mutex } from '../async/mutex.ts'
import type { Bus } from '../bus.ts'
import { AppError, isAppError } from '../domain/errors.ts'
import { PROVIDERS } from '../git-providers/providers.ts'
import type { ProviderTokenRow, ProviderTokenTable } from '../store/provider-tokens.ts'
import { isUnchanged } from './mask/input.ts'
import type { VaultItems } from './vault/items.ts'

/** Whose token it is, by the word of the provider at a host. @throws AppError provider_token_invalid, provider_unavailable */
export type VerifyToken = (
  asked: { provider: GitProvider; token: string; host: string | null },
  signal: AbortSignal,
) => Promise<string>

interface Dependencies {
  table: ProviderTokenTable
  items: VaultItems
  verify: VerifyToken
  bus: Bus
}

type Entry = [provider: GitProvider, given: ProviderToken]

/** The tokens of git providers, one each. */
export class ProviderTokens {
  readonly #dependencies: Dependencies
  readonly #mutex: Mutex = createMutex()

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
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

  hostOf(provider: GitProvider): string | null {
    return this.rows().find(row => row.provider === provider)?.host ?? null
  }

  /** @throws AppError of the vault */
  async token(row: ProviderTokenRow): Promise<string | null> {
    return this.#dependencies.items.read(row.vault_item)
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
      await this.#verifyAll(entries, signal)
      await this.#store(entries, [])
    })
  }

  /** Adds or replaces what is named, and leaves the others. Nothing is asked of the providers. */
  merge(given: TokensByProvider): Promise<void> {
    return this.#mutex(async () => {
      await this.hosts()
      const entries = entriesOf(given)
      const named = new Set(entries.map(([provider]) => provider))
      const others = this.rows().filter(row => !named.has(row.provider))
      await this.#store(entries, others)
    })
  }

  /**
   * Asks the provider whose token is stored.
   * @throws AppError secret_not_found, provider_token_invalid, provider_unavailable, or one of the vault
   */
  async test(provider: GitProvider, signal: AbortSignal): Promise<{ user: string; host: string }> {
    const title = PROVIDERS[provider]?.title ?? provider
    const stored = this.#stored(provider)
    const token = stored && (await this.token(stored))
    if (!stored || !token) throw new AppError('secret_not_found', `No token of ${title} is stored. Add one first.`)
    const host = stored.host || (PROVIDERS[provider]?.host ?? '')
    try {
      return { user: await this.#dependencies.verify({ provider, token, host: stored.host }, signal), host }
    } catch (error) {
      // Of a provider without a service nobody refused anything.
      if (!isAppError(error, 'provider_token_invalid') || !PROVIDERS[provider]) throw error
      const refused = `${title} at ${host} refuses the stored token: it was revoked, or has expired. Change it.`
      throw new AppError('provider_token_invalid', refused, { cause: error })
    }
  }

  /** @throws AppError of the vault, with everything as it was */
  clear(): Promise<void> {
    return this.#mutex(async () => {
      const { table, items, bus } = this.#dependencies
      const rows = table.all()
      await items.remove(
        rows.map(row => row.vault_item),
        () => table.replaceAll([]),
      )
      bus.publish({ resource: 'settings' })
    })
  }

  async #verifyAll(entries: readonly Entry[], signal: AbortSignal): Promise<void> {
    const { verify } = this.#dependencies
    const checks = entries.map(async ([provider, given]) => {
      const host = given.host || null
      const stored = this.#stored(provider)
      const entered = isUnchanged(given.token) ? undefined : given.token?.trim()
      const moved = stored !== undefined && (stored.host || null) !== host
      const token = entered ?? (moved ? await this.token(stored) : null)
      if (token) await verify({ provider, token, host }, signal)
    })
    const failures = (await Promise.allSettled(checks)).flatMap(check =>
      check.status === 'rejected' ? [check.reason] : [],
    )
    if (failures.length > 0) throw mostSevere(failures)
  }

  async #store(entries: readonly Entry[], others: readonly ProviderTokenRow[]): Promise<void> {
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
            },
          ]
        })
        const kept = [...others, ...rows]
        table.replaceAll(kept)
        const used = new Set(kept.map(row => row.vault_item))
        return before.map(row => row.vault_item).filter(item => !used.has(item))
      },
    )
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

/** A wrong token comes first, as the user can correct it; an unreachable provider is reported when nothing else is wrong. */
function mostSevere(failures: readonly unknown[]): unknown {
  const invalid = failures.find(
    failure => failure instanceof Error && 'code' in failure && failure.code === 'provider_token_invalid',
  )
  return invalid ?? failures[0]
}

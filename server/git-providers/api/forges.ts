import { GIT_PROVIDERS, type GitProvider } from '../../api/v1/conversation/conversations.ts'
import type { GitSoftware } from '../../api/v1/git/software.ts'
import { timeLimit } from '../../async/time-limit.ts'
import { BOUNDS } from '../../domain/bounds.ts'
import { AppError } from '../../domain/errors.ts'
import type { ProviderTokenRow } from '../../store/provider-tokens.ts'
import { originOf, providerAt, providerOf, softwareOf } from '../providers.ts'
import type { TokenSource } from '../token-source.ts'
import { bitbucketForge } from './bitbucket/forge.ts'
import { bitbucketDataCenterForge } from './bitbucket-data-center/forge.ts'
import { AnswerCache } from './client/answer-cache.ts'
import type { Forge } from './client/forge.ts'
import { type ClientOptions, ProviderClient } from './client/provider-client.ts'
import { RateLimits } from './client/rate-limits.ts'
import { githubForge } from './github/forge.ts'
import { gitlabForge } from './gitlab/forge.ts'

const FORGES: Readonly<Record<GitSoftware, (client: ProviderClient) => Forge>> = {
  github: githubForge,
  gitlab: gitlabForge,
  bitbucket: client =>
    client.origin.host === 'bitbucket.org' ? bitbucketForge(client) : bitbucketDataCenterForge(client),
}

/** The providers that can be asked, with the token that is stored for each. */
export class Forges {
  readonly #tokens: TokenSource
  readonly #fetch: typeof globalThis.fetch
  readonly #logs: ClientOptions['logs']
  readonly #cache = new AnswerCache()
  readonly #limits = new RateLimits()

  constructor({ tokens, fetch, logs }: { tokens: TokenSource } & Pick<ClientOptions, 'fetch' | 'logs'>) {
    this.#tokens = tokens
    this.#fetch = fetch
    this.#logs = logs
  }

  /** Providers with a token, in the order of the contract. */
  names(): GitProvider[] {
    const stored = new Set(this.#tokens.rows().map(row => row.provider))
    return GIT_PROVIDERS.filter(name => stored.has(name))
  }

  /** Where a provider's repositories are; undefined without a token of it. */
  originOf(name: GitProvider): URL | undefined {
    const row = this.#row(name)
    const provider = row && providerOf(row)
    return provider && row ? originOf(provider, row.host) : undefined
  }

  /**
   * Does `work` with one provider, within the time that it has for one request.
   * @throws AppError unauthorized without a token, not_supported for a provider that has no API, or what `work` throws
   */
  async ask<T>(name: GitProvider, signal: AbortSignal, work: (forge: Forge) => Promise<T>): Promise<T> {
    const row = this.#row(name)
    const token = row && (await this.#tokens.token(row))
    if (!row || !token)
      throw new AppError('provider_token_missing', 'Git provider token required (such as GitHub). Store one first.')
    const provider = providerOf(row)
    const software = softwareOf(row)
    if (!provider || !software)
      throw new AppError(
        'bad_request',
        `Nothing can be asked of ${name} before its token was checked. Test it in Settings › Git, with the host of your GitHub, GitLab or Bitbucket server.`,
      )
    const origin = originOf(provider, row.host)
    const client = new ProviderClient({
      name,
      provider: providerAt(provider, origin),
      token,
      renewed: refused => this.#tokens.renewed(row, refused),
      origin,
      fetch: this.#fetch,
      logs: this.#logs,
      signal: AbortSignal.any([signal, timeLimit(BOUNDS.gitDataTime.limit)]),
      cache: this.#cache,
      limits: this.#limits,
    })
    return work(FORGES[software](client))
  }

  #row(name: GitProvider): ProviderTokenRow | undefined {
    return this.#tokens.rows().find(row => row.provider === name)
  }
}

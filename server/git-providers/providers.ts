import type { GitSoftware } from '../api/v1/git/software.ts'
import { AppError } from '../domain/errors.ts'
import type { ProviderTokenRow } from '../store/provider-tokens.ts'
import { bitbucket } from './bitbucket.ts'
import { github } from './github.ts'
import { gitlab } from './gitlab.ts'
import type { Provider } from './provider.ts'

export const PROVIDERS: Readonly<Record<GitSoftware, Provider>> = { github, gitlab, bitbucket }

/**
 * What a stored token is for. `enterprise_sso` is the server of an organization, at the host that the person names: one of the
 * others, which is found out when its token is checked. Null until then.
 */
export function providerOf({ provider, software }: Pick<ProviderTokenRow, 'provider' | 'software'>): Provider | null {
  const known = softwareOf({ provider, software })
  return known && PROVIDERS[known]
}

export function softwareOf({
  provider,
  software,
}: Pick<ProviderTokenRow, 'provider' | 'software'>): GitSoftware | null {
  return provider === 'enterprise_sso' ? software : provider
}

/** The installation that a stored host means: a name is reached by https, an address as it says. */
export function findOrigin(provider: Provider, host: string | null): URL | undefined {
  const text = host?.trim() || provider.host
  const address = /^[a-z]+:\/\//i.test(text) ? text : `https://${text}`
  const url = URL.canParse(address) ? new URL(address) : undefined
  const usable = url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash
  return usable ? url : undefined
}

/** @throws AppError bad_request for a host that is neither a name nor an address */
export function originOf(provider: Provider, host: string | null): URL {
  const origin = findOrigin(provider, host)
  if (origin) return origin
  throw new AppError(
    'bad_request',
    `The host of ${provider.title} is not valid. Give a name like ${provider.host}, or an address with https://.`,
  )
}

/** The software of a provider at an installation of it. */
export function providerAt(provider: Provider, origin: URL): Provider {
  return origin.host === provider.host ? provider : (provider.selfHosted ?? provider)
}

/** How a git host is asked. */
export interface GitCall {
  fetch: typeof globalThis.fetch
  signal: AbortSignal
}

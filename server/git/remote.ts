import type { GitProvider } from '../api/v1/conversation/conversations.ts'
import { repositoryAt } from '../git-providers/api/repository-address.ts'
import { baseOf, type GitCredentials, type Provider } from '../git-providers/provider.ts'
import { findOrigin, providerAt, providerOf } from '../git-providers/providers.ts'
import type { TokenSource } from '../git-providers/token-source.ts'
import type { ProviderTokenRow } from '../store/provider-tokens.ts'
import { addressInSandbox } from './address.ts'

/** A repository at a provider whose token is stored. */
export interface ProviderRemote {
  name: GitProvider
  row: ProviderTokenRow
  provider: Provider
  /** `owner/name`. */
  repository: string
  /** By HTTP, as this machine reaches it. */
  url: string
}

/** The provider of a remote's address, by HTTP or SSH; undefined when no token is stored for exactly that host. */
export function providerRemote(address: string, tokens: Pick<TokenSource, 'rows'>): ProviderRemote | undefined {
  for (const row of tokens.rows()) {
    const known = providerOf(row)
    const origin = known && findOrigin(known, row.host)
    if (!known || !origin) continue
    const provider = providerAt(known, origin)
    const found = overHttp(address, origin) ?? overSsh(address, origin, provider)
    if (found) return { name: row.provider, row, provider, ...found }
  }
  return undefined
}

/** @throws AppError of the vault */
export async function credentialsOf(
  { row, provider }: ProviderRemote,
  tokens: TokenSource,
): Promise<GitCredentials | undefined> {
  const token = await tokens.token(row)
  return token === null ? undefined : provider.credentials(token)
}

function overHttp(address: string, origin: URL): { repository: string; url: string } | undefined {
  if (!/^https?:/.test(address) || !URL.canParse(address)) return undefined
  const url = new URL(address)
  if (url.origin !== addressInSandbox(origin).origin) return undefined
  const repository = repositoryAt(`${origin.origin}${url.pathname}`, origin)
  return repository ? { repository, url: `${origin.origin}${url.pathname}`.replace(/\/+$/, '') } : undefined
}

/** `git@host:owner/name.git` and `ssh://git@host/owner/name.git` are the same repository, which a token opens by HTTP. */
function overSsh(
  address: string,
  origin: URL,
  { repositoryUrl = pathUnder }: Provider,
): { repository: string; url: string } | undefined {
  const [, host, path = ''] = /^(?:ssh:\/\/)?(?:[\w.-]+@)?([\w.-]+)(?::\d+\/|[:/])(.+)$/.exec(address) ?? []
  if (host === undefined || /^https?:/.test(address) || host !== origin.hostname) return undefined
  const repository = repositoryAt(`${baseOf(origin)}/${path}`, origin)
  return repository ? { repository, url: repositoryUrl(origin, repository) } : undefined
}

function pathUnder(origin: URL, repository: string): string {
  return `${baseOf(origin)}/${repository}.git`
}

/** An address without what may be a password: what stands before the host, to the last `@`, and what follows the path. */
export function withoutLogin(address: string): string {
  const [, scheme, login, rest = ''] = /^([a-z][a-z+.-]*:\/\/)(?:([^/?#]*)@)?(.*)$/is.exec(address) ?? []
  if (scheme === undefined) return address
  const isUser = /^ssh:/i.test(scheme) && login !== undefined && !login.includes(':')
  return `${scheme}${isUser ? `${login}@` : ''}${rest.replace(/[?#].*$/s, '')}`
}

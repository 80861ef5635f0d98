import type { GitCredentials, Provider } from '../git-providers/provider.ts'
import { findOrigin, providerAt, providerOf } from '../git-providers/providers.ts'
import type { TokenSource } from '../git-providers/token-source.ts'
import type { ProviderTokenRow } from '../store/provider-tokens.ts'
import { addressInSandbox } from './address.ts'

/**
 * What git presents at a repository's address: the token that was stored for exactly that scheme, host and port.
 * @throws AppError of the vault, when there is such a token and it cannot be read
 */
export async function credentialsFor(url: string, tokens: TokenSource): Promise<GitCredentials | undefined> {
  if (!/^https?:/.test(url)) return undefined
  for (const { row, provider } of storedAt(new URL(url), tokens)) {
    const token = await tokens.token(row)
    if (token) return provider.credentials(token)
  }
  return undefined
}

/** Whether a token is stored for exactly that scheme, host and port. */
export function isStoredAt(url: URL, tokens: Pick<TokenSource, 'rows'>): boolean {
  return storedAt(addressInSandbox(url), tokens).length > 0
}

/** @param url as sandboxes know it */
function storedAt(url: URL, tokens: Pick<TokenSource, 'rows'>): { row: ProviderTokenRow; provider: Provider }[] {
  return tokens.rows().flatMap(row => {
    const provider = providerOf(row)
    const origin = provider && findOrigin(provider, row.host)
    if (!provider || !origin || addressInSandbox(origin).origin !== url.origin) return []
    return [{ row, provider: providerAt(provider, origin) }]
  })
}

const HELPER = `!f() { [ "$1" != get ] || printf 'username=%s\\npassword=%s\\n' "$ATELIER_GIT_USERNAME" "$ATELIER_GIT_PASSWORD"; }; f`

/**
 * Lets one git command present credentials at `url` and nowhere else, not even where it is redirected to. They are in its
 * environment alone: neither in its arguments, which the engine shows, nor in the repository's configuration.
 */
export function presentedAt(
  url: string,
  credentials: GitCredentials | undefined,
): { options: string[]; env: Record<string, string> } {
  if (!credentials) return { options: [], env: {} }
  const place = new URL(url).origin
  return {
    options: ['-c', 'credential.helper=', '-c', `credential.${place}.helper=${HELPER}`],
    env: { ATELIER_GIT_USERNAME: credentials.username, ATELIER_GIT_PASSWORD: credentials.password },
  }
}

import { basic } from '../git-providers/provider.ts'
import type { GitCall } from '../git-providers/providers.ts'
import type { TokenSource } from '../git-providers/token-source.ts'
import { addressOnHost } from './address.ts'
import { credentialsFor } from './credentials.ts'

const REFUSALS: ReadonlySet<number> = new Set([401, 403, 404])

/**
 * Whether the repository's own server refuses to show it, with the stored token for it or without one: asked as git asks
 * at the beginning of a clone (https://git-scm.com/docs/http-protocol). What is not reached by HTTP, and a server that
 * does not answer, is left to the clone, which says what is wrong.
 * @throws AppError of the vault
 */
export async function isAccessRefused(url: string, tokens: TokenSource, { fetch, signal }: GitCall): Promise<boolean> {
  if (!/^https?:/.test(url)) return false
  const credentials = await credentialsFor(url, tokens)
  try {
    const response = await fetch(`${addressOnHost(new URL(url))}/info/refs?service=git-upload-pack`, {
      headers: { 'user-agent': 'git/2.40', ...(credentials && { authorization: basic(credentials) }) },
      redirect: 'manual',
      signal,
    })
    await response.body?.cancel()
    return REFUSALS.has(response.status)
  } catch {
    signal.throwIfAborted()
    return false
  }
}

import type { TokenSource } from '../git-providers/token-source.ts'
import { ANSWER_LIMITS } from '../outbound/limits.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { isStoredAt } from './credentials.ts'

/**
 * For what git transfers from an address that was given with a conversation. A person has named the host of it where a token
 * is stored for it; everywhere else `allowed_hosts` says what of this machine and its network may be asked.
 */
export function repositoryFetch(
  outbound: Pick<Outbound, 'fetch'>,
  tokens: Pick<TokenSource, 'rows'>,
): typeof globalThis.fetch {
  return outbound.fetch({
    namedBy: url => (isStoredAt(url, tokens) ? 'person' : 'other'),
    limits: ANSWER_LIMITS.gitTransfer,
  })
}

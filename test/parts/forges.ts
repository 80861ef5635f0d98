import { Forges } from '../../server/git-providers/api/forges.ts'
import type { TokenSource } from '../../server/git-providers/token-source.ts'

/** Every call goes the same way, with tokens that cannot be renewed. */
export function testForges(tokens: Pick<TokenSource, 'rows' | 'token'>, fetch: typeof globalThis.fetch): Forges {
  return new Forges({ tokens: { ...tokens, renewed: async () => null }, fetch, logs: { own: fetch, elsewhere: fetch } })
}

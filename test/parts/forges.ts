import { Forges, type TokenSource } from '../../server/git-providers/api/forges.ts'

/** Every call goes the same way. */
export function testForges(tokens: TokenSource, fetch: typeof globalThis.fetch): Forges {
  return new Forges({ tokens, fetch, logs: { own: fetch, elsewhere: fetch } })
}

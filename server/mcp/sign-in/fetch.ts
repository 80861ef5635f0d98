import { ANSWER_LIMITS } from '../../outbound/limits.ts'
import type { Outbound } from '../../outbound/outbound.ts'

/**
 * A person who signs in names the server's own host; every other host on the way is the server's word, and a server could
 * send us to an address of this machine.
 */
export function signInFetch(outbound: Pick<Outbound, 'fetch'>): (serverUrl: string) => typeof globalThis.fetch {
  return serverUrl => {
    const { hostname } = new URL(serverUrl)
    return outbound.fetch({
      namedBy: url => (url.hostname === hostname ? 'person' : 'other'),
      limits: ANSWER_LIMITS.signIn,
    })
  }
}

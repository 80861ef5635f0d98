import { Outbound } from '../../server/outbound/outbound.ts'
import { toOutboundError } from '../../server/outbound/problem.ts'

const HERE = new Set(['127.0.0.1', 'localhost', '[::1]'])

/** From here on the service reaches nothing but this machine, and hears so at once. Returns what ends it. */
export function goOffline(): () => void {
  const ownFetch = Outbound.prototype.fetch
  Outbound.prototype.fetch = function (rules) {
    const fetch = ownFetch.call(this, rules)
    return async (target, init) => {
      const address = target instanceof Request ? target.url : String(target)
      const { host, hostname } = URL.canParse(address) ? new URL(address) : { host: '', hostname: '' }
      // An address that is none is refused as ever.
      if (hostname === '' || HERE.has(hostname)) return fetch(target, init)
      throw toOutboundError(Object.assign(new Error('away'), { code: 'ENETUNREACH' }), host)
    }
  }
  return () => {
    Outbound.prototype.fetch = ownFetch
  }
}

/** From here on nothing but this machine can be reached, at once and not after a time-out. Returns what ends it. */
export function goOffline(): () => void {
  const { fetch } = globalThis
  globalThis.fetch = async (target, init) => {
    const url = new URL(target instanceof Request ? target.url : target)
    if (url.hostname === '127.0.0.1' || url.hostname === 'localhost') return fetch(target, init)
    throw new TypeError('fetch failed', { cause: new Error(`${url.hostname} is away.`) })
  }
  return () => {
    globalThis.fetch = fetch
  }
}

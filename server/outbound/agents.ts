import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import type { SecureContext } from 'node:tls'
import { isSocks } from './address.ts'

/** As long a connection waits for the next call; servers close theirs after five seconds and more. */
const IDLE_MS = 4_000
const MAX_IDLE_CONNECTIONS = 32
const OPTIONS = { keepAlive: true, timeout: IDLE_MS, maxFreeSockets: MAX_IDLE_CONNECTIONS }

/** What keeps connections, to servers and to proxies. */
export class Agents {
  readonly #direct = { http: new HttpAgent(OPTIONS), https: new HttpsAgent(OPTIONS) }
  readonly #proxied = new Map<string, Promise<HttpAgent>>()
  readonly #made = new Set<HttpAgent>([this.#direct.http, this.#direct.https])

  direct({ protocol }: URL): HttpAgent {
    return protocol === 'https:' ? this.#direct.https : this.#direct.http
  }

  /**
   * To what a proxy connects to.
   * @param trust for a proxy that is spoken to with TLS
   */
  async through(proxy: URL, trust?: SecureContext): Promise<HttpAgent> {
    const known = this.#proxied.get(proxy.href)
    if (known) return known
    const made = agentOf(proxy, trust)
    this.#proxied.set(proxy.href, made)
    this.#made.add(await made)
    return made
  }

  /** Connections that nobody uses; what is under way keeps its own. */
  endIdle(): void {
    for (const { freeSockets } of this.#made) {
      for (const socket of Object.values(freeSockets).flat()) socket?.destroy()
    }
  }

  /** Also what a proxy has not connected yet. */
  destroy(): void {
    for (const agent of this.#made) agent.destroy()
  }
}

/** Loaded where there is a proxy: most have none. */
async function agentOf(proxy: URL, trust?: SecureContext): Promise<HttpAgent> {
  if (isSocks(proxy)) {
    const { Socks } = await import('./socks.ts')
    return new Socks(proxy, OPTIONS)
  }
  const { Tunnel } = await import('./tunnel.ts')
  return new Tunnel(proxy, trust, OPTIONS)
}

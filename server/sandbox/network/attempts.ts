import type { NetworkAttempt } from '../../api/v1/sandbox/network.ts'
import type { Bus } from '../../bus.ts'
import type { Attempt } from './gateway/client.ts'

const MAX_KEPT = 200
const PUBLISH_MS = 300

/** What programs in sandboxes have tried to reach through the gateway, since the service started. */
export class NetworkAttempts {
  readonly #bus: Bus
  /** Of each sandbox the oldest first, by host, port and verdict. */
  readonly #kept = new Map<string, Map<string, NetworkAttempt>>()
  readonly #changed = new Set<string>()

  constructor(bus: Bus) {
    this.#bus = bus
  }

  note({ sandboxId, host, port, verdict, count }: Attempt): void {
    const kept = this.#kept.get(sandboxId) ?? new Map<string, NetworkAttempt>()
    this.#kept.set(sandboxId, kept)
    const key = JSON.stringify([host, port, verdict])
    const at = new Date().toISOString()
    const before = kept.get(key)
    kept.delete(key)
    const first_at = before?.first_at ?? at
    kept.set(key, { host, port, verdict, count: (before?.count ?? 0) + count, first_at, last_at: at })
    if (kept.size > MAX_KEPT) kept.delete(leastOf(kept))
    this.#publish(sandboxId)
  }

  /** Newest first. */
  of(sandboxId: string): NetworkAttempt[] {
    return [...(this.#kept.get(sandboxId)?.values() ?? [])].reverse()
  }

  forget(sandboxId: string): void {
    this.#kept.delete(sandboxId)
  }

  /** A program can try much in a moment. */
  #publish(id: string): void {
    if (this.#changed.has(id)) return
    this.#changed.add(id)
    setTimeout(() => {
      this.#changed.delete(id)
      this.#bus.publish({ resource: 'sandbox-network', id })
    }, PUBLISH_MS).unref()
  }
}

/** What is given up first: the oldest that was allowed, else the oldest. */
function leastOf(kept: ReadonlyMap<string, NetworkAttempt>): string {
  const [oldest = ''] = kept.keys()
  return [...kept].find(([, { verdict }]) => verdict === 'allowed')?.[0] ?? oldest
}

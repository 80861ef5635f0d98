import ipaddr from 'ipaddr.js'
import type { SandboxNetwork } from '../../api/network-policy.ts'
import type { NetworkAttempt } from '../../api/v1/sandbox/network.ts'
import { settledWithin } from '../../async/settled-within.ts'
import type { Bus } from '../../bus.ts'
import type { EngineConnection } from '../../docker/connection.ts'
import type { ContainerState } from '../../docker/engine.ts'
import { isPublic } from '../../outbound/address.ts'
import type { CommonContainer } from './common-container.ts'
import type { Attempt } from './gateway/client.ts'
import type { EgressGateway } from './gateway/gateway.ts'
import { RefusedConnections } from './refused-connections.ts'
import { isUp } from './set-rules.ts'

const MAX_KEPT = 200
const PUBLISH_MS = 300
const GIVE_UP_MS = 2000

export interface NetworkAttemptsOptions {
  bus: Bus
  connection: Pick<EngineConnection, 'engine'>
  common: Pick<CommonContainer, 'readRules'>
}

interface Settling {
  network: SandboxNetwork
  gateway: Pick<EgressGateway, 'flush'>
  isShown: boolean
}

/** What programs in sandboxes have tried to reach, through the gateway or against the rules, since the service started. */
export class NetworkAttempts {
  readonly #options: NetworkAttemptsOptions
  readonly #refused: RefusedConnections
  /** Of each sandbox the oldest first, by host, port and verdict. */
  readonly #kept = new Map<string, Map<string, NetworkAttempt>>()
  readonly #changed = new Set<string>()

  constructor(options: NetworkAttemptsOptions) {
    this.#options = options
    this.#refused = new RefusedConnections(options.common)
  }

  /**
   * Resolves when what a sandbox tried up to now is known. Never rejects, and holds nobody up for long.
   * @param asked `isShown` where whoever asks shows what is found, and would only ask again if it were published
   */
  settled(container: ContainerState, asked: Settling): Promise<void> {
    const { network, gateway, isShown } = asked
    if (network === 'allowlist') return settledWithin(GIVE_UP_MS, gateway.flush())
    return network === 'full' ? settledWithin(GIVE_UP_MS, this.#readRefused(container, isShown)) : Promise.resolve()
  }

  /** Its rules count anew. */
  rulesSet(sandboxId: string): void {
    this.#refused.rulesSet(sandboxId)
  }

  /** What its rules refused since the last time. */
  async #readRefused({ id, name }: ContainerState, isShown: boolean): Promise<void> {
    // A list says nothing of processes.
    const container = await this.#options.connection.engine().inspectContainer(id)
    const found = container && isUp(container) ? await this.#refused.read(container) : []
    for (const { address, port, count, secondsAgo } of found) {
      const at = new Date(Date.now() - secondsAgo * 1000)
      this.note({ sandboxId: name, host: address, port, verdict: 'refused', count }, { at, isShown })
    }
  }

  note({ sandboxId, host, port, verdict, count }: Attempt, { at: time = new Date(), isShown = false } = {}): void {
    const kept = this.#kept.get(sandboxId) ?? new Map<string, NetworkAttempt>()
    this.#kept.set(sandboxId, kept)
    const key = JSON.stringify([host, port, verdict])
    const at = time.toISOString()
    const before = kept.get(key)
    kept.delete(key)
    const first_at = before?.first_at ?? at
    const reason = verdict === 'refused' ? (isPrivate(host) ? 'private' : 'policy') : null
    kept.set(key, { host, port, verdict, reason, count: (before?.count ?? 0) + count, first_at, last_at: at })
    if (kept.size > MAX_KEPT) kept.delete(leastOf(kept))
    if (!isShown) this.#publish(sandboxId)
  }

  /** Newest first. */
  of(sandboxId: string): NetworkAttempt[] {
    return [...(this.#kept.get(sandboxId)?.values() ?? [])].reverse()
  }

  forget(sandboxId: string): void {
    this.#kept.delete(sandboxId)
    this.#refused.forget(sandboxId)
  }

  /** A program can try much in a moment. */
  #publish(id: string): void {
    if (this.#changed.has(id)) return
    this.#changed.add(id)
    setTimeout(() => {
      this.#changed.delete(id)
      this.#options.bus.publish({ resource: 'sandbox-network', id })
    }, PUBLISH_MS).unref()
  }
}

function isPrivate(host: string | null): boolean {
  return host !== null && ipaddr.isValid(host) && !isPublic(host)
}

/** What is given up first: the oldest that was allowed, else the oldest. */
function leastOf(kept: ReadonlyMap<string, NetworkAttempt>): string {
  const [oldest = ''] = kept.keys()
  return [...kept].find(([, { verdict }]) => verdict === 'allowed')?.[0] ?? oldest
}

import type { NetworkPolicy } from '../../api/network-policy.ts'
import type { NetworkAttempt, SandboxNetworkInfo } from '../../api/v1/sandbox/network.ts'
import type { ContainerState } from '../../docker/engine.ts'
import { AppError } from '../../domain/errors.ts'
import { assertReachable, type Sandbox } from '../state.ts'
import type { SandboxNetworks } from './networks.ts'

export interface NetworkAccessOptions {
  networks: Pick<SandboxNetworks, 'attemptsOf' | 'change' | 'policyOf' | 'settled'>
  /** @throws AppError sandbox_not_found */
  find(id: string): Promise<Sandbox>
  /** Asks the engine what it is now. */
  refresh(id: string): Promise<void>
  /** As far as it is known now. */
  known(id: string): Sandbox | undefined
}

/** The networks of sandboxes by their ids, as clients and agents see them. */
export class NetworkAccess {
  readonly #options: NetworkAccessOptions

  constructor(options: NetworkAccessOptions) {
    this.#options = options
  }

  /** What it reaches, and what its programs tried to reach. @throws AppError sandbox_not_found */
  async of(id: string): Promise<SandboxNetworkInfo> {
    const { networks, find } = this.#options
    const sandbox = await find(id)
    if (sandbox.kind === 'container') await networks.settled(sandbox.container, { isShown: true })
    const { network, allowlist } = networks.policyOf(containerOf(sandbox))
    const { presets, hosts } = allowlist
    return { network, allowlist: { presets: [...presets], hosts: [...hosts] }, attempts: networks.attemptsOf(id) }
  }

  /** @throws AppError sandbox_not_found, engine_unavailable, conflict, and those of `SandboxNetworks.change` */
  async change(id: string, policy: NetworkPolicy): Promise<SandboxNetworkInfo> {
    const sandbox = await this.#options.find(id)
    assertReachable(sandbox)
    if (sandbox.kind !== 'container') {
      throw new AppError('conflict', 'The sandbox does not run yet. Change its network when it does.')
    }
    try {
      await this.#options.networks.change(sandbox.container, policy)
    } finally {
      // Its ports come and go with its network, of which the engine's events say nothing.
      await this.#options.refresh(id)
    }
    return this.of(id)
  }

  /** undefined while it is not known. */
  policyOf(id: string): NetworkPolicy | undefined {
    const sandbox = this.#options.known(id)
    return sandbox && this.#options.networks.policyOf(containerOf(sandbox))
  }

  /** What was refused up to now. @param since ISO 8601 */
  async refusedSince(id: string, since: string): Promise<NetworkAttempt[]> {
    const sandbox = this.#options.known(id)
    if (sandbox?.kind === 'container') await this.#options.networks.settled(sandbox.container, { isShown: false })
    const attempts = this.#options.networks.attemptsOf(id)
    return attempts.filter(({ verdict, last_at }) => verdict === 'refused' && last_at >= since)
  }
}

/** As far as it tells the policy; one that has none yet has the labels that it is made with. */
function containerOf(sandbox: Sandbox): Pick<ContainerState, 'name' | 'labels'> {
  return 'container' in sandbox ? sandbox.container : { name: sandbox.id, labels: sandbox.labels ?? {} }
}

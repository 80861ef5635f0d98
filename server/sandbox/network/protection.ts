import { type AllowedName, allowedNames, type NetworkPolicy, type SandboxNetwork } from '../../api/network-policy.ts'
import type { EngineConnection } from '../../docker/connection.ts'
import { readLabels } from '../../docker/container/labels.ts'
import type { ContainerState } from '../../docker/engine.ts'
import { AppError, isAppError, messageOf } from '../../domain/errors.ts'
import type { Log } from '../../log.ts'
import { type AllowedHost, allowedHost, hostInSandbox, isPublic } from '../../outbound/address.ts'
import { requireKernelNetwork } from '../runtime.ts'
import type { NetworkAttempts } from './attempts.ts'
import type { CommonContainer } from './common-container.ts'
import type { NetworkContext } from './context.ts'
import type { EgressGateway } from './gateway/gateway.ts'
import type { OneShotOptions } from './one-shot.ts'
import { allowlistRules, closedRules, networkRules, opened } from './rules.ts'
import { isUp, setRules } from './set-rules.ts'

export interface ProtectionOptions extends OneShotOptions {
  connection: Pick<EngineConnection, 'engine' | 'info'>
  common: Pick<CommonContainer, 'setRules'>
  gateway: Pick<EgressGateway, 'admit' | 'dismiss' | 'isAdmitted'>
  attempts: Pick<NetworkAttempts, 'rulesSet'>
  log: Log
  allowedHosts(): readonly string[]
  /** With the addresses of `allowedHosts`, and of what `directNames` has. */
  context(): Promise<NetworkContext>
}

/** What stands in the network namespace of a sandbox, which lasts from a start of its container to the end. */
interface Standing {
  startedAt: string
  rules: string
}

/**
 * Makes the network of a sandbox what its policy says: sets its rules and connects it. One change to a sandbox at a time.
 *
 * INVARIANTS: a sandbox gets its network after its rules; what goes through the gateway is closed until the gateway knows it.
 */
export class Protection {
  readonly #options: ProtectionOptions
  readonly #standing = new Map<string, Standing>()
  /** The start for which each was connected. What somebody else disconnects stays so until the next one. */
  readonly #connected = new Map<string, string>()
  /** Of sandboxes that reach names by their addresses. */
  readonly #directNames = new Map<string, readonly string[]>()
  /** What the engine knows of each, since which start. */
  readonly #labelled = new Map<string, string>()

  constructor(options: ProtectionOptions) {
    this.#options = options
  }

  /** To be looked up. */
  directNames(): string[] {
    return [...this.#directNames.values()].flat()
  }

  forget(name: string): void {
    this.#standing.delete(name)
    this.#connected.delete(name)
    this.#directNames.delete(name)
    this.#labelled.delete(name)
  }

  /** @throws AppError engine_failed, engine_unavailable, conflict, sandbox_not_running */
  async apply(container: ContainerState, policy: NetworkPolicy): Promise<void> {
    try {
      await this.#make(container, policy)
      await this.#label(container, policy.network)
    } catch (error) {
      if (!isAppError(error, 'engine_failed')) throw error
      throw (await this.#isStillUp(container)) ? rulesNotSet(error) : endedMeanwhile(error)
    }
  }

  async #make(container: ContainerState, { network, allowlist }: NetworkPolicy): Promise<void> {
    if (network !== 'none') this.#requireKernelNetwork(container)
    if (network === 'allowlist') return this.#open(container, allowedNames(allowlist))
    this.#directNames.delete(container.name)
    if (network === 'full') await this.#openAll(container)
    else await this.shut(container)
    await this.#options.gateway.dismiss(container.name)
  }

  /** It reaches nothing, and nothing reaches it. */
  async shut(container: ContainerState): Promise<void> {
    if (container.networks.every(name => name === 'none') && !this.#isConnected(container)) return
    await this.#set(container, closedRules())
    this.#connected.delete(container.name)
    await this.disconnect(container.id)
  }

  /** For what cannot be protected: it has no network; where the engine cannot take it away it is paused, or stopped if it cannot be. */
  async cutOff({ id, name }: ContainerState): Promise<void> {
    const { gateway } = this.#options
    this.forget(name)
    if (this.#canConnectLater()) await this.disconnect(id)
    else await this.#halt(id)
    await gateway.dismiss(name)
  }

  async #halt(id: string): Promise<void> {
    const { connection } = this.#options
    try {
      await connection.engine().pauseContainer(id)
    } catch (error) {
      if (!isAppError(error, 'conflict')) throw error
      await connection.engine().stopContainer(id, 0)
    }
  }

  /** Also one that has stopped. */
  async disconnect(containerId: string): Promise<void> {
    if (!this.#canConnectLater()) return
    const engine = this.#options.connection.engine()
    const { networks = [] } = (await engine.inspectContainer(containerId)) ?? {}
    if (networks.includes('bridge')) await engine.disconnectContainer(containerId, 'bridge')
  }

  /** For the end of the gateway: what went through it reaches nothing until it is applied anew. */
  async leaveGateway(container: ContainerState): Promise<void> {
    if (this.#options.gateway.isAdmitted(container.name)) await this.#set(container, closedRules())
  }

  async #openAll(container: ContainerState): Promise<void> {
    const { context, allowedHosts } = this.#options
    const rules = networkRules(await context(), allowedHosts().map(allowedHost))
    await Promise.all([this.#set(container, rules), this.#leaveNone(container)])
    await this.#connect(container)
  }

  async #open(container: ContainerState, names: readonly AllowedName[]): Promise<void> {
    const { name } = container
    const { context, allowedHosts, gateway } = this.#options
    const direct = names.filter(each => each.port !== null && !each.isBelow && !each.isAddress)
    this.#directNames.set(
      name,
      direct.map(each => each.name),
    )
    const isKnown = this.#standing.get(name)?.startedAt === container.startedAt && gateway.isAdmitted(name)
    const closed = isKnown ? undefined : this.#set(container, closedRules())
    const [found] = await Promise.all([context(), closed, this.#leaveNone(container)])
    await this.#connect(container)
    const address = await this.#addressOf(container)
    const allowed = allowedHosts().map(allowedHost)
    // Whoever owns a name may give it an address of this network; only the settings open one.
    const publicly = onlyPublic(found)
    const hosts = [...hostsOf(found, allowed), ...hostsOf(publicly, direct)]
    const through = await gateway.admit({ id: name, address, names, hosts })
    const literals = names.filter(each => each.isAddress && isPublic(each.name))
    const named = [...opened(publicly, direct), ...literals.map(each => ({ address: each.name, port: each.port }))]
    await this.#set(container, allowlistRules(through, { allowed: opened(found, allowed), named }))
  }

  async #set({ id, pid, name, startedAt }: ContainerState, rules: string): Promise<void> {
    const standing = this.#standing.get(name)
    if (standing?.startedAt === startedAt && standing.rules === rules) return
    await setRules(this.#options, this.#options.common, { id, pid }, rules)
    this.#standing.set(name, { startedAt, rules })
    this.#options.attempts.rulesSet(name)
  }

  /** For rules that the engine has of its own. One that does not take the change keeps the sandbox to what it knew. */
  async #label({ id, name, startedAt, labels }: ContainerState, network: SandboxNetwork): Promise<void> {
    const engine = this.#options.connection.engine()
    const label = `${startedAt} ${network}`
    const before = this.#labelled.get(name)
    this.#labelled.set(name, label)
    if (!engine.labelNetwork || before === label) return
    // It is made with that.
    if (before === undefined && readLabels(labels)?.network === network) return
    await engine.labelNetwork(id, network).catch(error => {
      this.#options.log.warn({ sandbox: name, error: messageOf(error) }, 'a network policy could not be labelled')
    })
  }

  #requireKernelNetwork({ runtime }: ContainerState): void {
    const found = this.#options.connection.info().runtimes?.find(({ name }) => name === runtime)
    if (found) requireKernelNetwork(found)
  }

  /** No container is on "none" and on another network. */
  async #leaveNone(container: ContainerState): Promise<void> {
    const { id, networks } = container
    if (!networks.includes('none') || this.#isConnected(container)) return
    if (!this.#canConnectLater()) {
      throw new AppError(
        'conflict',
        'This engine cannot give a network to a sandbox that was made without one. Start a new sandbox with a network.',
      )
    }
    await this.#options.connection.engine().disconnectContainer(id, 'none')
  }

  async #connect(container: ContainerState): Promise<void> {
    const { id, name, networks, startedAt } = container
    if (this.#isConnected(container)) return
    if (!networks.includes('bridge')) await this.#options.connection.engine().connectContainer(id, 'bridge')
    this.#connected.set(name, startedAt)
  }

  #isConnected({ name, startedAt }: ContainerState): boolean {
    return this.#connected.get(name) === startedAt
  }

  async #addressOf({ id, address }: ContainerState): Promise<string> {
    const known = address ?? (await this.#options.connection.engine().inspectContainer(id))?.address
    if (known) return known
    throw new AppError('engine_failed', 'The sandbox has no IPv4 address on the bridge of the engine.')
  }

  /** The network namespace of a container ends with its main process. */
  async #isStillUp({ id, startedAt }: ContainerState): Promise<boolean> {
    const container = await this.#options.connection.engine().inspectContainer(id)
    return container !== undefined && isUp(container) && container.startedAt === startedAt
  }

  #canConnectLater(): boolean {
    return this.#options.connection.info().canConnectLater !== false
  }
}

function onlyPublic({ nameservers, addresses }: NetworkContext): NetworkContext {
  const kept = Object.entries(addresses).map(([name, all]) => [name, all.filter(isPublic)] as const)
  return { nameservers, addresses: Object.fromEntries(kept) }
}

/** What the nameserver of the gateway answers with their own addresses. */
function hostsOf({ addresses }: NetworkContext, reached: readonly Pick<AllowedHost, 'name'>[]): [string, string][] {
  const names = [...new Set(reached.map(({ name }) => hostInSandbox(name)))]
  return names.flatMap(name => (addresses[name] ?? []).map((address): [string, string] => [name, address]))
}

function endedMeanwhile(cause: AppError): AppError {
  return new AppError('sandbox_not_running', 'The sandbox ended while its network was set up. Resume it first.', {
    cause,
  })
}

function rulesNotSet(error: AppError): AppError {
  const message = `The rules that keep it from this machine and its network could not be set, so it has no network. ${error.message} An engine whose kernel has nftables is needed; a sandbox whose network is "none" needs no rules.`
  return new AppError('engine_failed', message, { cause: error })
}

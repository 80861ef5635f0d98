import type { Duplex } from 'node:stream'
import type { NetworkPolicy } from '../../api/network-policy.ts'
import type { NetworkAttempt } from '../../api/v1/sandbox/network.ts'
import { settledWithin } from '../../async/settled-within.ts'
import { unlessAborted } from '../../async/unless-aborted.ts'
import type { Bus } from '../../bus.ts'
import type { EngineConnection } from '../../docker/connection.ts'
import type { ContainerState } from '../../docker/engine.ts'
import { isAppError, messageOf } from '../../domain/errors.ts'
import type { Destination } from '../../domain/port-closed.ts'
import type { NetworkRefusal } from '../../domain/sandbox-handle.ts'
import type { Log } from '../../log.ts'
import { allowedHost, hostInSandbox, isPublic } from '../../outbound/address.ts'
import type { SandboxNetworkTable } from '../../store/sandbox/networks.ts'
import { Relays } from '../relay/relays.ts'
import { SANDBOX } from '../spec.ts'
import type { Sandbox } from '../state.ts'
import { NetworkAttempts } from './attempts.ts'
import { CommonContainer } from './common-container.ts'
import { CachedNetworkContext, type NetworkContext, resolverFiles } from './context.ts'
import { EgressGateway } from './gateway/gateway.ts'
import type { OneShotOptions } from './one-shot.ts'
import { checkPolicy, judge, NetworkPolicies } from './policies.ts'
import { Protection } from './protection.ts'
import { isUp } from './set-rules.ts'

/** An engine that holds a container holds nobody else up: what is left of a task goes with the next start. */
const GIVE_UP_MS = 2000
/** No engine stops a container and starts it again within this time. */
const READY_MS = 50

export interface NetworksOptions extends Omit<OneShotOptions, 'signal'> {
  connection: Pick<EngineConnection, 'engine' | 'info'>
  bus: Bus
  log: Log
  /** Hosts that the person has opened, as `toHost` writes them. */
  allowedHosts(): readonly string[]
  /** What sandboxes were changed to. */
  policies: Pick<SandboxNetworkTable, 'get' | 'save' | 'forget'>
  sandboxes(): readonly Sandbox[]
}

/**
 * Keeps sandboxes from this machine, its network and each other, and to what their policy lets them reach. The rules stand in
 * the network namespace of the sandbox, set from a container of ours; inside nobody may change them.
 *
 * INVARIANTS: a sandbox gets its network after its rules; one whose rules cannot be set has no network; no program of the
 * sandbox decides what is allowed.
 */
export class SandboxNetworks {
  readonly #options: NetworksOptions & OneShotOptions
  readonly #closing = new AbortController()
  /** When which container was last seen to be ready, of those seen a moment ago. Another map once something has changed for all. */
  #readyAt = new Map<string, number>()
  /** The last of the changes to each sandbox: one at a time. */
  readonly #changes = new Map<string, Promise<void>>()
  readonly #around: CachedNetworkContext
  readonly #common: CommonContainer
  readonly #relays: Relays
  readonly #gateway: EgressGateway
  readonly #policies: NetworkPolicies
  readonly #attempts: NetworkAttempts
  readonly #protection: Protection
  #allowed = ''
  #unsubscribe = () => {}

  constructor(options: NetworksOptions) {
    const all = { ...options, signal: this.#closing.signal }
    this.#options = all
    this.#policies = new NetworkPolicies(options.policies)
    const common = new CommonContainer(all)
    this.#attempts = new NetworkAttempts({ ...options, common })
    this.#common = common
    this.#relays = new Relays(all)
    this.#around = new CachedNetworkContext({
      ...all,
      common,
      onChange: (found, before) => this.#contextChanged(found, before),
    })
    const context = () => this.#around.read(this.#names())
    this.#gateway = new EgressGateway({
      ...all,
      common,
      context,
      onAttempt: attempt => this.#attempts.note(attempt),
      onLost: () => this.#gatewayLost(),
    })
    this.#protection = new Protection({ ...all, common, gateway: this.#gateway, attempts: this.#attempts, context })
  }

  /** Follows sandboxes that others start, and the settings. */
  start(): void {
    const { bus, allowedHosts } = this.#options
    this.#allowed = allowedHosts().join()
    this.#unsubscribe = bus.subscribe(change => {
      if (change.resource === 'sandbox') this.#follow(change.id)
      if (change.resource !== 'settings' || this.#allowed === allowedHosts().join()) return
      this.#allowed = allowedHosts().join()
      this.#followAll()
    })
  }

  async close(): Promise<void> {
    this.#unsubscribe()
    // Without the gateway its address may become another container's.
    const left = this.#containers().map(each => this.#protection.leaveGateway(each))
    await settledWithin(GIVE_UP_MS, Promise.allSettled(left))
    this.#closing.abort()
    const parts = [this.#gateway, this.#around, this.#common, this.#relays]
    await settledWithin(GIVE_UP_MS, Promise.allSettled([...this.#changes.values(), ...parts.map(part => part.close())]))
  }

  /** Resolves when the rules of now stand, and the sandbox has its network. @throws AppError engine_failed */
  protect(container: ContainerState): Promise<void> {
    const isWaiting = this.#changes.has(container.name)
    return this.#inTurn(container.name, async () => {
      // Those before it may have changed it.
      const now = isWaiting ? await this.#options.connection.engine().inspectContainer(container.id) : container
      if (now && isUp(now)) await this.#protection.apply(now, this.policyOf(now))
    })
  }

  /** One change to a sandbox at a time. */
  #inTurn(name: string, work: () => Promise<void>): Promise<void> {
    const before = this.#changes.get(name) ?? Promise.resolve()
    const change = before.catch(() => {}).then(work)
    this.#changes.set(name, change)
    const forget = () => {
      if (this.#changes.get(name) === change) this.#changes.delete(name)
    }
    change.then(forget, forget)
    return change
  }

  /** Begins what can be done before there is a sandbox. */
  prepare(): void {
    this.#around.read(this.#names()).catch(() => {})
    this.#common.prepare()
  }

  policyOf(container: Pick<ContainerState, 'name' | 'labels'>): NetworkPolicy {
    return this.#policies.of(container)
  }

  /** As `NetworkAttempts.settled`. */
  settled(container: ContainerState, asked: { isShown: boolean }): Promise<void> {
    const { network } = this.policyOf(container)
    return this.#attempts.settled(container, { ...asked, network, gateway: this.#gateway })
  }

  /** Newest first. */
  attemptsOf(id: string): NetworkAttempt[] {
    return this.#attempts.of(id)
  }

  /**
   * Changes what a sandbox reaches, for good. Where that cannot be set it has no network.
   * @throws AppError bad_request, conflict, engine_failed, engine_unavailable, store_failed
   */
  async change(container: ContainerState, policy: NetworkPolicy): Promise<void> {
    checkPolicy(policy)
    this.#policies.save(container.name, policy)
    this.#readyAt.delete(container.id)
    try {
      await this.#makeReady(container.id)
    } catch (error) {
      await this.#close(container, error)
      throw error
    } finally {
      this.#options.bus.publish({ resource: 'sandbox-network', id: container.name })
    }
  }

  /** Starts a container that has stopped, without a network until its rules stand. @throws AppError engine_failed */
  async startAgain(containerId: string): Promise<void> {
    const engine = this.#options.connection.engine()
    await this.#protection.disconnect(containerId)
    await engine.startContainer(containerId)
    try {
      await this.#makeReady(containerId)
    } catch (error) {
      await engine.stopContainer(containerId, SANDBOX.stopGraceSeconds)
      throw error
    }
  }

  /** Before a command: somebody else may have started its container again. */
  async ready(containerId: string): Promise<void> {
    const now = performance.now()
    const readyAt = this.#readyAt
    for (const [id, at] of readyAt) if (now - at > READY_MS) readyAt.delete(id)
    if (readyAt.has(containerId)) return
    if (await this.#makeReady(containerId)) readyAt.set(containerId, now)
  }

  /** @returns whether it is up */
  async #makeReady(containerId: string): Promise<boolean> {
    const container = await this.#options.connection.engine().inspectContainer(containerId)
    if (!container || !isUp(container)) return false
    await this.protect(container)
    return true
  }

  /** A connection to what listens in the sandbox, or to what it may reach. @throws as `Relays.connect` */
  async connect(containerId: string, destination: Destination, signal: AbortSignal): Promise<Duplex> {
    if (destination.host !== null) await unlessAborted(this.ready(containerId), signal)
    return this.#relays.connect(containerId, destination, signal)
  }

  /** Why a sandbox does not reach a host at this port; null where it may, or the host is not known. */
  async refuses(containerId: string, { host, port }: { host: string; port: number }): Promise<NetworkRefusal | null> {
    const name = hostInSandbox(host)
    const verdict = await this.#judge(containerId, { name, port })
    if (verdict !== 'open unless private') return verdict
    const { addresses } = await this.#around.look([name])
    return (addresses[name] ?? []).some(address => !isPublic(address)) ? 'private' : null
  }

  /** Whether its policy leaves a host out. No name is looked up. */
  async isClosedTo(containerId: string, { host, port }: { host: string; port: number }): Promise<boolean> {
    return (await this.#judge(containerId, { name: hostInSandbox(host), port })) === 'policy'
  }

  async #judge(containerId: string, host: { name: string; port: number }): Promise<ReturnType<typeof judge>> {
    const container = await this.#options.connection.engine().inspectContainer(containerId)
    return judge(host, container && this.policyOf(container), this.#options.allowedHosts())
  }

  /** A sandbox that was removed, or is about to be. */
  forget(id: string): void {
    this.#protection.forget(id)
    this.#attempts.forget(id)
    void this.#gateway.dismiss(id).catch(() => {})
  }

  /** It was deleted, for good. Never throws: a full disk must not keep anybody from deleting what fills it. */
  forgetPolicy(id: string): void {
    try {
      this.#policies.forget(id)
    } catch (error) {
      this.#options.log.warn({ sandbox: id, error: messageOf(error) }, 'the network policy of a sandbox stays stored')
    }
  }

  /** What a sandbox takes from the network around it when it starts: another word where that has changed. */
  async startContext(): Promise<string> {
    return JSON.stringify([this.#options.allowedHosts(), ...(await resolverFiles())])
  }

  #containers(): ContainerState[] {
    return this.#options.sandboxes().flatMap(each => (each.kind === 'container' ? [each.container] : []))
  }

  #follow(id: string): void {
    const sandbox = this.#options.sandboxes().find(each => each.id === id)
    if (!sandbox) this.forget(id)
    if (sandbox?.kind !== 'container') return
    // Its address may be another sandbox's by now.
    if (!isUp(sandbox.container)) return void this.#gateway.dismiss(id).catch(() => {})
    const { container } = sandbox
    this.#makeReady(container.id).catch(error => this.#close(container, error))
  }

  #followAll(): void {
    this.#readyAt = new Map()
    for (const { id } of this.#options.sandboxes()) this.#follow(id)
  }

  #contextChanged(found: NetworkContext, before: NetworkContext): void {
    if (found.nameservers.join() !== before.nameservers.join()) void this.#gateway.renew()
    this.#followAll()
  }

  /** Resolves when nobody goes to its address any more. */
  async #gatewayLost(): Promise<void> {
    this.#readyAt = new Map()
    const through = this.#containers().filter(each => isUp(each) && this.policyOf(each).network === 'allowlist')
    await Promise.all(through.map(each => this.#makeReady(each.id).catch(error => this.#close(each, error))))
  }

  /** Without rules it is to have no network. */
  async #close(container: ContainerState, reason: unknown): Promise<void> {
    const { log } = this.#options
    if (this.#closing.signal.aborted || GONE.some(code => isAppError(reason, code))) return
    log.warn({ sandbox: container.name, error: messageOf(reason) }, 'the network of a sandbox is closed')
    try {
      await this.#inTurn(container.name, () => this.#protection.cutOff(container))
    } catch (error) {
      log.warn({ sandbox: container.name, error: messageOf(error) }, 'the network of a sandbox could not be closed')
    }
  }

  #names(): string[] {
    const allowed = this.#options.allowedHosts().map(host => hostInSandbox(allowedHost(host).name))
    return [...new Set([...allowed, ...this.#protection.directNames()])]
  }
}

/** There is nothing to be closed, or nobody to be asked; what comes back is looked at anew. */
const GONE = ['engine_unavailable', 'sandbox_not_running', 'sandbox_not_found'] as const

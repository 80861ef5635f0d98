import { readFile } from 'node:fs/promises'
import type { Duplex } from 'node:stream'
import { settledWithin } from '../../async/settled-within.ts'
import { unlessAborted } from '../../async/unless-aborted.ts'
import type { Bus } from '../../bus.ts'
import type { EngineConnection } from '../../docker/connection.ts'
import { readLabels } from '../../docker/container/labels.ts'
import type { ContainerState } from '../../docker/engine.ts'
import { AppError, isAppError, messageOf } from '../../domain/errors.ts'
import type { Destination } from '../../domain/port-closed.ts'
import type { Log } from '../../log.ts'
import { allowedHost, hostInSandbox, isPublic } from '../../outbound/address.ts'
import { Relays } from '../relay/relays.ts'
import { SANDBOX } from '../spec.ts'
import type { Sandbox } from '../state.ts'
import { CommonContainer } from './common-container.ts'
import { CachedNetworkContext, type NetworkContext } from './context.ts'
import { type OneShotOptions, runOneShot } from './one-shot.ts'
import { networkRules } from './rules.ts'

/** An engine that holds a container holds nobody else up: what is left of a task goes with the next start. */
const GIVE_UP_MS = 2000
/** From one of these an engine on this machine gives a container its nameservers, once, as it starts. */
const RESOLVERS = ['/etc/resolv.conf', '/run/systemd/resolve/resolv.conf']
/** No engine stops a container and starts it again within this time. */
const READY_MS = 50

export interface NetworksOptions extends Omit<OneShotOptions, 'signal'> {
  connection: Pick<EngineConnection, 'engine' | 'info'>
  bus: Bus
  log: Log
  /** Hosts that the person has opened, as `toHost` writes them. */
  allowedHosts(): readonly string[]
  sandboxes(): readonly Sandbox[]
}

/**
 * Keeps sandboxes from this machine, its network and each other. The rules stand in the network namespace of the sandbox,
 * set from a container of ours; inside nobody may change them.
 *
 * INVARIANTS: a sandbox gets its network after its rules; one whose rules cannot be set has no network; no program of the
 * sandbox decides what is allowed.
 */
export class SandboxNetworks {
  readonly #options: NetworksOptions & OneShotOptions
  readonly #closing = new AbortController()
  /** What stands in which sandbox. A namespace lasts from a start of its container to the end. */
  readonly #standing = new Map<string, { startedAt: string; rules: string }>()
  /** When which container was last seen to be ready, of those seen a moment ago. Another map once something has changed for all. */
  #readyAt = new Map<string, number>()
  /** The last of the changes to each sandbox: one at a time. */
  readonly #changes = new Map<string, Promise<void>>()
  readonly #around: CachedNetworkContext
  readonly #common: CommonContainer
  readonly #relays: Relays
  #allowed = ''
  #unsubscribe = () => {}

  constructor(options: NetworksOptions) {
    this.#options = { ...options, signal: this.#closing.signal }
    this.#common = new CommonContainer(this.#options)
    this.#relays = new Relays(this.#options)
    this.#around = new CachedNetworkContext({
      ...this.#options,
      common: this.#common,
      onChange: () => this.#followAll(),
    })
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
    this.#closing.abort()
    await settledWithin(
      GIVE_UP_MS,
      Promise.allSettled([...this.#changes.values(), this.#around.close(), this.#common.close(), this.#relays.close()]),
    )
  }

  /** Resolves when the rules of now stand, and the sandbox has its network. @throws AppError engine_failed */
  protect(container: ContainerState): Promise<void> {
    const { name } = container
    if (readLabels(container.labels)?.network === 'none') return Promise.resolve()
    const before = this.#changes.get(name) ?? Promise.resolve()
    const change = before.catch(() => {}).then(() => this.#protectNow(container))
    this.#changes.set(name, change)
    const forget = () => {
      if (this.#changes.get(name) === change) this.#changes.delete(name)
    }
    change.then(forget, forget)
    return change
  }

  /** Begins what can be done before there is a sandbox. */
  prepare(): void {
    this.#networkContext().catch(() => {})
    this.#common.prepare()
  }

  /** Starts a container that has stopped, without a network until its rules stand. @throws AppError engine_failed */
  async startAgain(containerId: string): Promise<void> {
    const engine = this.#options.connection.engine()
    await this.#disconnect(containerId)
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

  /** Whether sandboxes are kept from a host at this port. A host that is not known is not. */
  async refuses(host: string, port: number): Promise<boolean> {
    const name = hostInSandbox(host)
    const { addresses } = await this.#around.look([name])
    const allowed = this.#options.allowedHosts().map(allowedHost)
    const isAllowed = allowed.some(each => hostInSandbox(each.name) === name && (each.port ?? port) === port)
    return !isAllowed && (addresses[name] ?? []).some(address => !isPublic(address))
  }

  /** It is gone, or will be. */
  forget(id: string): void {
    this.#standing.delete(id)
  }

  /** What a sandbox takes from the network around it when it starts: another word where that has changed. */
  async startContext(): Promise<string> {
    const files = await Promise.all(RESOLVERS.map(path => readFile(path, 'utf8').catch(() => '')))
    return JSON.stringify([this.#options.allowedHosts(), ...files])
  }

  #follow(id: string): void {
    const sandbox = this.#options.sandboxes().find(each => each.id === id)
    if (!sandbox) this.forget(id)
    if (sandbox?.kind !== 'container' || !isUp(sandbox.container)) return
    const { container } = sandbox
    this.#makeReady(container.id).catch(error => this.#close(container, error))
  }

  #followAll(): void {
    this.#readyAt = new Map()
    for (const { id } of this.#options.sandboxes()) this.#follow(id)
  }

  /** Without rules it is to have no network. */
  async #close(container: ContainerState, reason: unknown): Promise<void> {
    const { connection, log } = this.#options
    if (this.#closing.signal.aborted || GONE.some(code => isAppError(reason, code))) return
    log.warn({ sandbox: container.name, error: messageOf(reason) }, 'the network of a sandbox is closed')
    try {
      this.#standing.delete(container.name)
      if (this.#canConnectLater()) await this.#disconnect(container.id)
      else await connection.engine().pauseContainer(container.id)
    } catch (error) {
      log.warn({ sandbox: container.name, error: messageOf(error) }, 'the network of a sandbox could not be closed')
    }
  }

  async #protectNow({ id, pid, name, startedAt, labels, networks }: ContainerState): Promise<void> {
    const { connection, allowedHosts } = this.#options
    try {
      const rules = networkRules(await this.#networkContext(), allowedHosts().map(allowedHost))
      const standing = this.#standing.get(name)
      const isNew = standing?.startedAt !== startedAt
      if (!isNew && standing?.rules === rules) return
      const engine = connection.engine()
      const isWithout = readLabels(labels)?.network === 'full' && !networks.includes('bridge')
      const connects = isNew && isWithout && this.#canConnectLater()
      const set = this.#set(id, pid, rules)
      // No container is on "none" and on another network.
      const left = connects && networks.includes('none') ? engine.disconnectContainer(id, 'none') : undefined
      await Promise.all([set, left])
      if (connects) await engine.connectContainer(id, 'bridge')
      this.#standing.set(name, { startedAt, rules })
    } catch (error) {
      if (!isAppError(error, 'engine_failed')) throw error
      throw (await this.#isStillUp(id, startedAt)) ? rulesNotSet(error) : endedMeanwhile(error)
    }
  }

  /** Where the common container cannot, one for this sandbox alone joins its namespace. */
  async #set(id: string, pid: number | undefined, rules: string): Promise<void> {
    if (pid !== undefined && (await this.#common.setRules({ id, pid }, rules))) return
    await runOneShot(this.#options, {
      command: ['nft', rules],
      network: { of: id },
      extraHosts: [],
      capabilities: ['NET_ADMIN'],
    })
  }

  /** The network namespace of a container ends with its main process. */
  async #isStillUp(containerId: string, startedAt: string): Promise<boolean> {
    const container = await this.#options.connection.engine().inspectContainer(containerId)
    return container !== undefined && isUp(container) && container.startedAt === startedAt
  }

  async #disconnect(containerId: string): Promise<void> {
    if (!this.#canConnectLater()) return
    const engine = this.#options.connection.engine()
    const { networks = [] } = (await engine.inspectContainer(containerId)) ?? {}
    if (networks.includes('bridge')) await engine.disconnectContainer(containerId, 'bridge')
  }

  #canConnectLater(): boolean {
    return this.#options.connection.info().canConnectLater !== false
  }

  #networkContext(): Promise<NetworkContext> {
    return this.#around.read(this.#names())
  }

  #names(): string[] {
    return [...new Set(this.#options.allowedHosts().map(host => hostInSandbox(allowedHost(host).name)))]
  }
}

/** There is nothing to be closed, or nobody to be asked; what comes back is looked at anew. */
const GONE = ['engine_unavailable', 'sandbox_not_running', 'sandbox_not_found'] as const

/** Its network namespace lasts. */
function isUp({ status }: ContainerState): boolean {
  return status === 'running' || status === 'paused'
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

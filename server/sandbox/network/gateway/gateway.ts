import { setTimeout as delay } from 'node:timers/promises'
import { type AllowedName, nameText } from '../../../api/network-policy.ts'
import { AppError } from '../../../domain/errors.ts'
import type { Log } from '../../../log.ts'
import type { CommonContainer } from '../common-container.ts'
import type { NetworkContext } from '../context.ts'
import { createOneShot, NOBODY, type OneShotOptions } from '../one-shot.ts'
import { gatewayRules } from '../rules.ts'
import { setRules } from '../set-rules.ts'
import { type Attempt, GatewayClient, type GatewayState } from './client.ts'
import { FOLDER } from './configuration.ts'
import { gatewayCommand } from './program.ts'

/** One that a killed Atelier leaves behind ends by itself, or is removed at the next start. */
const LIFETIME_S = 30 * 24 * 60 * 60
const MAX_LOST = 10
const LATELY_MS = 60_000
const MAX_PAUSE_MS = 10_000
const MEMORY_BYTES = 256 * 2 ** 20

export interface GatewayOptions extends OneShotOptions {
  log: Log
  common: Pick<CommonContainer, 'setRules'>
  context(): Promise<NetworkContext>
  onAttempt(attempt: Attempt): void
  /** It ended: whoever goes through it is to be protected anew. Resolves when nobody does any more. */
  onLost(): Promise<void>
}

/** A sandbox that goes through the gateway. */
export interface Admission {
  id: string
  /** On the bridge. */
  address: string
  names: readonly AllowedName[]
  /** Of names that are reached without the gateway, at the addresses that they have. */
  hosts: readonly (readonly [name: string, address: string])[]
}

interface Running {
  address: string
  client: GatewayClient
  end: () => Promise<void>
}

/**
 * The one way out for sandboxes that reach an allowlist: a container of ours on the bridge, without rights, in which HAProxy
 * judges every connection by the name that it is made to, and dnsmasq answers every question with the gateway's address, so that
 * no question leaves. It is made for the first of them, and ends with the service.
 */
export class EgressGateway {
  readonly #options: GatewayOptions
  readonly #admitted = new Map<string, Admission>()
  #running: Promise<Running> | undefined
  /** Changes are handed over one after the other. */
  #change: Promise<void> = Promise.resolve()
  #isClosed = false
  #lostAt: number[] = []

  constructor(options: GatewayOptions) {
    this.#options = options
  }

  /**
   * Lets a sandbox reach these names and nothing else; its connections to what it reached before end.
   * @returns the gateway's address @throws AppError engine_failed, engine_unavailable
   */
  async admit(admission: Admission): Promise<string> {
    const running = await this.#run()
    const before = this.#admitted.get(admission.id)
    if (before && keyOf(before) === keyOf(admission)) return running.address
    // Whoever had the address before has it no more.
    for (const [id, { address }] of this.#admitted) if (address === admission.address) this.#admitted.delete(id)
    this.#admitted.set(admission.id, admission)
    await this.#hand(running, before && isNarrower(admission, before) ? [before.address] : [])
    return running.address
  }

  /** Whether a sandbox goes through the gateway that runs now. */
  isAdmitted(id: string): boolean {
    return this.#admitted.has(id)
  }

  /** Its connections end. */
  async dismiss(id: string): Promise<void> {
    const admission = this.#admitted.get(id)
    const running = this.#running
    if (!this.#admitted.delete(id) || !admission || !running) return
    await running.then(
      current => this.#hand(current, [admission.address]),
      () => {},
    )
  }

  /** Resolves when every attempt up to now was reported, or cannot be. */
  async flush(): Promise<void> {
    const running = await this.#running?.catch(() => undefined)
    await running?.client.flush().catch(() => {})
  }

  /** Has another one made: this one has nameservers of its start. */
  async renew(): Promise<void> {
    const running = this.#running
    if (!running) return
    this.#forget(running)
    await running.then(
      ({ client }) => client.close(),
      () => {},
    )
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const running = await this.#running?.catch(() => undefined)
    running?.client.close()
    await running?.end()
  }

  #hand({ client }: Running, end: readonly string[]): Promise<void> {
    const handed = this.#change.then(() => client.set({ ...stateOf([...this.#admitted.values()]), end }))
    // One that may not know what holds now is replaced.
    this.#change = handed.catch(() => client.close())
    return handed
  }

  #run(): Promise<Running> {
    if (this.#isClosed) throw new AppError('unavailable', 'Atelier is closing.')
    const known = this.#running
    if (known) return known
    const running = this.#start()
    this.#running = running
    running.then(
      ({ client, end }) => client.ended.then(() => this.#lose(running, end)),
      () => this.#forget(running),
    )
    return running
  }

  async #start(): Promise<Running> {
    const { connection, common, context, signal } = this.#options
    await delay(this.#pauseMs(), undefined, { signal })
    const engine = connection.engine()
    const { id, remove: end } = await createOneShot(this.#options, {
      command: ['/bin/sleep', String(LIFETIME_S)],
      network: 'bridge',
      extraHosts: [],
      capabilities: [],
      user: NOBODY,
      scratch: FOLDER,
      memoryBytes: MEMORY_BYTES,
    })
    try {
      await engine.startContainer(id)
      const container = await engine.inspectContainer(id)
      const address = container?.address
      if (!container || !address) {
        throw new AppError('engine_failed', 'The gateway for allowed hosts has no address on the bridge of the engine.')
      }
      await setRules(this.#options, common, { id, pid: container.pid }, gatewayRules(await context()))
      const argv = gatewayCommand(address)
      const client = new GatewayClient(
        await engine.exec(id, { argv, user: NOBODY, stdin: true, signal }),
        this.#options.onAttempt,
      )
      await client.ready()
      return { address, client, end }
    } catch (error) {
      await end()
      throw error
    }
  }

  async #lose(running: Promise<Running>, end: () => Promise<void>): Promise<void> {
    this.#forget(running)
    if (!this.#isClosed) {
      this.#options.log.warn('the gateway for allowed hosts ended; another one is made')
      this.#lostAt = [...this.#lostAt, Date.now()].slice(-MAX_LOST)
      // Only after that: until its sandboxes are closed nobody else is to have its address.
      await this.#options.onLost()
    }
    await end()
  }

  /** One that ends again and again is made after longer and longer pauses. */
  #pauseMs(): number {
    const lately = this.#lostAt.filter(at => Date.now() - at < LATELY_MS).length
    return lately < 2 ? 0 : Math.min(500 * 2 ** lately, MAX_PAUSE_MS)
  }

  #forget(running: Promise<Running>): void {
    if (this.#running !== running) return
    this.#running = undefined
    this.#admitted.clear()
  }
}

/** Connections that were opened by the earlier one may be to what is not allowed any more. */
function isNarrower(now: Admission, before: Admission): boolean {
  const texts = new Set(now.names.map(nameText))
  return now.address !== before.address || before.names.some(name => !texts.has(nameText(name)))
}

function keyOf({ address, names, hosts }: Admission): string {
  return JSON.stringify([address, names, hosts])
}

function stateOf(admitted: readonly Admission[]): Omit<GatewayState, 'end'> {
  const keys = (isBelow: boolean) =>
    admitted.flatMap(({ id, names }) =>
      names
        .filter(name => name.isBelow === isBelow && !name.isAddress)
        .map(({ name, port }) => `${isBelow ? '.' : ''}${name}${port === null ? '' : `:${port}`}|${id}`),
    )
  return {
    sandboxes: admitted.map(({ address, id }) => [address, id] as const),
    exact: keys(false),
    below: keys(true),
    hosts: admitted.flatMap(({ hosts }) => hosts),
  }
}

import type { Duplex } from 'node:stream'
import { unlessAborted } from '../../async/unless-aborted.ts'
import type { EngineConnection } from '../../docker/connection.ts'
import { type Destination, PortClosed } from '../../domain/port-closed.ts'
import { createOneShot, NOBODY, type OneShotOptions } from '../network/one-shot.ts'
import { RelayClient } from './client.ts'
import { RELAY_PROGRAM } from './program.ts'

/** One that a killed Atelier leaves behind ends by itself. */
const LIFETIME_S = 12 * 60 * 60
/** Without a connection for so long it is ended. */
const IDLE_MS = 10 * 60_000
const LOOK_MS = 60_000

export interface RelaysOptions extends OneShotOptions {
  connection: Pick<EngineConnection, 'engine' | 'info'>
}

interface Relay {
  client: RelayClient
  /** When the sandbox was started whose network it is in. */
  startedAt: string
  usedAt: number
  end: () => Promise<void>
}

/**
 * Connections to any port of a sandbox, whatever address its program listens on, and to what the sandbox may reach, wherever
 * the engine runs: each sandbox that is looked into has a container of ours in its network namespace, without rights, files
 * or ports, whose one program connects to what its input names. Nothing is put into the sandbox. Where its runtime has a network of
 * its own, which nobody can join, the program runs in the sandbox, with the Python that is there.
 */
export class Relays {
  readonly #options: RelaysOptions
  readonly #relays = new Map<string, Promise<Relay>>()
  readonly #timer: NodeJS.Timeout

  constructor(options: RelaysOptions) {
    this.#options = options
    this.#timer = setInterval(() => void this.#endIdle(), LOOK_MS).unref()
  }

  /**
   * @throws PortClosed where nothing answers at the port
   * @throws AppError engine_unavailable, engine_failed, sandbox_not_running
   */
  async connect(containerId: string, destination: Destination, asked: AbortSignal): Promise<Duplex> {
    const signal = AbortSignal.any([asked, this.#options.signal])
    const { client, startedAt } = await unlessAborted(this.#relayOf(containerId), signal)
    try {
      return await client.connect(destination, signal)
    } catch (error) {
      // The namespace of a container that was started anew is another one.
      if (!(error instanceof PortClosed) && !client.isOver) throw error
      if (!client.isOver && (await this.#startOf(containerId)) === startedAt) throw error
      await this.#end(containerId)
      const { client: next } = await unlessAborted(this.#relayOf(containerId), signal)
      return next.connect(destination, signal)
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await Promise.all([...this.#relays.keys()].map(id => this.#end(id)))
  }

  async #relayOf(containerId: string): Promise<Relay> {
    const known = this.#relays.get(containerId)
    const relay = known ?? this.#start(containerId)
    this.#relays.set(containerId, relay)
    if (!known) relay.catch(() => this.#relays.delete(containerId))
    const started = await relay
    started.usedAt = Date.now()
    return started
  }

  async #start(containerId: string): Promise<Relay> {
    const { connection, signal } = this.#options
    const engine = connection.engine()
    const { startedAt = '', runtime } = (await engine.inspectContainer(containerId)) ?? {}
    const program = { argv: ['python3', '-IBc', RELAY_PROGRAM], user: NOBODY, stdin: true, signal }
    const isOutOfReach = connection.info().runtimes.some(each => each.name === runtime && !each.hasKernelNetwork)
    if (isOutOfReach) {
      const client = new RelayClient(await engine.exec(containerId, program))
      void client.ended.then(() => this.#end(containerId, client))
      return { client, startedAt, usedAt: Date.now(), end: async () => {} }
    }
    const { id, remove: end } = await createOneShot(this.#options, {
      command: ['/bin/sleep', String(LIFETIME_S)],
      network: { of: containerId },
      extraHosts: [],
      capabilities: [],
      user: NOBODY,
    })
    try {
      await engine.startContainer(id)
      const client = new RelayClient(await engine.exec(id, program))
      void client.ended.then(() => this.#end(containerId, client))
      return { client, startedAt, usedAt: Date.now(), end }
    } catch (error) {
      await end()
      throw error
    }
  }

  async #startOf(containerId: string): Promise<string> {
    return (await this.#options.connection.engine().inspectContainer(containerId))?.startedAt ?? ''
  }

  /** @param client only if it is still this one */
  async #end(containerId: string, client?: RelayClient): Promise<void> {
    const relay = this.#relays.get(containerId)
    const started = await relay?.catch(() => undefined)
    if (!started || this.#relays.get(containerId) !== relay || (client && started.client !== client)) return
    this.#relays.delete(containerId)
    started.client.close()
    await started.end()
  }

  async #endIdle(): Promise<void> {
    for (const [containerId, relay] of [...this.#relays]) {
      const { client, usedAt } = await relay.catch(() => ({ client: undefined, usedAt: 0 }))
      if (client?.size === 0 && Date.now() - usedAt > IDLE_MS) await this.#end(containerId)
    }
  }
}

import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { randomToken } from '../../server/domain/ids.ts'

const REQUEST_LINE = /^(?:GET|POST|PUT|HEAD|DELETE) (\S+) HTTP\/1\.1\r\n/

interface Hold {
  released: Promise<void>
  release(): void
}

/** A socket of one's own before the real engine: closing it is, for who uses it, the engine's end. */
export class EngineProxy {
  readonly host: string
  /** The paths that were asked for, without version and query. */
  readonly asked: string[] = []
  /** How many milliseconds a request for this path waits on its way to the engine. */
  lateness: (path: string) => number = () => 0
  readonly #path = join(tmpdir(), `atelier-proxy-${randomToken(6)}.sock`)
  readonly #target: string
  readonly #sockets = new Set<Socket>()
  readonly #held = new Map<string, Hold>()
  #server: Server | undefined
  #thawed: Promise<void> = Promise.resolve()
  #thaw = () => {}

  constructor(engineHost: string) {
    this.#target = engineHost.slice('unix://'.length)
    this.host = `unix://${this.#path}`
  }

  /** It is fine where it is up already. */
  async up(): Promise<void> {
    if (this.#server) return
    this.#server = createServer({ allowHalfOpen: true }, near => {
      const far = connect({ path: this.#target, allowHalfOpen: true })
      for (const socket of [near, far]) {
        this.#sockets.add(socket)
        socket.on('error', () => {})
        socket.on('close', () => this.#sockets.delete(socket))
      }
      void this.#carry(near, far, chunk => this.#late(chunk))
      void this.#carry(far, near, async () => {})
    })
    this.#server.listen(this.#path)
    await once(this.#server, 'listening')
  }

  /** At once, with every connection. */
  async down(): Promise<void> {
    const server = this.#server
    if (!server) return
    this.#server = undefined
    const closed = once(server, 'close')
    for (const { release } of this.#held.values()) release()
    this.#held.clear()
    server.close()
    for (const socket of this.#sockets) socket.destroy()
    await closed
    rmSync(this.#path, { force: true })
  }

  /** From now on nothing comes through, in either direction; no connection is closed. As a stopped process behaves. */
  freeze(): void {
    this.#thawed = new Promise(resolve => {
      this.#thaw = resolve
    })
  }

  thaw(): void {
    this.#thaw()
  }

  /** From now on requests for this path wait on their way to the engine. @returns how to let them go on */
  hold(path: string): () => void {
    let release = () => {}
    const released = new Promise<void>(resolve => {
      release = resolve
    })
    const hold = { released, release }
    this.#held.set(path, hold)
    return () => {
      if (this.#held.get(path) === hold) this.#held.delete(path)
      release()
    }
  }

  async #carry(from: Socket, to: Socket, before: (chunk: Buffer) => Promise<void>): Promise<void> {
    try {
      for await (const chunk of from) {
        await before(chunk)
        await this.#thawed
        if (!to.write(chunk)) await once(to, 'drain')
      }
      to.end()
    } catch {
      // A connection that broke on one side has no use on the other.
      to.destroy()
    }
  }

  async #late(chunk: Buffer): Promise<void> {
    const line = REQUEST_LINE.exec(chunk.toString('latin1'))?.[1]
    if (!line) return
    const path = line.replace(/^\/v[\d.]+/, '').replace(/\?.*/, '')
    this.asked.push(path)
    const milliseconds = this.lateness(path)
    if (milliseconds > 0) await delay(milliseconds)
    await this.#held.get(path)?.released
  }
}

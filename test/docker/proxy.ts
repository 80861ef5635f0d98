import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomToken } from '../../server/ids.ts'

/** A socket of one's own before the real engine: closing it is, for who uses it, the engine's end. */
export class EngineProxy {
  readonly host: string
  readonly #path = join(tmpdir(), `atelier-proxy-${randomToken(6)}.sock`)
  readonly #target: string
  readonly #sockets = new Set<Socket>()
  #server: Server | undefined

  constructor(engineHost: string) {
    this.#target = engineHost.slice('unix://'.length)
    this.host = `unix://${this.#path}`
  }

  async up(): Promise<void> {
    this.#server = createServer({ allowHalfOpen: true }, near => {
      const far = connect({ path: this.#target, allowHalfOpen: true })
      for (const socket of [near, far]) {
        this.#sockets.add(socket)
        socket.on('error', () => {})
        socket.on('close', () => this.#sockets.delete(socket))
      }
      near.pipe(far).pipe(near)
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
    server.close()
    for (const socket of this.#sockets) socket.destroy()
    await closed
    rmSync(this.#path, { force: true })
  }
}

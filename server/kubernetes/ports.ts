import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import type { WebSocket } from 'ws'
import type { ClusterClient } from './client.ts'
import { objectName } from './objects.ts'

interface Forwards {
  startedAt: string
  /** container port → port on 127.0.0.1 */
  ports: Promise<Record<number, number>>
  close(): void
}

/** Channels of one forwarded port; each begins with the port in two bytes. */
const CHANNEL = { data: 0, error: 1 } as const
const PORT_BYTES = 2
/** A program that reads slowly holds the other side back. */
const MAX_BUFFERED = 1024 * 1024
/** No direction can be ended alone: one whose client has said all it had to say is kept for the answer, not for ever. */
const ANSWER_MS = 5 * 60_000

/** Ports of running pods on 127.0.0.1. Each connection is one to the API server. */
export class PortForwards {
  readonly #client: ClusterClient
  readonly #forwards = new Map<string, Forwards>()

  constructor(client: ClusterClient) {
    this.#client = client
  }

  /** Those of the pod that was started then, opened with the first question. Never rejects. */
  of(id: string, startedAt: string, ports: readonly number[]): Promise<Record<number, number>> {
    const known = this.#forwards.get(id)
    if (known?.startedAt === startedAt) return known.ports
    known?.close()
    const forwards = this.#open(id, startedAt, ports)
    this.#forwards.set(id, forwards)
    return forwards.ports
  }

  end(id: string): void {
    this.#forwards.get(id)?.close()
    this.#forwards.delete(id)
  }

  close(): void {
    for (const id of [...this.#forwards.keys()]) this.end(id)
  }

  #open(id: string, startedAt: string, wanted: readonly number[]): Forwards {
    const sockets = new Set<Socket>()
    const servers: Server[] = []
    const listen = async (port: number): Promise<[number, number][]> => {
      const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, socket => {
        sockets.add(socket)
        socket.once('close', () => sockets.delete(socket))
        void this.#connect(id, port, socket)
      })
      servers.push(server)
      server.listen({ host: '127.0.0.1', port: 0 })
      try {
        await once(server, 'listening')
        server.unref()
        const address = server.address()
        return address && typeof address === 'object' ? [[port, address.port]] : []
      } catch {
        // This machine has no port to give: the sandbox runs all the same.
        return []
      }
    }
    return {
      startedAt,
      ports: Promise.all(wanted.map(listen)).then(found => Object.fromEntries(found.flat())),
      close: () => {
        for (const server of servers) server.close()
        for (const socket of sockets) socket.destroy()
      },
    }
  }

  async #connect(id: string, port: number, socket: Socket): Promise<void> {
    socket.on('error', () => {})
    try {
      const path = this.#client.path('pods', objectName(id), 'portforward')
      join(await this.#client.socket(path, { ports: port }), socket)
    } catch {
      socket.destroy()
    }
  }
}

function join(remote: WebSocket, socket: Socket): void {
  const skipped = { [CHANNEL.data]: 0, [CHANNEL.error]: 0 }
  remote.on('message', data => {
    const message = data as Buffer
    const channel = message[0]
    if (channel !== CHANNEL.data && channel !== CHANNEL.error) return
    const skip = Math.min(PORT_BYTES - skipped[channel], message.length - 1)
    skipped[channel] += skip
    const content = message.subarray(1 + skip)
    if (content.length === 0) return
    // What comes there is why nothing answers.
    if (channel === CHANNEL.error) return void socket.destroy()
    if (socket.write(content)) return
    remote.pause()
    socket.once('drain', () => remote.resume())
  })
  remote.on('error', () => {})
  remote.once('close', () => socket.end())
  socket.on('data', chunk => {
    if (remote.readyState !== remote.OPEN) return
    remote.send(Buffer.concat([Buffer.from([CHANNEL.data]), chunk]), () => {
      if (socket.isPaused() && remote.bufferedAmount < MAX_BUFFERED) socket.resume()
    })
    if (remote.bufferedAmount >= MAX_BUFFERED) socket.pause()
  })
  socket.once('end', () => setTimeout(() => socket.destroy(), ANSWER_MS).unref())
  socket.once('close', () => remote.close())
  remote.resume()
  socket.resume()
}

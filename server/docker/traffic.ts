import type { Agent } from 'node:http'
import type { Socket } from 'node:net'

/** The connections to an engine, those of streams included. */
export interface Traffic {
  /** How many bytes have come from the engine so far. */
  received(): number
  /** Ends every connection at once. */
  cut(): void
}

/** `callback` is used by agents that connect in several steps, as over TLS. */
interface Connecting {
  createConnection(options: unknown, callback?: (error: Error | null, socket?: Socket) => void): Socket | undefined
}

/**
 * Counts what an agent's connections receive, without a listener in the way of their data. The agent itself forgets a
 * connection that became a stream; this does not.
 */
export function followTraffic(agent: Agent): Traffic {
  const open = new Set<Socket>()
  let ended = 0
  const follow = (socket: Socket | undefined) => {
    if (!socket || open.has(socket)) return
    open.add(socket)
    socket.once('close', () => {
      open.delete(socket)
      ended += socket.bytesRead
    })
  }
  const connecting = agent as unknown as Connecting
  const connect = connecting.createConnection.bind(agent)
  connecting.createConnection = (options, callback) => {
    const socket = connect(options, (error, made) => {
      follow(made)
      callback?.(error, made)
    })
    follow(socket)
    return socket
  }
  return {
    received: () => [...open].reduce((sum, socket) => sum + socket.bytesRead, ended),
    cut: () => {
      for (const socket of open) socket.destroy()
    },
  }
}

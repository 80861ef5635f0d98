import { type AddressInfo, createConnection, createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** One of this machine that nobody uses. */
export function freePort(): Promise<number> {
  return new Promise(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}

/** Resolves when somebody listens there. */
export async function isListening(port: number): Promise<void> {
  for (let tries = 0; ; tries++) {
    const answers = await new Promise<boolean>(resolve => {
      const socket = createConnection(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false))
      socket.on('connect', () => socket.destroy())
    })
    if (answers) return
    if (tries === 200) throw new Error(`Nothing listens on port ${port}.`)
    await delay(25)
  }
}

import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Gate {
  /** For a sandbox: a request for it is answered once the gate is open. */
  url: string
  /** Resolves when somebody waits. */
  reached: Promise<void>
  open(): void
  close(): Promise<void>
}

/** Holds what runs in a sandbox at a point until the test has seen enough. */
export async function startGate(): Promise<Gate> {
  const waiting: ServerResponse[] = []
  let opened = false
  let arrive = () => {}
  const reached = new Promise<void>(resolve => {
    arrive = resolve
  })
  const server = createServer((_request, reply) => {
    if (opened) reply.end()
    else waiting.push(reply)
    arrive()
  })
  await new Promise<void>(resolve => server.listen(0, '0.0.0.0', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://host.docker.internal:${port}/`,
    reached,
    open: () => {
      opened = true
      for (const reply of waiting.splice(0)) reply.end()
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

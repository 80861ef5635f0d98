import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Whoever steals something from a sandbox sends it here. */
export interface Canary {
  /** For a sandbox. */
  url: string
  /** Everything that was sent to a path, in order. */
  sent(path: string): string[]
  /** Resolves when something was sent to the path for the `count`th time. */
  until(path: string, count?: number): Promise<string>
  close(): Promise<void>
}

export async function startCanary(): Promise<Canary> {
  const received: { path: string; body: string }[] = []
  const waiting = new Set<() => void>()
  const server = createServer((request, reply) => {
    let body = ''
    request.on('data', chunk => {
      body += chunk
    })
    request.on('end', () => {
      received.push({ path: request.url ?? '', body })
      reply.end()
      for (const look of [...waiting]) look()
    })
  })
  await new Promise<void>(resolve => server.listen(0, '0.0.0.0', resolve))
  const { port } = server.address() as AddressInfo
  const sent = (path: string) => received.filter(one => one.path === path).map(({ body }) => body)
  return {
    url: `http://host.docker.internal:${port}`,
    sent,
    until: (path, count = 1) =>
      new Promise(resolve => {
        const look = () => {
          const found = sent(path)[count - 1]
          if (found === undefined) return
          waiting.delete(look)
          resolve(found)
        }
        waiting.add(look)
        look()
      }),
    close: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

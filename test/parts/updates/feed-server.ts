import { once } from 'node:events'
import { createReadStream, statSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, normalize } from 'node:path'

export interface FeedServer {
  url: string
  /** What was asked for, in order, with its headers. */
  requests: { path: string; headers: IncomingMessage['headers'] }[]
  /** From now on packages end after so many bytes: the connection is cut, or held until `release`. */
  stopAfter(bytes: number, how: 'cut' | 'hold'): void
  /** What is held goes on, and nothing stops any more. */
  release(): void
  /** Answers a file with another text. */
  replace(name: string, text: string | null): void
  close(): Promise<void>
}

/** A web server over a folder, which can be made to fail as networks do. */
export async function startFeedServer(folder: string): Promise<FeedServer> {
  const requests: FeedServer['requests'] = []
  const replaced = new Map<string, string>()
  let stop: { bytes: number; how: 'cut' | 'hold' } | null = null
  let held: (() => void)[] = []
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const path = new URL(request.url ?? '/', 'http://feed').pathname.slice(1)
    requests.push({ path, headers: request.headers })
    const text = replaced.get(path)
    if (text !== undefined) return void response.end(text)
    const file = join(folder, normalize(path))
    const size = statSync(file, { throwIfNoEntry: false })?.size
    if (size === undefined) return void response.writeHead(404).end()
    response.writeHead(200, { 'content-length': size })
    const isStopped = stop !== null && size > stop.bytes
    // A folder may go while it is asked for.
    const read = (part?: { start?: number; end?: number }) =>
      createReadStream(file, part).on('error', () => response.destroy())
    if (!isStopped || stop === null) return void read().pipe(response)
    const { bytes, how } = stop
    read({ end: bytes - 1 })
      .on('end', () => {
        if (how === 'cut') response.destroy()
        else held.push(() => read({ start: bytes }).pipe(response))
      })
      .pipe(response, { end: false })
  }
  const server = createServer(answer)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    requests,
    stopAfter: (bytes, how) => {
      stop = { bytes, how }
    },
    release: () => {
      stop = null
      for (const go of held) go()
      held = []
    },
    replace: (name, text) => {
      if (text === null) replaced.delete(name)
      else replaced.set(name, text)
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface EngineProxy {
  /** In the form of DOCKER_HOST. */
  host: string
  /** From now on the engine does not answer any more. */
  cut(): Promise<void>
  close(): Promise<void>
}

/** The engine behind a socket that can go away. */
export async function startEngineProxy(engine: string): Promise<EngineProxy> {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-engine-'))
  const path = join(folder, 'docker.sock')
  const open = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, near => {
    const far = connect({ ...addressOf(engine), allowHalfOpen: true })
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one)
      one.pipe(other)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        open.delete(one)
        other.destroy()
      })
    }
  })
  await new Promise<void>(resolve => server.listen(path, resolve))
  const cut = () =>
    new Promise<void>(resolve => {
      server.close(() => resolve())
      for (const socket of open) socket.destroy()
    })
  return {
    host: `unix://${path}`,
    cut,
    close: async () => {
      if (server.listening) await cut()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function addressOf(engine: string): NetConnectOpts {
  const url = new URL(engine)
  return url.protocol === 'unix:' ? { path: url.pathname } : { host: url.hostname, port: Number(url.port) }
}

import { rmSync } from 'node:fs'
import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net'
import { Transform } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'

/** The way from the service to its engine, which can be slow, silent, cut or closed. */
export interface EngineLink {
  /** In the form of DOCKER_HOST. */
  host: string
  /** Each piece of bytes is so many milliseconds late, in both directions. */
  slowDown(milliseconds: number): void
  /** Nothing passes until `recover`; nothing is lost either. */
  hold(): void
  /** Ends every connection; new ones are taken. */
  cut(): void
  /** Ends every connection and takes no new one until `recover`. */
  refuse(): void
  recover(): void
  close(): Promise<void>
}

/** @param path of the socket to be made */
export async function openEngineLink(engine: string, path: string): Promise<EngineLink> {
  const open = new Set<Socket>()
  const state = {
    late: 0,
    held: undefined as { until: Promise<void>; release: () => void } | undefined,
    refused: false,
  }
  const passage = () =>
    new Transform({
      transform: (chunk, _encoding, done) => {
        const pass = async () => {
          if (state.late > 0) await delay(state.late)
          await state.held?.until
        }
        if (state.late === 0 && !state.held) done(null, chunk)
        else pass().then(() => done(null, chunk), done)
      },
    })
  const server = createServer({ allowHalfOpen: true }, near => {
    if (state.refused) return void near.destroy()
    const far = connect({ ...addressOf(engine), allowHalfOpen: true })
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from)
      from.pipe(passage()).pipe(to)
      from.on('error', () => to.destroy())
      from.on('close', () => {
        open.delete(from)
        to.destroy()
      })
    }
  })
  await new Promise<void>(resolve => server.listen(path, resolve))
  const cut = () => {
    for (const socket of open) socket.destroy()
  }
  const recover = () => {
    state.late = 0
    state.refused = false
    state.held?.release()
    state.held = undefined
  }
  return {
    host: `unix://${path}`,
    slowDown: milliseconds => {
      state.late = milliseconds
    },
    hold: () => {
      let release = () => {}
      const until = new Promise<void>(resolve => {
        release = resolve
      })
      state.held = { until, release }
    },
    cut,
    refuse: () => {
      state.refused = true
      cut()
    },
    recover,
    close: async () => {
      recover()
      const closed = new Promise<void>(resolve => server.close(() => resolve()))
      cut()
      await closed
      rmSync(path, { force: true })
    },
  }
}

function addressOf(engine: string): NetConnectOpts {
  const url = new URL(engine)
  return url.protocol === 'unix:' ? { path: url.pathname } : { host: url.hostname, port: Number(url.port) }
}

import { settledWithin } from '../../server/async/settled-within.ts'
import { NO_ACTIVITY } from '../service/calls.ts'
import type { ServiceProcess, ServiceProcessOptions, startServiceProcess } from '../service/child.ts'
import { CLOSE_MS } from '../service/host.ts'

export interface ReplaceableService {
  /** Starts the newest code. What it returns stands for the service that runs, whichever that is by then. */
  start(options: ServiceProcessOptions): Promise<ServiceProcess>
  /** Closes the running service, if there is one, and starts `file` in its place, at the same address where that is free. */
  replace(file: string): Promise<void>
}

/** The embedded service of a developer: each bundle of its code takes the place of the one before it. */
export function createReplaceableService(file: string, start: typeof startServiceProcess): ReplaceableService {
  let newest = file
  let options: ServiceProcessOptions | undefined
  let running: ServiceProcess | undefined
  let lastUrl: string | undefined
  let turn: Promise<unknown> = Promise.resolve()

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = turn.then(work)
    turn = result.catch(() => {}) // the caller of that work gets the error
    return result
  }
  const current = (): ServiceProcess => {
    if (!running) throw new Error('The service does not run. The terminal shows why.')
    return running
  }
  const stop = async (): Promise<void> => {
    const stopped = running
    running = undefined
    if (!stopped) return
    await settledWithin(CLOSE_MS, stopped.close())
    await stopped.kill()
  }
  const open = async (given: ServiceProcessOptions): Promise<void> => {
    await stop()
    const address = lastUrl ? { port: Number(new URL(lastUrl).port) } : {}
    running = await start({ ...given, file: newest, config: { ...given.config, ...address } })
    lastUrl = running.url
  }
  const standIn: ServiceProcess = {
    // While one takes the place of another, the address at which the next one is tried.
    get url() {
      return lastUrl ?? current().url
    },
    // The key of a window ends with its service; the API's key lets a page go on with the next one.
    connection: () =>
      inTurn(async () => {
        const connection = await current().connection()
        return { ...connection, key: connection.sessionApiKey }
      }),
    isReady: () => running?.isReady() ?? false,
    ping: async () => running?.ping(),
    endHang: async () => running?.endHang(),
    suspend: () => running?.suspend(),
    resume: () => running?.resume(),
    activity: () => running?.activity() ?? NO_ACTIVITY,
    atWork: async () => running?.atWork() ?? { agents: 0, terminals: 0 },
    backUp: async () => current().backUp(),
    reportCrash: async error => running?.reportCrash(error) ?? null,
    logUnexpected: reason => running?.logUnexpected(reason),
    close: () => inTurn(stop),
    kill: async () => running?.kill(),
  }
  return {
    start: given =>
      inTurn(async () => {
        options = given
        await open(given)
        return standIn
      }),
    replace: next =>
      inTurn(async () => {
        newest = next
        if (options) await open(options)
      }),
  }
}

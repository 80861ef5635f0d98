import type { Activity, EmbeddedService } from './embedded-service.ts'
import type { Connection } from './ipc.ts'

/** Where no service runs. */
export const NO_ACTIVITY: Activity = { working: [], waiting: [] }

export interface ServiceHost {
  /** Starts the service, or says where it is. A failed start is tried again by the next call. */
  connect(): Promise<Connection>
  /** Null until it runs. */
  url(): string | null
  activity(): Activity
  /** In how many terminals a program runs, which would end with the service. */
  busyTerminals(): Promise<number>
  /** Called whenever `activity` says something else, soon after that. Must not throw. */
  onActivity(heard: () => void): void
  /** Makes a backup of the database before another version is installed. @returns its name */
  backUp(): Promise<string>
  /** Closes the service and starts another one in its place, at the same address where that is free; `connect` waits for it. */
  restart(): void
  /** Keeps a report of an error that ended the service. @returns where it is; null where there is none */
  reportCrash(error: unknown): string | null
  /** For what was not expected, and ended nothing. */
  logUnexpected(reason: unknown): void
  /** The computer falls asleep, or has woken up. */
  suspend(): void
  resume(): void
  close(): Promise<void>
}

/** A service that does not close by then is not waited for: what crashed may take long to end. */
const CLOSE_MS = 10_000

/** Changes come in bursts, and nobody reads that fast. */
const GATHER_MS = 200

export interface ServiceStart {
  /** The address of a service that it takes the place of; null at first. */
  lastUrl: string | null
  onActivity: () => void
}

export function createServiceHost(startService: (start: ServiceStart) => Promise<EmbeddedService>): ServiceHost {
  let starting: Promise<EmbeddedService> | undefined
  let running: EmbeddedService | undefined
  /** The one that ran last: what crashes while another is being started is written down as well. */
  let last: EmbeddedService | undefined
  let lastUrl: string | null = null
  let closed = false
  let heard = () => {}
  let isGathering = false

  const onActivity = (): void => {
    if (isGathering) return
    isGathering = true
    setTimeout(() => {
      isGathering = false
      if (!closed) heard()
    }, GATHER_MS).unref()
  }
  const start = async (): Promise<EmbeddedService> => {
    const started = await startService({ lastUrl, onActivity })
    if (!closed) return started
    await started.close()
    throw new Error('Atelier is ending.')
  }
  const replace = async (old: Promise<EmbeddedService> | undefined): Promise<EmbeddedService> => {
    const closing = old?.then(service => service.close()).catch(() => {})
    await Promise.race([closing, new Promise(resolve => setTimeout(resolve, CLOSE_MS).unref())])
    try {
      return await start()
    } catch (error) {
      // It holds the data folder until the last of it is closed, which is bounded.
      if (closed || !closing) throw error
      await closing
      return start()
    }
  }
  return {
    async connect() {
      starting ??= start()
      const current = starting
      try {
        running = await current
        last = running
        lastUrl = running.url
        onActivity()
        return await running.connection()
      } catch (error) {
        if (starting === current) starting = undefined
        throw error
      }
    },
    url: () => running?.url ?? null,
    activity: () => running?.activity() ?? NO_ACTIVITY,
    busyTerminals: async () => running?.busyTerminals() ?? 0,
    onActivity: next => {
      heard = next
    },
    suspend: () => running?.suspend(),
    resume: () => running?.resume(),
    async backUp() {
      if (!running) throw new Error('The service does not run, so its database cannot be backed up.')
      return running.backUp()
    },
    restart() {
      running = undefined
      onActivity()
      starting = replace(starting)
      starting.catch(() => {}) // whoever connects gets the reason
    },
    reportCrash: error => last?.reportCrash(error) ?? null,
    logUnexpected: reason => last?.logUnexpected(reason),
    async close() {
      closed = true
      const started = await starting?.catch(() => undefined)
      await started?.close()
    },
  }
}

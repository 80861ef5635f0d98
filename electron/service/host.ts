import { settledWithin } from '../../server/async/settled-within.ts'
import type { Connection } from '../ipc.ts'
import { type Activity, type AtWork, NO_ACTIVITY } from './calls.ts'
import type { ServiceProcess } from './child.ts'

export interface ServiceHost {
  /** Starts the service, or says where it is. A failed start is tried again by the next call. */
  connect(): Promise<Connection>
  /** Null until it runs. */
  url(): string | null
  activity(): Activity
  /** What would end with the service. */
  atWork(): Promise<AtWork>
  /** Called whenever `activity` says something else, soon after that. Must not throw. */
  onActivity(heard: () => void): void
  /** Makes a backup of the database before another version is installed. @returns its name */
  backUp(): Promise<string>
  /** Closes the service and starts another one in its place, at the same address where that is free; `connect` waits for it. */
  restart(): void
  /** Called when a service has ended by itself. @param heard is given where the report is; null where it could not be kept */
  onCrash(heard: (report: string | null) => void): void
  /** Keeps a report of an error of the app. @returns where it is; null where there is none */
  reportCrash(error: unknown): Promise<string | null>
  /** For what was not expected, and ended nothing. */
  logUnexpected(reason: unknown): void
  /** The computer falls asleep, or has woken up. */
  suspend(): void
  resume(): void
  close(): Promise<void>
}

/** A service that does not close by then is ended as it is: what crashed may take long to close. */
const CLOSE_MS = 10_000

export interface ServiceOrder {
  /** The address of a service that it takes the place of; null at first. */
  lastUrl: string | null
  onActivity: () => void
  onCrash: (report: string | null) => void
}

export function createServiceHost(startService: (order: ServiceOrder) => Promise<ServiceProcess>): ServiceHost {
  let starting: Promise<ServiceProcess> | undefined
  let running: ServiceProcess | undefined
  /** The one that ran last: what crashes while another is being started is written down as well. */
  let last: ServiceProcess | undefined
  let lastUrl: string | null = null
  let closed = false
  let heardActivity = () => {}
  let heardCrash = (_report: string | null) => {}

  const onActivity = () => {
    if (!closed) heardActivity()
  }
  const onCrash = (report: string | null) => {
    if (!closed) heardCrash(report)
  }
  const start = async (): Promise<ServiceProcess> => {
    const started = await startService({ lastUrl, onActivity, onCrash })
    if (!closed) return started
    await started.close()
    throw new Error('Atelier is ending.')
  }
  const replace = async (old: Promise<ServiceProcess> | undefined): Promise<ServiceProcess> => {
    const service = await old?.catch(() => undefined)
    if (service) {
      await settledWithin(CLOSE_MS, service.close())
      await service.kill()
    }
    return start()
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
    atWork: async () => running?.atWork() ?? { agents: 0, terminals: 0 },
    onActivity: heard => {
      heardActivity = heard
    },
    onCrash: heard => {
      heardCrash = heard
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
    reportCrash: async error => last?.reportCrash(error) ?? null,
    logUnexpected: reason => last?.logUnexpected(reason),
    async close() {
      closed = true
      const started = await starting?.catch(() => undefined)
      await started?.close()
    },
  }
}

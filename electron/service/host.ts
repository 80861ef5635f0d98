import { settledWithin } from '../../server/async/settled-within.ts'
import type { Connection } from '../ipc.ts'
import { type Activity, type AtWork, NO_ACTIVITY } from './calls.ts'
import type { ServiceListeners, ServiceProcess } from './child.ts'

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
  /** Whether one runs that is to answer at once. */
  isReady(): boolean
  /** Resolves when it has answered, or ended. */
  ping(): Promise<void>
  /** Ends a service that hangs as it is, and starts another one in its place as `restart` does. */
  restartHanging(): void
  /** Called when a service has ended by itself. @param heard is given where the report is; null where it could not be kept */
  onCrash(heard: (report: string | null) => void): void
  /** Keeps a report of an error of the app. @returns where it is; null where no service has run yet */
  reportCrash(error: unknown): Promise<string | null>
  /** For what was not expected, and ended nothing. */
  logUnexpected(reason: unknown): void
  /** The computer falls asleep, or has woken up. */
  suspend(): void
  resume(): void
  close(): Promise<void>
}

/** A service that does not close by then is ended as it is: what crashed may take long to close. */
export const CLOSE_MS = 10_000

/** @param startService is given the address of a service that it takes the place of; null at first */
export function createServiceHost(
  startService: (lastUrl: string | null, listeners: ServiceListeners) => Promise<ServiceProcess>,
): ServiceHost {
  let starting: Promise<ServiceProcess> | undefined
  let running: ServiceProcess | undefined
  /** The one that ran last, while another is being started too: it keeps reports of the app's errors. */
  let last: ServiceProcess | undefined
  let closed = false
  const hearing: (() => void)[] = []
  let heardCrash = (_report: string | null) => {}

  const listeners: ServiceListeners = {
    onActivity: () => {
      if (!closed) for (const heard of hearing) heard()
    },
    onCrash: report => {
      if (!closed) heardCrash(report)
    },
  }
  const start = async (): Promise<ServiceProcess> => {
    if (closed) refuse()
    const started = await startService(last?.url ?? null, listeners)
    if (closed) {
      await started.close()
      refuse()
    }
    running = started
    last = started
    listeners.onActivity()
    return started
  }
  /** A start that fails is tried again by whoever connects next. */
  const begin = (work: () => Promise<ServiceProcess>): Promise<ServiceProcess> => {
    const begun = work()
    starting = begun
    begun.catch(() => {
      if (starting === begun) starting = undefined
    })
    return begun
  }
  const replace = (end: (service: ServiceProcess) => Promise<void>): void => {
    const old = starting
    running = undefined
    listeners.onActivity()
    void begin(async () => {
      const service = await old?.catch(() => undefined)
      if (service) await end(service)
      return start()
    })
  }
  return {
    connect: async () => (await (starting ?? begin(start))).connection(),
    url: () => running?.url ?? null,
    activity: () => running?.activity() ?? NO_ACTIVITY,
    atWork: async () => running?.atWork() ?? { agents: 0, terminals: 0 },
    onActivity: heard => void hearing.push(heard),
    onCrash: heard => {
      heardCrash = heard
    },
    suspend: () => running?.suspend(),
    resume: () => running?.resume(),
    async backUp() {
      if (!running) throw new Error('The service does not run, so its database cannot be backed up.')
      return running.backUp()
    },
    restart: () =>
      replace(async service => {
        await settledWithin(CLOSE_MS, service.close())
        await service.kill()
      }),
    isReady: () => !closed && running?.isReady() === true,
    ping: async () => running?.ping(),
    restartHanging: () => replace(service => service.endHang()),
    reportCrash: async error => last?.reportCrash(error) ?? null,
    logUnexpected: reason => last?.logUnexpected(reason),
    async close() {
      closed = true
      const started = await starting?.catch(() => undefined)
      await started?.close()
    },
  }
}

function refuse(): never {
  throw new Error('Atelier is ending.')
}

import { createBirpc } from 'birpc'
import { utilityProcess } from 'electron'
import { settledWithin } from '../../server/async/settled-within.ts'
import { describeError, writeCrashReport } from '../../server/crash-reports.ts'
import type { ChildPort } from '../../server/secret/keychain/child-port.ts'
import type { Connection } from '../ipc.ts'
import { t } from '../text.ts'
import {
  type Activity,
  type AppCalls,
  type AtWork,
  agentsOf,
  MESSAGES,
  NO_ACTIVITY,
  type ServiceCalls,
  type ServiceStart,
  unanswered,
} from './calls.ts'
import { startKeychainProcess } from './keychain.ts'
import { killAtOnce } from './kill.ts'

/** What is heard of a service. None of these may throw. */
export interface ServiceListeners {
  /** Called whenever `activity` says something else, soon after that. */
  onActivity: () => void
  /** Called once when an error that nobody caught, or the system, has ended it. @param report where it is; null where it could not be kept */
  onCrash: (report: string | null) => void
}

export interface ServiceProcessOptions extends ServiceStart, ServiceListeners {
  /** The bundled `service-process.js`. */
  file: string
  /** Arguments of Node, for a debugger. */
  execArgv?: string[]
  /** The bundled `keychain-process.js`. */
  keychainProcess: string
  proxyOfSystem: (origin: string) => Promise<string>
}

export interface ServiceProcess {
  url: string
  /** @throws in words when the service does not answer */
  connection(): Promise<Connection>
  activity(): Activity
  atWork(): Promise<AtWork>
  /** Makes a backup of the database before another version is installed. @returns its name @throws in words */
  backUp(): Promise<string>
  /** Whether it has started and neither closes nor opens its database anew. */
  isReady(): boolean
  /** Resolves when it has answered, or ended. */
  ping(): Promise<void>
  /** Ends it as it is, because a person does not wait for its answer any longer, and keeps a report of that. */
  endHang(): Promise<void>
  suspend(): void
  resume(): void
  /** Keeps a report of an error of the app, without secrets. @returns where it is; null where it could not be kept */
  reportCrash(error: unknown): Promise<string | null>
  logUnexpected(reason: unknown): void
  /** Takes as long as all that is open takes to close. */
  close(): Promise<void>
  /** Ends it as it is. */
  kill(): Promise<void>
}

/** A process that does not even begin by then never will. */
const SPAWN_MS = 30_000
/** What the error ends does not wait for its report. */
const REPORT_MS = 2_000
/** A service that hangs must not keep the app from quitting. Its own answer takes two seconds at most. */
const QUIT_MS = 3_000
/** After which a page says that the service does not answer. */
const CONNECTION_MS = 15_000

/** @throws in words when it does not start */
export async function startServiceProcess(options: ServiceProcessOptions): Promise<ServiceProcess> {
  const { file, execArgv, keychainProcess, onActivity, onCrash, proxyOfSystem, ...start } = options
  const child = utilityProcess.fork(file, [], {
    serviceName: 'Atelier service',
    stdio: 'inherit',
    ...(execArgv && { execArgv }),
  })
  const keychains = new Map<number, ChildPort>()
  let activity = NO_ACTIVITY
  let phase: 'starting' | 'running' | 'ending' = 'starting'
  let isReopening = false
  let end: Error | undefined
  const crashed = (report: string | null): void => {
    // What ends while it starts fails the start, and an end that was asked for is none that anybody has to hear of.
    if (phase !== 'running') return
    phase = 'ending'
    onCrash(report)
  }
  const service = createBirpc<ServiceCalls, AppCalls>(
    {
      activity: unanswered(now => {
        activity = now
        onActivity()
      }),
      crashed: unanswered(report => {
        // What has not started has nothing to close.
        if (phase === 'starting') killAtOnce(child)
        crashed(report)
      }),
      reopening: unanswered(now => {
        isReopening = now
      }),
      // As a signal to the app itself does.
      end: unanswered(() => void process.emit('SIGTERM')),
      proxyOfSystem,
      startKeychain: unanswered(id => {
        const keychain = startKeychainProcess(keychainProcess)
        keychains.set(id, keychain)
        keychain.onMessage(message => tell(service.keychainMessage.asEvent(id, message)))
        keychain.onExit(() => {
          keychains.delete(id)
          tell(service.keychainExit.asEvent(id))
        })
      }),
      toKeychain: unanswered((id, message) => keychains.get(id)?.send(message)),
      killKeychain: unanswered(id => keychains.get(id)?.kill()),
    },
    { ...MESSAGES, post: message => child.postMessage(message), on: listener => child.on('message', listener) },
  )
  // One that hangs does not notice that the app has ended.
  const endWithApp = () => killAtOnce(child)
  process.once('exit', endWithApp)
  // An error of V8, which the exit says as well. Without a listener it would be one of the app.
  child.on('error', () => {})
  const ended = new Promise<void>(resolve => {
    child.once('exit', code => {
      process.off('exit', endWithApp)
      resolve()
      end = new Error(t('serviceEnded', { code: String(code) }))
      activity = NO_ACTIVITY
      service.$close(end)
      for (const keychain of keychains.values()) keychain.kill()
      if (phase === 'running') crashed(writeReport(start, `The process of the service ended with code ${code}.`))
    })
  })
  const kill = async (): Promise<void> => {
    phase = 'ending'
    if (child.pid === undefined) return
    killAtOnce(child)
    await ended
  }
  const atWork = () => service.atWork()
  let url: string
  try {
    await settledWithin(SPAWN_MS, Promise.race([ended, new Promise<void>(resolve => child.once('spawn', resolve))]))
    if (end) throw end
    if (child.pid === undefined) throw new Error(t('serviceSilent'))
    url = await service.start(start)
    phase = 'running'
  } catch (error) {
    await kill()
    throw error
  }
  return {
    url,
    async connection() {
      if (end) throw end
      return within(CONNECTION_MS, service.connection())
    },
    activity: () => activity,
    atWork: () => within(QUIT_MS, atWork()).catch(() => ({ agents: agentsOf(activity), terminals: 0 })),
    async backUp() {
      // The backup itself takes as long as the database is large.
      await within(QUIT_MS, atWork())
      return service.backUp()
    },
    isReady: () => phase === 'running' && !isReopening,
    // A debugger holds it up for as long as somebody looks.
    ping: async () => (execArgv?.length ? undefined : service.ping()),
    async endHang() {
      await kill()
      writeReport(start, 'The service did not answer, and a person had it started again.')
    },
    suspend: () => tell(service.suspend.asEvent()),
    resume: () => tell(service.resume.asEvent()),
    async reportCrash(error) {
      const kept = await within(REPORT_MS, service.reportCrash(describeError(error))).catch(() => null)
      if (kept !== null) return kept
      const name = error instanceof Error ? error.name : typeof error
      return writeReport(start, `An error of the app (${name}), while the service did not answer.`)
    },
    logUnexpected: reason => tell(service.logUnexpected.asEvent(describeError(reason))),
    async close() {
      phase = 'ending'
      // Where it ends meanwhile it is closed as well.
      await service.close().catch(() => {})
      await kill()
    },
    kill,
  }
}

/** @throws in words when nothing has come in time */
async function within<T>(milliseconds: number, asked: Promise<T>): Promise<T> {
  await settledWithin(milliseconds, asked)
  return Promise.race([asked, Promise.reject(new Error(t('serviceSilent')))])
}

/** Of what the service could not write down itself. The app does not know the secrets that would be hidden, so that nothing else is in it. */
function writeReport({ config, version }: ServiceStart, what: string): string | null {
  return writeCrashReport(config.dataDir, what, { version, mask: text => text, log: { fatal: () => {} } })
}

/** A process that has ended hears nothing, which its end says. */
function tell(sent: Promise<void>): void {
  sent.catch(() => {})
}

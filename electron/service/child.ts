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
  NO_ACTIVITY,
  type ServiceCalls,
  type ServiceStart,
} from './calls.ts'
import { startKeychainProcess } from './keychain.ts'
import { killAtOnce } from './kill.ts'

export interface ServiceProcessOptions extends ServiceStart {
  /** The bundled `service-process.js`. */
  file: string
  /** Arguments of Node, for a debugger. */
  execArgv?: string[]
  /** The bundled `keychain-process.js`. */
  keychainProcess: string
  /** Called whenever `activity` says something else, soon after that. */
  onActivity: () => void
  /** Called once when an error that nobody caught, or the system, has ended the service. @param report where it is; null where it could not be kept */
  onCrash: (report: string | null) => void
  proxyOfSystem: (origin: string) => Promise<string>
}

export interface ServiceProcess {
  url: string
  connection(): Promise<Connection>
  activity(): Activity
  atWork(): Promise<AtWork>
  /** Makes a backup of the database before another version is installed. @returns its name */
  backUp(): Promise<string>
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

/** What the error ends does not wait for its report. */
const REPORT_MS = 2_000
/** A service that hangs must not keep the app from quitting. Its own answer takes two seconds at most. */
const QUIT_MS = 3_000

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
  /** Whatever comes when it does not run is expected, or the start's failure. */
  let isRunning = false
  const crashed = (report: string | null): void => {
    if (!isRunning) return
    isRunning = false
    onCrash(report)
  }
  const service = createBirpc<ServiceCalls, AppCalls>(
    {
      activity(now) {
        activity = now
        onActivity()
      },
      crashed(report) {
        // What has not started has nothing to close.
        if (!isRunning) killAtOnce(child)
        crashed(report)
      },
      proxyOfSystem,
      startKeychain(id) {
        const keychain = startKeychainProcess(keychainProcess)
        keychains.set(id, keychain)
        keychain.onMessage(message => tell(service.keychainMessage.asEvent(id, message)))
        keychain.onExit(() => {
          keychains.delete(id)
          tell(service.keychainExit.asEvent(id))
        })
      },
      toKeychain: (id, message) => keychains.get(id)?.send(message),
      killKeychain: id => keychains.get(id)?.kill(),
    },
    {
      post: message => child.postMessage(message),
      on: listener => child.on('message', listener),
      timeout: -1, // each of these takes as long as it takes; the end of the process ends it
    },
  )
  // One that hangs does not notice that the app has ended.
  const endWithApp = () => killAtOnce(child)
  process.once('exit', endWithApp)
  const ended = new Promise<void>(resolve => {
    child.once('exit', code => {
      process.off('exit', endWithApp)
      resolve()
      service.$close(new Error(t('serviceEnded', { code: String(code) })))
      for (const keychain of keychains.values()) keychain.kill()
      if (isRunning) crashed(reportEnd(start, code))
    })
  })
  const kill = async (): Promise<void> => {
    isRunning = false
    killAtOnce(child)
    await ended
  }
  let url: string
  try {
    url = await service.start(start)
  } catch (error) {
    await kill()
    throw error
  }
  isRunning = true
  return {
    url,
    connection: () => service.connection(),
    activity: () => activity,
    atWork: () => within(QUIT_MS, service.atWork(), { agents: activity.working.length, terminals: 0 }),
    backUp: () => service.backUp(),
    suspend: () => tell(service.suspend.asEvent()),
    resume: () => tell(service.resume.asEvent()),
    async reportCrash(error) {
      return within(REPORT_MS, service.reportCrash(describeError(error)), null)
    },
    logUnexpected: reason => tell(service.logUnexpected.asEvent(describeError(reason))),
    async close() {
      isRunning = false
      // Where it ends meanwhile it is closed as well.
      await service.close().catch(() => {})
      await kill()
    },
    kill,
  }
}

/** @returns `otherwise` when nothing better comes in time */
async function within<T>(milliseconds: number, asked: Promise<T>, otherwise: T): Promise<T> {
  let answer = otherwise
  const heard = asked.then(value => {
    answer = value
  })
  await settledWithin(milliseconds, heard)
  return answer
}

/** The process could not write it down itself. */
function reportEnd({ config, version }: ServiceStart, code: number): string | null {
  const error = `The process of the service ended with code ${code}.`
  return writeCrashReport(config.dataDir, error, { version, mask: text => text, log: { fatal: () => {} } })
}

/** A process that has ended hears nothing, which its end says. */
function tell(sent: Promise<void>): void {
  sent.catch(() => {})
}

import type { Service } from '../../server/composition/service.ts'
import type { Config } from '../../server/config.ts'
import type { Connection } from '../ipc.ts'

/** Whose agents work, whose wait for a person, and how many are about to begin. */
export type Activity = ReturnType<Service['activity']>

/** Where no service runs. */
export const NO_ACTIVITY: Activity = { working: [], waiting: [], starting: 0 }

/** With those whose task is being started: they would end with the service as well. */
export const agentsOf = ({ working, starting }: Activity): number => working.length + starting

export interface AtWork {
  agents: number
  /** In which a program runs. */
  terminals: number
}

export interface ServiceStart {
  config: Config
  defaultDataDir: string
  version: string
  resourcesDir: string
}

/** What the app asks the process of the service. */
export interface ServiceCalls {
  /** Comes once, and first. @returns its address @throws in words */
  start(start: ServiceStart): Promise<string>
  connection(): Connection
  /** What ends with it. Takes two seconds at most. */
  atWork(): Promise<AtWork>
  /** @returns the name of the backup */
  backUp(): Promise<string>
  /** Whether it answers at all. */
  ping(): void
  suspend(): void
  resume(): void
  /** @param error of the app, as text @returns where its report is, without secrets; null where it could not be kept */
  reportCrash(error: string): string | null
  logUnexpected(reason: string): void
  /** Closes all that is open. The process goes on until it is ended. */
  close(): Promise<void>
  keychainMessage(id: number, message: unknown): void
  keychainExit(id: number): void
}

/** What it asks the app. */
export interface AppCalls {
  activity(now: Activity): void
  /** Nobody caught an error. The app has this process closed and ended. @param report where it is; null where it could not be kept */
  crashed(report: string | null): void
  /** It closes its database and opens it anew, or has done so: it may take long to answer meanwhile. */
  reopening(isReopening: boolean): void
  /** The system, or somebody on this computer, wants it to end. */
  end(): void
  /** Which proxy the system has for an origin. */
  proxyOfSystem(origin: string): Promise<string>
  /** Only the app can start a process of Electron. @param id of this process's choice */
  startKeychain(id: number): void
  toKeychain(id: number, message: unknown): void
  killKeychain(id: number): void
}

/** As the channel carries them: of an error only the message and the code, as what else it holds may not be cloneable. */
export const MESSAGES = {
  serialize: (message: { e?: unknown }) => (message.e === undefined ? message : { ...message, e: plain(message.e) }),
  deserialize: (message: { e?: unknown }) =>
    isPlain(message.e) ? { ...message, e: Object.assign(new Error(message.e.message), message.e) } : message,
  // Each call takes as long as it takes: the end of either process ends it, and who cannot wait does not.
  timeout: -1,
}

interface PlainError {
  message: string
  code?: string
}

function plain(error: unknown): PlainError {
  const { code } = (error ?? {}) as { code?: unknown }
  return {
    message: error instanceof Error ? error.message : String(error),
    ...(typeof code === 'string' && { code }),
  }
}

function isPlain(error: unknown): error is PlainError {
  return typeof error === 'object' && error !== null && 'message' in error
}

/** For a call that nobody waits for, whose error would vanish: nobody has caught it. */
export function unanswered<Arguments extends unknown[]>(act: (...given: Arguments) => void) {
  return (...given: Arguments): void => {
    try {
      act(...given)
    } catch (error) {
      queueMicrotask(() => {
        throw error
      })
    }
  }
}

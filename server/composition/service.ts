import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { StorageQuestion } from '../api/v1/system/storage.ts'
import { settledWithin } from '../async/settled-within.ts'
import { type Activity, NO_ACTIVITY } from '../conversation/activity.ts'
import { keepPrivate } from '../disk/private-folder.ts'
import { DiskWatch } from '../disk/space.ts'
import { AppError, messageOf } from '../domain/errors.ts'
import { Logins } from '../http/v1/logins.ts'
import { serveStorageQuestion } from '../http/v1/storage.ts'
import { Backups } from '../store/backup/backups.ts'
import { openStorage, type StorageAnswer } from '../store/recovery/open.ts'
import { Erasure } from '../system/erasure.ts'
import { StorageService } from '../system/storage.ts'
import { openService } from './open-service.ts'
import type { Power } from './power.ts'
import type { OpenService, ServiceOptions } from './service-options.ts'

export interface Service extends Power {
  readonly url: string
  /** Empty while the service asks what to do without a usable database. */
  readonly gatewayUrl: string
  /** What a person has to decide before the service is ready. */
  readonly question: StorageQuestion | null
  /** Resolves when the service is ready, which it is from the start unless it asks something. */
  readonly ready: Promise<void>
  /** A new one-time link that logs a browser in. */
  loginLink(): string
  /** A new key for a window of this process: it ends with it, and outlives a rotation of the API's own key. */
  windowKey(): string
  activity(): Activity
  /** In how many terminals of people a program runs, which would end with it. Takes two seconds at most. */
  busyTerminals(): Promise<number>
  /** Makes a backup before another version is installed. @returns its name @throws AppError when there is none */
  backUp(): Promise<string>
  close(): Promise<void>
}

interface Current extends OpenService {
  question: StorageQuestion | null
}

const RETRY_MS = 2_000
/** A start does not wait longer for an erasure that goes on: longer than all engines are given. */
const ERASURE_MS = 150_000

/** Opens a data folder, and opens it anew on the same ports when its database is replaced. */
export async function createService(options: ServiceOptions): Promise<Service> {
  const { log } = options
  const logins = new Logins()
  let becomeReady = () => {}
  const ready = new Promise<void>(resolve => {
    becomeReady = resolve
  })
  let closed = false
  let work: Promise<void> = Promise.resolve()
  const erasure = new Erasure(options)
  const { closeEngine, engineCloseMs } = erasure
  const erase = () => erasure.begin().then(() => restart())
  const restart = (answer?: StorageAnswer) => {
    const again = async () => {
      const ports = { port: portOf(current.url), gatewayPort: portOf(current.gatewayUrl) || options.gatewayPort }
      await current.close()
      let problem: string | null = null
      for (let given = answer; !closed; given = undefined) {
        try {
          if (erasure.isBegun()) await erasure.finish()
          current = await open({ ...options, ...ports, storageAnswer: given ?? options.storageAnswer }, problem)
          return
        } catch (error) {
          problem = messageOf(error)
          log.error({ error: problem }, 'The service could not be opened again; it is tried once more')
          if (given) continue
          await new Promise(resolve => setTimeout(resolve, RETRY_MS))
        }
      }
    }
    // The request that asks for it is answered first.
    work = work
      .then(() => new Promise<void>(resolve => setTimeout(resolve, ANSWER_MS)))
      .then(() => options.onReopening?.(true))
      .then(again)
      .finally(() => options.onReopening?.(false))
  }
  const open = async (opening: ServiceOptions, problem: string | null = null): Promise<Current> => {
    keepPrivate(opening.dataDir)
    const file = join(opening.dataDir, 'atelier.db')
    // A process that died while it deleted may have left no database to ask about.
    if (erasure.isBegun() && !existsSync(file)) await erasure.finish()
    const storage = await openStorage(file, opening.storageAnswer)
    if (storage.kind === 'open') {
      const service = await openService({ ...opening, storage, logins, restart, erase, closeEngine, engineCloseMs })
      becomeReady()
      return { ...service, question: null }
    }
    const { release } = storage
    const question = { ...storage.question, asked_at: new Date().toISOString(), problem }
    log.warn({ ...question, dataDir: opening.dataDir }, 'The database needs a decision')
    const disk = new DiskWatch({ name: 'the data folder', folder: () => opening.dataDir, onChange: () => {}, log })
    const backups = new Backups({ ...opening, file, now: () => new Date(), onChange: () => {} })
    const answers = new StorageService({ ...opening, file, question, backups, disk, database: null, restart, erase })
    const server = await serveStorageQuestion({ ...opening, storage: answers, logins })
    const close = async () => {
      disk.close()
      await server.close()
      release()
    }
    const backUp = async () => {
      throw new AppError('unavailable', 'There is no database to back up until it is decided what to do.')
    }
    const nothing = {
      suspend: () => {},
      resume: () => {},
      activity: () => NO_ACTIVITY,
      busyTerminals: async () => 0,
      backUp,
    }
    return { url: server.url, gatewayUrl: '', question, ...nothing, close }
  }
  let current = await open(options)
  if (erasure.isBegun()) {
    restart()
    // Nobody is shown what is still to be deleted.
    await settledWithin(ERASURE_MS, work)
  }
  return {
    get url() {
      return current.url
    },
    get gatewayUrl() {
      return current.gatewayUrl
    },
    get question() {
      return current.question
    },
    ready,
    loginLink: () => `${current.url}/#login=${logins.createCode()}`,
    windowKey: () => logins.createWindowKey(),
    activity: () => current.activity(),
    busyTerminals: () => current.busyTerminals(),
    suspend: () => current.suspend(),
    resume: () => current.resume(),
    backUp: () => current.backUp(),
    close: async () => {
      closed = true
      await work.catch(() => {})
      await current.close()
    },
  }
}

const ANSWER_MS = 50

function portOf(url: string): number {
  return url === '' ? 0 : Number(new URL(url).port)
}

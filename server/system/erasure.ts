import { existsSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EngineEntry } from '../api/v1/system/engines.ts'
import { settledWithin } from '../async/settled-within.ts'
import { timeLimit } from '../async/time-limit.ts'
import { erasureMarks, windowFolder } from '../data-dir.ts'
import { onDisk } from '../disk/failure.ts'
import { isAppError, messageOf } from '../domain/errors.ts'
import { LOG_FILE, type Log } from '../log.ts'
import { problemOfClearing } from '../sandbox/engine/clear.ts'
import type { CloseEngine } from '../sandbox/engine/engines.ts'
import type { LocalApiKey } from '../secret/api-key.ts'
import type { Vault } from '../secret/vault/vault.ts'
import { claimFolder } from '../store/database/lock.ts'
import { databaseFiles, writeNotice } from '../store/recovery/replace.ts'

/** What one opening of the data folder does about it. */
export interface Erasing {
  erase: () => Promise<void>
  closeEngine: CloseEngine
  /** After so many milliseconds the connections to the engines are closed with what is under way. */
  engineCloseMs: () => number
}

/** Longer than a command that does not want to end is given; what the engine still holds back then is not waited for. */
const ENGINE_CLOSE_MS = 8_000
/** One that is only being looked for, as after a start of the computer. */
const ENGINE_FOUND_MS = 15_000
const ENGINE_CLEAR_MS = 90_000
const ENGINE_ERASE_MS = ENGINE_CLOSE_MS + ENGINE_FOUND_MS + ENGINE_CLEAR_MS + 5_000

interface Dependencies {
  dataDir: string
  vault: Pick<Vault, 'status' | 'get' | 'clear'>
  apiKey: Pick<LocalApiKey, 'place' | 'rotate'>
  log: Log
}

/** What Atelier keeps in a data folder. A person may keep other things there, and those are theirs. */
const OWN =
  /^(atelier\.db.*|search\.db.*|instance|server\.json|storage-notice\.json|feedback\.jsonl|command-line-allowed)$/
const OWN_FOLDERS: readonly string[] = [
  'backups',
  'replaced',
  'folders',
  'dev-containers',
  'atelier-attachments',
  'atelier-exports',
  'atelier-imports',
  'updates',
  'crashes',
]

/**
 * Deletes all data of a data folder: what is on engines while they are closed, then the keychain and the files. That it was
 * begun is written down first, and forgotten last, so that a process that dies only delays the rest. What the desktop app has
 * open while it runs is left to that.
 */
export class Erasure {
  readonly #dependencies: Dependencies
  readonly #marks: ReturnType<typeof erasureMarks>
  readonly #sweeps: Promise<void>[] = []
  readonly #left: string[] = []

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
    this.#marks = erasureMarks(dependencies.dataDir)
  }

  isBegun(): boolean {
    return existsSync(this.#marks.service)
  }

  /** @throws AppError of the vault, store_unavailable */
  async begin(): Promise<void> {
    const { vault, dataDir } = this.#dependencies
    // Says in words why nothing can be deleted from it.
    await vault.get('probe')
    const { service, desktop } = this.#marks
    try {
      // The one that begins it comes last: what cannot be written leaves everything as it is.
      onDisk(desktop, () => {
        if (existsSync(windowFolder(dataDir))) writeFileSync(desktop, '', { mode: 0o600 })
      })
      onDisk(service, () => writeFileSync(service, '', { mode: 0o600 }))
    } catch (error) {
      rmSync(desktop, { force: true })
      throw error
    }
  }

  engineCloseMs = (): number => (this.isBegun() ? ENGINE_ERASE_MS : ENGINE_CLOSE_MS)

  /** Closes the parts of an engine, whose connection is closed after it. */
  closeEngine: CloseEngine = async (entry, parts) => {
    if (!this.isBegun()) return parts.close()
    const sweep = this.#sweep(entry, parts)
    this.#sweeps.push(sweep)
    await sweep
  }

  async #sweep(entry: EngineEntry, parts: Parameters<CloseEngine>[1]): Promise<void> {
    await settledWithin(ENGINE_CLOSE_MS, parts.close())
    await parts.connection.answers(timeLimit(ENGINE_FOUND_MS)).catch(() => {})
    const problem = await problemOfClearing(ENGINE_CLEAR_MS, parts.clear({ withSandboxes: true }))
    if (problem !== null) this.#note(entry, problem)
  }

  /** When everything is closed. @throws AppError store_failed where another service has the folder, store_unavailable */
  async finish(): Promise<void> {
    const { dataDir, log } = this.#dependencies
    const database = join(dataDir, 'atelier.db')
    // Nobody else opens what is being deleted.
    const lock = claimFolder(database)
    try {
      await Promise.all(this.#sweeps.splice(0))
      await this.#clearKeychain()
      for (const name of readdirSync(dataDir)) {
        const isOwn = OWN.test(name) || OWN_FOLDERS.includes(name)
        if (isOwn && !name.startsWith('atelier.db')) this.#remove(join(dataDir, name))
      }
      this.#emptyLogs()
      // Without the database nothing is known of the engines any more, and without the mark nothing of this.
      for (const file of databaseFiles(database)) this.#remove(file)
      const left = this.#left.splice(0)
      if (left.length > 0) {
        const message = `All data was deleted, but for this: ${left.join(' ')}`
        writeNotice(database, { kind: 'erased', at: new Date().toISOString(), message, kept_in: null })
      }
      onDisk(dataDir, () => rmSync(this.#marks.service, { force: true }))
      log.info({ left }, 'All data was deleted')
    } finally {
      lock.release()
    }
  }

  async #clearKeychain(): Promise<void> {
    const { vault, apiKey } = this.#dependencies
    try {
      await vault.clear()
      if ((await apiKey.place()) !== 'environment') await apiKey.rotate()
      if ((await vault.status()).storage === 'session-only')
        this.#left.push('Keys that were stored in a keychain before, if any: it cannot be reached now.')
    } catch (error) {
      this.#left.push(`Keys in the keychain: ${messageOf(error)}`)
    }
  }

  /** One that cannot be removed keeps no other back. */
  #remove(path: string): void {
    try {
      rmSync(path, { recursive: true, force: true })
    } catch (error) {
      this.#left.push(`${path} (${messageOf(error)}).`)
    }
  }

  /** Those that are being written go on, empty. */
  #emptyLogs(): void {
    const folder = join(this.#dependencies.dataDir, 'logs')
    if (!existsSync(folder)) return
    for (const name of readdirSync(folder)) {
      if (name === LOG_FILE || name === 'serve.log') onDisk(folder, () => truncateSync(join(folder, name)))
      else if (name !== `${LOG_FILE}.txt`) this.#remove(join(folder, name))
    }
  }

  #note({ name, sandboxes, is_default }: EngineEntry, error: unknown): void {
    // A computer without Docker has nothing there.
    if (is_default && sandboxes === 0 && isAppError(error, 'engine_unavailable')) return
    this.#left.push(`What is on the engine "${name}" (${messageOf(error)}).`)
  }
}

import { existsSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EngineEntry } from '../api/v1/system/engines.ts'
import { onDisk } from '../disk/failure.ts'
import { AppError, messageOf } from '../domain/errors.ts'
import { LOG_FILE, type Log } from '../log.ts'
import type { LastOnEngine } from '../sandbox/engine/engines.ts'
import type { LocalApiKey } from '../secret/api-key.ts'
import type { Vault } from '../secret/vault/vault.ts'
import { databaseFiles, writeNotice } from '../store/recovery/replace.ts'

/** What one opening of the data folder does about it. */
export interface Erasing {
  erase: () => Promise<void>
  lastOnEngine: LastOnEngine
  /** After so many milliseconds the connections to the engines are closed with what is under way. */
  engineCloseMs: () => number
}

/** Longer than a command that does not want to end is given; what the engine still holds back then is not waited for. */
const ENGINE_CLOSE_MS = 8_000
const ENGINE_ERASE_MS = 120_000

interface Dependencies {
  dataDir: string
  vault: Pick<Vault, 'get' | 'clear'>
  apiKey: Pick<LocalApiKey, 'place' | 'rotate'>
  log: Log
}

/** Of the window and the command line, which have them open. */
const OF_OTHERS: readonly string[] = ['window', 'command-line', 'logs']

/**
 * Deletes all data of a data folder: what is on engines while they are closed, then the keychain and the files. That it was
 * begun is written down first, and forgotten last, so that a process that dies only delays the rest.
 */
export class Erasure {
  readonly #dependencies: Dependencies
  readonly #sweeps: Promise<void>[] = []
  readonly #left: string[] = []

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  isBegun(): boolean {
    return existsSync(this.#mark())
  }

  /** @throws AppError of the vault, store_unavailable */
  async begin(): Promise<void> {
    const { vault } = this.#dependencies
    // Says in words why nothing can be deleted from it.
    await vault.get('probe')
    onDisk(this.#mark(), () => writeFileSync(this.#mark(), '', { mode: 0o600 }))
  }

  engineCloseMs = (): number => (this.isBegun() ? ENGINE_ERASE_MS : ENGINE_CLOSE_MS)

  /** Given to the engines, whose connections are closed after it. */
  lastOnEngine: LastOnEngine = async (entry, parts) => {
    if (!this.isBegun()) return
    const sweep = parts.clear({ withSandboxes: true }).catch(error => this.#note(entry, error))
    this.#sweeps.push(sweep)
    await sweep
  }

  /** When everything is closed. @throws AppError store_unavailable */
  async finish(): Promise<void> {
    const { dataDir, vault, apiKey, log } = this.#dependencies
    await Promise.all(this.#sweeps.splice(0))
    try {
      await vault.clear()
      if ((await apiKey.place()) !== 'environment') await apiKey.rotate()
    } catch (error) {
      this.#left.push(`Keys in the keychain: ${messageOf(error)}`)
    }
    const database = join(dataDir, 'atelier.db')
    const kept = new Set([...databaseFiles(database), this.#mark()])
    onDisk(dataDir, () => {
      for (const name of readdirSync(dataDir)) {
        const path = join(dataDir, name)
        if (!OF_OTHERS.includes(name) && !kept.has(path)) rmSync(path, { recursive: true, force: true })
      }
      emptyLogs(join(dataDir, 'logs'))
      // Without the database nothing is known of the engines any more, and without the mark nothing of this.
      for (const path of kept) rmSync(path, { force: true })
    })
    const left = this.#left.splice(0)
    if (left.length > 0) {
      const message = `All data was deleted, but for this: ${left.join(' ')}`
      writeNotice(database, { kind: 'erased', at: new Date().toISOString(), message, kept_in: null })
    }
    log.info({ left }, 'All data was deleted')
  }

  #note({ name, sandboxes }: EngineEntry, error: unknown): void {
    // Nothing is known to be on one that was never there.
    if (sandboxes === 0 && error instanceof AppError && error.code === 'engine_unavailable') return
    const what = sandboxes === 1 ? '1 sandbox' : `${sandboxes} sandboxes`
    this.#left.push(`${what} of the engine "${name}" (${messageOf(error)}).`)
  }

  #mark(): string {
    return join(this.#dependencies.dataDir, 'erasing')
  }
}

/** The present log goes on, empty. */
function emptyLogs(folder: string): void {
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder)) {
    if (name === LOG_FILE) truncateSync(join(folder, name))
    else if (name !== `${LOG_FILE}.txt`) rmSync(join(folder, name), { recursive: true, force: true })
  }
}

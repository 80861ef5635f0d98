import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Backup, BackupKind } from '../../api/v1/system/storage.ts'
import { onDisk } from '../../disk/failure.ts'
import { makeFolder } from '../../disk/make-folder.ts'
import { readDisk } from '../../disk/space.ts'
import { AppError, messageOf } from '../../domain/errors.ts'
import { copyDatabase } from './copy.ts'
import { backupFolder, backupName, listBackups, pruneBackups } from './files.ts'

interface Dependencies {
  dataDir: string
  /** The database's. */
  file: string
  log: { info(fields: object, message: string): void; warn(fields: object, message: string): void }
  now: () => Date
  /** Called before the file is read. */
  beforeCopy?: () => void
  /** Told when there is a backup more or less. */
  onChange: () => void
}

const DAY_MS = 24 * 60 * 60_000
const FIRST_LOOK_MS = 20_000
const LOOK_MS = 60 * 60_000
/** Free space that a backup leaves to the work. */
const RESERVE_BYTES = 64 * 1024 * 1024

/** Copies of the database that were read from end to end, in a folder beside it. */
export class Backups {
  readonly #dependencies: Dependencies
  readonly #folder: string
  #making: Promise<unknown> = Promise.resolve()
  #problem: string | null = null
  #timer: NodeJS.Timeout | undefined
  #closed = false

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
    this.#folder = backupFolder(dependencies.dataDir)
  }

  /** Newest first. */
  list(): Backup[] {
    return listBackups(this.#folder)
  }

  /** Why the last one could not be made. */
  problem(): string | null {
    return this.#problem
  }

  /** One after the other. @throws AppError disk_full, store_damaged, store_unavailable */
  make(kind: BackupKind): Promise<Backup> {
    const made = this.#making.then(() => {
      if (this.#closed) throw new AppError('unavailable', 'Atelier is closing.')
      return this.#make(kind)
    })
    this.#making = made.catch(() => {})
    return made
  }

  /** @throws AppError not_found */
  pathOf(name: string): string {
    if (!this.list().some(backup => backup.name === name)) {
      throw new AppError('not_found', 'There is no such backup. It may have been replaced by a newer one.')
    }
    return join(this.#folder, name)
  }

  /** @throws AppError not_found */
  remove(name: string): void {
    const path = this.pathOf(name)
    onDisk(path, () => rmSync(path, { force: true }))
    this.#dependencies.onChange()
  }

  /** Begins to make one a day for as long as it is in use. */
  start(): void {
    const look = () => {
      void this.makeIfDue().finally(() => {
        this.#timer = setTimeout(look, LOOK_MS).unref()
      })
    }
    this.#timer = setTimeout(look, FIRST_LOOK_MS).unref()
  }

  /** Unless there is one of the last 24 hours. Never rejects. */
  async makeIfDue(): Promise<void> {
    const { now, log } = this.#dependencies
    const [newest] = this.list().filter(({ kind }) => kind !== 'restore')
    const age = newest ? now().getTime() - Date.parse(newest.created_at) : DAY_MS
    // A clock that was set back must not end the backups.
    if (age >= 0 && age < DAY_MS) return
    await this.make('daily').catch(error => log.warn({ error: messageOf(error) }, 'The daily backup could not be made'))
  }

  /** Waits for the one that is being made; those that wait for it are not made. */
  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await this.#making
  }

  async #make(kind: BackupKind): Promise<Backup> {
    const { file, log, now, beforeCopy, onChange } = this.#dependencies
    try {
      beforeCopy?.()
      makeFolder(this.#folder)
      await assertFreeSpace(file, this.#folder)
      const name = backupName(kind, now())
      await copyDatabase(file, join(this.#folder, name))
      pruneBackups(this.#folder)
      this.#problem = null
      onChange()
      const made = this.list().find(backup => backup.name === name)
      if (!made) throw new AppError('store_failed', 'The backup was removed as soon as it was made. Check the clock.')
      log.info({ backup: name, bytes: made.bytes }, 'The database was backed up')
      return made
    } catch (error) {
      this.#problem = messageOf(error)
      throw error
    }
  }
}

/** A backup must not be what fills the disk. */
async function assertFreeSpace(file: string, folder: string): Promise<void> {
  const disk = await readDisk(folder)
  const bytes = onDisk(file, () => statSync(file).size)
  if (!disk || disk.free_bytes > bytes + RESERVE_BYTES) return
  const mib = (count: number) => `${Math.ceil(count / 1024 / 1024)} MB`
  throw new AppError(
    'disk_full',
    `A backup of the database needs ${mib(bytes + RESERVE_BYTES)} of free space, and ${mib(disk.free_bytes)} are left. Free some space, then try again.`,
  )
}

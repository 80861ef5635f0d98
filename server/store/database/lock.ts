import { chmodSync, existsSync, truncateSync } from 'node:fs'
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { isBusy, isDamage, storeError } from './failure.ts'

/** One service a data folder. */
export interface FolderLock {
  release(): void
}

/** By this process, at any time. */
const CLAIMED = new Set<string>()

/** Programs that look into the database for a moment are waited for, and so is a service whose app was ended. */
const WAIT_MS = 1000

/**
 * The lock of a database's folder, for a service that does not have the database yet. The lock file may have been removed
 * under a service that runs: the database, which that one keeps open, tells of it then.
 *
 * @throws AppError like `takeLock`
 */
export function claimFolder(database: string): FolderLock {
  const lock = takeLock(lockFileOf(database))
  try {
    // On a full disk a connection of our own that is closed may keep the file until it is collected.
    if (!CLAIMED.has(database)) assertUnused(database)
    CLAIMED.add(database)
    return lock
  } catch (error) {
    lock.release()
    throw error
  }
}

export function lockFileOf(database: string): string {
  return `${database}.lock`
}

/** What else is wrong with the database is met by whoever opens it. */
function assertUnused(database: string): void {
  if (!existsSync(database)) return
  let probe: DatabaseSyncInstance | undefined
  try {
    probe = new DatabaseSync(database, { timeout: WAIT_MS })
    // In this mode the log beside the database needs the whole file too: https://www.sqlite.org/wal.html#noshm
    probe.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; ROLLBACK')
  } catch (error) {
    if (isBusy(error)) throw storeError(error, database)
  } finally {
    probe?.close()
  }
}

/**
 * A transaction that lasts as long as the service, on a file of its own: the operating system ends it with the process,
 * however that dies. (An exclusive main file would stay locked after `close` while a prepared statement is left.)
 *
 * @throws AppError store_failed when another service holds it, disk_full or store_unavailable when the file cannot be made
 */
export function takeLock(file: string): FolderLock {
  try {
    const lock = new DatabaseSync(file, { timeout: WAIT_MS })
    try {
      begin(lock, file)
      chmodSync(file, 0o600)
    } catch (error) {
      lock.close()
      throw error
    }
    return { release: () => lock.close() }
  } catch (error) {
    throw storeError(error, file)
  }
}

/**
 * The file holds nothing, so one that is damaged is emptied in place: the lock itself is the operating system's and
 * stays with whoever has it, so that a second service is refused all the same.
 */
function begin(lock: DatabaseSyncInstance, file: string): void {
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    if (!isDamage(error)) throw error
    truncateSync(file, 0)
    lock.exec('BEGIN EXCLUSIVE')
  }
}

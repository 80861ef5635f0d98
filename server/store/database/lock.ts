import { chmodSync, truncateSync } from 'node:fs'
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { isDamage, storeError } from './failure.ts'

/** One service a data folder. */
export interface FolderLock {
  release(): void
}

/**
 * A transaction that lasts as long as the service, on a file of its own: the operating system ends it with the process,
 * however that dies. (An exclusive main file would stay locked after `close` while a prepared statement is left.)
 *
 * @throws AppError store_failed when another service holds it, disk_full or store_unavailable when the file cannot be made
 */
export function takeLock(file: string): FolderLock {
  try {
    const lock = new DatabaseSync(file)
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

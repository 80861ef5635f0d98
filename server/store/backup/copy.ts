import { chmod, open, rename, rm } from 'node:fs/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { backup, DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { AppError, messageOf } from '../../domain/errors.ts'
import { storeError } from '../database/failure.ts'
import { latestVersion } from '../database/migrations.ts'

/** Others are served in between. */
const SLICE_MS = 10

/**
 * Copies a database that may be in use to one whole file, and reads the copy from end to end before it gets its name.
 * SQLite copies on a thread of its own over a connection of its own: nobody who reads or writes meanwhile has to wait.
 *
 * @throws AppError store_damaged, disk_full, store_unavailable; then there is no copy
 */
export async function copyDatabase(source: string, target: string): Promise<void> {
  const partial = `${target}.partial`
  try {
    await rm(partial, { force: true })
    const from = new DatabaseSync(source, { readOnly: true })
    try {
      await backup(from, partial, { rate: -1 })
    } finally {
      from.close()
    }
    await chmod(partial, 0o600)
    forgetAbandoned(partial)
    await checkDatabase(partial)
    await flush(partial)
    await rename(partial, target)
  } catch (error) {
    for (const end of ['', '-wal', '-shm', '-journal']) await rm(`${partial}${end}`, { force: true }).catch(() => {})
    throw storeError(error, target)
  }
}

/**
 * A sandbox that nobody has kept yet when a copy is made may be at work by the time that the copy is put in place, and would be
 * removed then. One that stays is shown, and can be deleted.
 */
function forgetAbandoned(file: string): void {
  const connection = new DatabaseSync(file)
  try {
    connection.exec("PRAGMA journal_mode = DELETE; DELETE FROM sandbox_removal WHERE reason = 'abandoned'")
  } catch (error) {
    // One of an older version has none.
    if (!messageOf(error).includes('no such table')) throw error
  } finally {
    connection.close()
  }
}

/** Whether this version knows the tables of a database. One that cannot be read is for `checkDatabase` to judge. */
export function isKnown(file: string): boolean {
  let connection: DatabaseSyncInstance | undefined
  try {
    connection = new DatabaseSync(file, { readOnly: true })
    return versionOf(connection) <= latestVersion()
  } catch {
    return true
  } finally {
    connection?.close()
  }
}

function versionOf(connection: DatabaseSyncInstance): number {
  return (connection.prepare('PRAGMA user_version').get() as { user_version: number }).user_version
}

/**
 * Reads every row of every table, in slices. @returns how many rows each table has
 * @throws what SQLite throws for damage, AppError store_failed for a database of a newer version
 */
export async function checkDatabase(file: string): Promise<Map<string, number>> {
  const connection = new DatabaseSync(file)
  try {
    // The copy of a database in use says that it is; alone it is one file.
    connection.exec('PRAGMA journal_mode = DELETE')
    if (versionOf(connection) > latestVersion()) {
      throw new AppError('store_failed', 'This backup was made by a newer Atelier. Choose an older one.')
    }
    const counts = new Map<string, number>()
    for (const table of tablesOf(connection)) counts.set(table, await countRows(connection, table))
    return counts
  } finally {
    connection.close()
  }
}

export function tablesOf(connection: DatabaseSyncInstance): string[] {
  const sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
  return connection
    .prepare(sql)
    .all()
    .map(row => String((row as { name: unknown }).name))
}

async function countRows(connection: DatabaseSyncInstance, table: string): Promise<number> {
  let rows = 0
  let began = performance.now()
  // The binding finalizes a statement that is collected, also while it is being iterated, which ends the process.
  const kept = new Set([connection.prepare(`SELECT * FROM "${table}"`)])
  for (const statement of kept) {
    for (const _ of statement.iterate()) {
      rows++
      if (performance.now() - began < SLICE_MS) continue
      await nextTurn()
      began = performance.now()
    }
  }
  kept.clear()
  return rows
}

async function flush(file: string): Promise<void> {
  const handle = await open(file, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

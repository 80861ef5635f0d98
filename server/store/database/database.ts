import { chmodSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { onDisk } from '../../disk/failure.ts'
import { makeFolder } from '../../disk/make-folder.ts'
import { isAppError } from '../../domain/errors.ts'
import { announceReplacement, databaseFiles, finishReplacement } from '../recovery/replace.ts'
import { DamagedRows } from './damaged-rows.ts'
import { isDamage, storeError } from './failure.ts'
import { readRows } from './large-integers.ts'
import { claimFolder, type FolderLock, lockFileOf, takeLock } from './lock.ts'
import { migrate } from './migrations.ts'

/** About 10 ms of work. */
const PAGES_AT_ONCE = 256
const INCREMENTAL = 2

export type Value = string | number | null
export type Row = Record<string, unknown>

/**
 * The one database file. WAL with `synchronous=NORMAL`: a committed row outlives a killed process. A lock beside it keeps
 * two services from sharing a data folder.
 */
export class Database {
  readonly file: string
  readonly damaged = new DamagedRows()
  /** Called when the disk was too full to store something. Must not throw. */
  onFull: () => void = () => {}
  #connection: DatabaseSyncInstance
  #lock: FolderLock
  #identities: { files: string; lock: string }
  readonly #statements = new Map<string, ReturnType<DatabaseSyncInstance['prepare']>>()

  private constructor(file: string, connection: DatabaseSyncInstance, lock: FolderLock) {
    this.file = file
    this.#connection = connection
    this.#lock = lock
    this.#identities = identitiesOf(file)
  }

  /**
   * @param held the folder's lock, if the caller has taken it; it is released with the database
   * @throws AppError store_failed when it belongs to a running service, store_damaged when it cannot be read,
   *   disk_full or store_unavailable when it cannot be opened
   */
  static open(file: string, held?: FolderLock): Database {
    makeFolder(dirname(file))
    const lock = held ?? claimFolder(file)
    try {
      return new Database(file, connect(file), lock)
    } catch (error) {
      if (!held) lock.release()
      throw error
    }
  }

  run(sql: string, values: Value[] = []): number {
    const statement = this.#prepared(sql)
    return this.#translated(() => Number(statement.run(...values).changes))
  }

  get(sql: string, values: Value[] = []): Row | undefined {
    const statement = this.#prepared(sql)
    return this.#translated(
      () => readRows(statement, () => [statement.get(...values)].filter(row => row !== undefined))[0],
    )
  }

  all(sql: string, values: Value[] = []): Row[] {
    const statement = this.#prepared(sql)
    return this.#translated(() => readRows(statement, () => statement.all(...values)))
  }

  /** All or nothing. Not nested. */
  transaction<T>(work: () => T): T {
    this.#translated(() => this.#connection.exec('BEGIN IMMEDIATE'))
    try {
      const result = work()
      this.#translated(() => this.#connection.exec('COMMIT'))
      return result
    } catch (error) {
      if (this.#connection.isTransaction) this.#connection.exec('ROLLBACK')
      throw error
    }
  }

  /** Bytes inside the file that hold nothing any more, and that `giveBack` can return to the disk. */
  emptyBytes(): number {
    const pragma = (name: string) => this.#translated(() => Number(pragmaOf(this.#connection, name)))
    return pragma('auto_vacuum') === INCREMENTAL ? pragma('freelist_count') * pragma('page_size') : 0
  }

  /** Returns a part of them, small enough that nobody notices. @returns whether there is more to return */
  giveBack(): boolean {
    const before = this.emptyBytes()
    this.#translated(() => this.#connection.exec(`PRAGMA incremental_vacuum(${PAGES_AT_ONCE})`))
    const left = this.emptyBytes()
    if (left > 0 && left < before) return true
    // The file becomes shorter only when the log beside it is copied into it.
    this.#translated(() => this.#connection.exec('PRAGMA wal_checkpoint(TRUNCATE)'))
    return false
  }

  /** Whether one of its files was removed or replaced: what is stored then ends with the process. */
  isCutOff(): boolean {
    const { files, lock } = identitiesOf(this.file)
    return files !== this.#identities.files || lock !== this.#identities.lock
  }

  /**
   * Writes everything to new files of the same name in one turn of the event loop, and goes on with them. What stands in
   * their place is kept. @param message for people, why
   * @throws AppError disk_full, store_unavailable, or store_failed when another service has taken the folder; nothing has changed then
   */
  rewrite(message: string): void {
    makeFolder(dirname(this.file))
    const hasLock = identitiesOf(this.file).lock === this.#identities.lock
    const lock = hasLock ? this.#lock : takeLock(lockFileOf(this.file))
    try {
      this.#writeAnew(message)
    } catch (error) {
      if (!hasLock) lock.release()
      throw error
    }
    if (!hasLock) this.#lock.release()
    this.#lock = lock
    this.#identities = identitiesOf(this.file)
  }

  #writeAnew(message: string): void {
    const copy = `${this.file}.partial`
    const notice = { kind: 'rewritten' as const, at: new Date().toISOString(), message, kept_in: null, damaged: true }
    onDisk(copy, () => rmSync(copy, { force: true }))
    this.#translated(() => this.#connection.prepare('VACUUM INTO ?').run(copy))
    onDisk(copy, () => chmodSync(copy, 0o600))
    announceReplacement(this.file, copy, notice)
    finishReplacement(this.file)
    const connection = connect(this.file)
    this.#statements.clear()
    // SQLite knows that the file has moved, and leaves those of the same name alone.
    this.#connection.close()
    this.#connection = connection
  }

  get isInTransaction(): boolean {
    return this.#connection.isTransaction
  }

  get isOpen(): boolean {
    return this.#connection.isOpen
  }

  /**
   * Leaves one whole file: outside of WAL mode there is nothing beside it, so that a copy of it holds everything. On a
   * full disk that may fail; then the log beside it holds the rest, and the next start reads both.
   */
  close(): void {
    this.#statements.clear()
    try {
      this.#connection.exec('PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE')
    } catch {
      // Nothing is lost: see above.
    }
    this.#connection.close()
    this.#lock.release()
  }

  #prepared(sql: string) {
    let statement = this.#statements.get(sql)
    if (!statement) {
      statement = this.#translated(() => this.#connection.prepare(sql))
      this.#statements.set(sql, statement)
    }
    return statement
  }

  #translated<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      if (isDamage(error)) markDamaged(this.file)
      const problem = storeError(error, this.file)
      if (isAppError(problem, 'disk_full')) this.onFull()
      throw problem
    }
  }
}

/** So that the next start looks at all of the database, and repairs it. */
/** The next opening looks at all of it. */
export function markDamaged(file: string): void {
  try {
    writeFileSync(damageMarker(file), '', { mode: 0o600 })
  } catch {
    // The damage is met again.
  }
}

export function damageMarker(file: string): string {
  return `${file}.damaged`
}

/** Which files have the names of the database now. */
function identitiesOf(file: string): { files: string; lock: string } {
  const identityOf = (path: string): string => {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false })
    return found ? `${found.dev}:${found.ino}` : ''
  }
  return { files: databaseFiles(file).map(identityOf).join(' '), lock: identityOf(lockFileOf(file)) }
}

function pragmaOf(connection: DatabaseSyncInstance, pragma: string): unknown {
  return Object.values(connection.prepare(`PRAGMA ${pragma}`).get() ?? {})[0]
}

function connect(file: string): DatabaseSyncInstance {
  try {
    const connection = new DatabaseSync(file)
    try {
      // What is so already is not set again: SQLite would write it, and a full disk must not keep Atelier from starting.
      if (pragmaOf(connection, 'page_count') === 0) connection.exec('PRAGMA auto_vacuum = INCREMENTAL')
      if (pragmaOf(connection, 'journal_mode') !== 'wal') connection.exec('PRAGMA journal_mode = WAL')
      connection.exec('PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON')
      onDisk(file, () => chmodSync(file, 0o600))
      migrate(connection)
      return connection
    } catch (error) {
      connection.close()
      throw error
    }
  } catch (error) {
    throw storeError(error, file)
  }
}

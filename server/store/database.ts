import { chmodSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { AppError, messageOf } from '../errors.ts'
import { migrate } from './migrations.ts'

export type Value = string | number | null
export type Row = Record<string, unknown>

/**
 * The one database file. WAL with `synchronous=NORMAL`: a committed row outlives a killed process. A lock beside it keeps
 * two services from sharing a data folder.
 */
export class Database {
  readonly #connection: DatabaseSyncInstance
  readonly #lock: DatabaseSyncInstance
  readonly #statements = new Map<string, ReturnType<DatabaseSyncInstance['prepare']>>()

  private constructor(connection: DatabaseSyncInstance, lock: DatabaseSyncInstance) {
    this.#connection = connection
    this.#lock = lock
  }

  /** @throws AppError store_failed when the file cannot be opened, is broken, or belongs to a running service */
  static open(file: string): Database {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    const lock = takeLock(`${file}.lock`)
    try {
      return new Database(
        translated(() => connect(file)),
        lock,
      )
    } catch (error) {
      lock.close()
      throw error
    }
  }

  run(sql: string, values: Value[] = []): number {
    return translated(() => Number(this.#prepare(sql).run(...values).changes))
  }

  get(sql: string, values: Value[] = []): Row | undefined {
    return translated(() => this.#prepare(sql).get(...values) as Row | undefined)
  }

  all(sql: string, values: Value[] = []): Row[] {
    return translated(() => this.#prepare(sql).all(...values) as Row[])
  }

  /** All or nothing. Not nested. */
  transaction<T>(work: () => T): T {
    this.#connection.exec('BEGIN IMMEDIATE')
    try {
      const result = work()
      translated(() => this.#connection.exec('COMMIT'))
      return result
    } catch (error) {
      if (this.#connection.isTransaction) this.#connection.exec('ROLLBACK')
      throw error
    }
  }

  get isInTransaction(): boolean {
    return this.#connection.isTransaction
  }

  get isOpen(): boolean {
    return this.#connection.isOpen
  }

  close(): void {
    this.#statements.clear()
    this.#connection.close()
    this.#lock.close()
  }

  #prepare(sql: string) {
    let statement = this.#statements.get(sql)
    if (!statement) {
      statement = this.#connection.prepare(sql)
      this.#statements.set(sql, statement)
    }
    return statement
  }
}

function connect(file: string): DatabaseSyncInstance {
  const connection = new DatabaseSync(file)
  try {
    connection.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON')
    chmodSync(file, 0o600)
    migrate(connection)
    return connection
  } catch (error) {
    connection.close()
    throw error
  }
}

/**
 * A transaction that lasts as long as the service, on a file of its own: the operating system ends it with the process,
 * however that dies. (An exclusive main file would stay locked after `close` while a prepared statement is left.)
 */
function takeLock(file: string): DatabaseSyncInstance {
  return translated(() => {
    const lock = new DatabaseSync(file)
    try {
      lock.exec('BEGIN EXCLUSIVE')
      chmodSync(file, 0o600)
      return lock
    } catch (error) {
      lock.close()
      throw error
    }
  })
}

function translated<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof AppError) throw error
    throw new AppError('store_failed', explain(messageOf(error)), { cause: error })
  }
}

/** SQLite's binding gives no codes for these; the text is what it has. */
function explain(message: string): string {
  if (/locked|busy/i.test(message)) {
    return 'The data folder is in use by another Atelier. Close it, or set ATELIER_DATA_DIR to another folder.'
  }
  if (/full/i.test(message)) return 'The disk is full. Nothing was lost; free some space and try again.'
  if (/malformed|not a database/i.test(message)) {
    return 'The database file is damaged. Move atelier.db away from the data folder and start again; the sandboxes are kept.'
  }
  return `The database failed: ${message}`
}

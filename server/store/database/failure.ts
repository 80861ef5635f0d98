import { diskError, diskProblemOf } from '../../disk/failure.ts'
import { AppError, messageOf } from '../../domain/errors.ts'

/** Primary result codes of SQLite: https://www.sqlite.org/rescode.html */
const SQLITE = {
  error: 1,
  busy: 5,
  locked: 6,
  readOnly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  notDatabase: 26,
}

/** Codes of errno.h that SQLite passes on with an error of input or output. */
const ERRNO = { noSpace: 28, readOnly: 30, quotas: [69, 122] }

/** What SQLite threw, in words. @param file the database's */
export function storeError(error: unknown, file: string): unknown {
  if (error instanceof AppError) return error
  const code = numberIn(error, 'sqliteCode')
  const errno = numberIn(error, 'systemErrno')
  if (isBusy(error)) return new AppError('store_failed', IN_USE, { cause: error })
  if (code === SQLITE.full || errno === ERRNO.noSpace || (errno !== undefined && ERRNO.quotas.includes(errno)))
    return diskError('full', file, error)
  if (code === SQLITE.readOnly) return diskError(errno === ERRNO.readOnly ? 'read_only' : 'not_allowed', file, error)
  if (code === SQLITE.ioError) return diskError('failing', file, error)
  if (code === SQLITE.cannotOpen) {
    return new AppError('store_unavailable', `${CANNOT_OPEN[0]} ${file} ${CANNOT_OPEN[1]}`, { cause: error })
  }
  if (isDamage(error)) return new AppError('store_damaged', DAMAGED, { cause: error })
  const problem = diskProblemOf(error)
  if (problem) return diskError(problem, file, error)
  return new AppError('store_failed', `The database failed: ${messageOf(error)}`, { cause: error })
}

/** Whether somebody else has the file, or a part of it, for themselves. */
export function isBusy(error: unknown): boolean {
  const code = numberIn(error, 'sqliteCode')
  return code === SQLITE.busy || code === SQLITE.locked
}

/** Whether SQLite says that the file is damaged, or no database at all. */
export function isDamage(error: unknown): boolean {
  const code = numberIn(error, 'sqliteCode')
  return code === SQLITE.corrupt || code === SQLITE.notDatabase
}

/**
 * The same, or that a statement which is right cannot be carried out: tables are missing, or not what they were. Reading
 * rows fails without a code of SQLite.
 */
export function isUnusable(error: unknown): boolean {
  const code = numberIn(error, 'sqliteCode')
  return isDamage(error) || code === SQLITE.error || (code === undefined && isOfLibrary(error))
}

function isOfLibrary(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR'
}

function numberIn(error: unknown, name: 'sqliteCode' | 'systemErrno'): number | undefined {
  const found = error instanceof Error ? (error as Error & Partial<Record<typeof name, unknown>>)[name] : undefined
  return typeof found === 'number' ? found : undefined
}

const IN_USE =
  'The data folder is in use by another Atelier, or its database is open in another program. Close it, or set ATELIER_DATA_DIR to another folder.'
const CANNOT_OPEN = [
  'The database file',
  'cannot be opened. Check that its folder exists, that it is a file, and that your user may read and write it.',
]
const DAMAGED =
  'The database is damaged. Start Atelier again: it repairs the database or restores the last backup by itself. Leave the files where they are.'

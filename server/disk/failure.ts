import type { ErrorCode } from '../api/contract/failures.ts'
import { AppError, isAppError } from '../domain/errors.ts'

/** Why a disk refuses: what a person can do differs between these. */
export type DiskProblem = 'full' | 'read_only' | 'not_allowed' | 'failing' | 'too_many_files' | 'not_a_folder'

const BY_ERRNO: Readonly<Record<string, DiskProblem>> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EFBIG: 'full',
  EROFS: 'read_only',
  EACCES: 'not_allowed',
  EPERM: 'not_allowed',
  EIO: 'failing',
  ENXIO: 'failing',
  EEXIST: 'not_a_folder',
  ENOTDIR: 'not_a_folder',
  EMFILE: 'too_many_files',
  ENFILE: 'too_many_files',
}

/** What a disk's refusal means; undefined for anything else. */
export function diskProblemOf(error: unknown): DiskProblem | undefined {
  if (!(error instanceof Error)) return undefined
  const code = 'code' in error && typeof error.code === 'string' ? BY_ERRNO[error.code] : undefined
  return code ?? (error.cause === undefined ? undefined : diskProblemOf(error.cause))
}

/** @param place the file or folder that was to be read or written */
export function diskError(problem: DiskProblem, place: string, cause?: unknown): AppError {
  return new AppError(problem === 'full' ? 'disk_full' : 'store_unavailable', MESSAGES[problem](place), { cause })
}

const REFUSALS: ReadonlySet<ErrorCode> = new Set(['disk_full', 'store_unavailable', 'store_failed', 'store_damaged'])

/** Whether something could not be stored, for a reason that may pass. */
export function isStoreRefusal(error: unknown): error is AppError {
  return isAppError(error) && REFUSALS.has(error.code)
}

const MESSAGES: Record<DiskProblem, (place: string) => string> = {
  full: () =>
    'The disk is full, so nothing more can be stored. Everything stored before is safe and can be read. Free some space: Atelier goes on by itself.',
  read_only: place =>
    `${place} is on a disk that is read-only, so nothing can be stored. Make the disk writable, or set ATELIER_DATA_DIR to a folder on another one.`,
  not_allowed: place =>
    `Atelier may not write to ${place}. Give your user the right to write there, or set ATELIER_DATA_DIR to a folder of your own.`,
  failing: place =>
    `The disk that holds ${place} reports errors when it is read or written. Copy what is important to another disk and check this one.`,
  not_a_folder: place => `${place} is a file, not a folder. Move it away, or set ATELIER_DATA_DIR to a folder.`,
  too_many_files: place =>
    `${place} cannot be opened because too many files are open. Close other programs, or raise the limit of open files (ulimit -n).`,
}

/** Runs file work of the data folder. @throws AppError disk_full, store_unavailable in words where the disk refuses */
export function onDisk<T>(place: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw diskRefusal(error, place)
  }
}

/** An error of file work in words where the disk refuses; any other one as it is. */
export function diskRefusal(error: unknown, place: string): unknown {
  const problem = diskProblemOf(error)
  return problem && !(error instanceof AppError) ? diskError(problem, place, error) : error
}

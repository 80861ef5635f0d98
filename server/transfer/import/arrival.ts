import { basename } from 'node:path'
import { diskProblemOf, diskRefusal } from '../../disk/failure.ts'
import { AppError } from '../../domain/errors.ts'

/** Why a file could not be kept that somebody has sent. @param folder where it was to lie */
export function arrivalFailure(error: unknown, folder: string): unknown {
  if (error instanceof AppError) return error
  const problem = diskProblemOf(error)
  if (problem === 'full') {
    const message = 'The disk of the data folder is too full for the file. Nothing was imported.'
    return new AppError('disk_full', `${message} Free some space, then choose the file again.`, { cause: error })
  }
  return diskRefusal(error, folder)
}

/** As it may be shown. */
export function plainName(name: string): string {
  const plain = basename(name.replaceAll('\\', '/')).replace(/[\p{Cc}\p{Cf}]+/gu, '')
  return plain.slice(0, 200) || 'a file'
}

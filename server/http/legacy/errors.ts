import type { ErrorCode } from '../../api/contract/failures.ts'
import { isAppError } from '../../domain/errors.ts'
import { LegacyError } from '../mount/errors.ts'

/** Refusals that existing clients read in `message` instead of `error`. */
const IN_MESSAGE: ReadonlySet<ErrorCode> = new Set(['secret_exists'])

/** The older error bodies; what nobody foresaw gets the text that existing clients know. */
export async function withLegacyErrors<T>(
  unforeseen: { status?: number; error: string },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isAppError(error, 'disk_full') || isAppError(error, 'store_unavailable')) {
      throw new LegacyError(error.status, { error: error.message, code: error.code }, error)
    }
    if (!isAppError(error) || error.code === 'store_failed') {
      throw new LegacyError(unforeseen.status ?? 500, { error: unforeseen.error }, error)
    }
    throw new LegacyError(error.status, { [IN_MESSAGE.has(error.code) ? 'message' : 'error']: error.message }, error)
  }
}

import { once } from 'node:events'
import type { SavedLog } from '../../api/v1/conversation/replays.ts'
import { startConfinedThread } from '../../async/confined-thread.ts'
import { timeLimit } from '../../async/time-limit.ts'
import { BOUNDS } from '../../domain/bounds.ts'
import { AppError } from '../../domain/errors.ts'
import type { FromSavedLogThread } from './thread-main.ts'

/**
 * Reads a saved log in a thread of its own: a hundred megabytes of JSON, or what an archive unpacks to, take seconds.
 * @throws AppError trajectory_invalid
 */
export async function readSavedLog(bytes: Uint8Array<ArrayBuffer>, signal: AbortSignal): Promise<SavedLog> {
  const { default: code } = await import('./thread-main.ts?thread')
  const memoryBytes = BOUNDS.savedLogMemory.limit
  const worker = startConfinedThread(code, { workerData: bytes, transferList: [bytes.buffer], memoryBytes })
  try {
    const limited = AbortSignal.any([signal, timeLimit(BOUNDS.savedLogReading.limit)])
    const [answer] = (await once(worker, 'message', { signal: limited })) as [FromSavedLogThread]
    if ('problem' in answer) throw unreadable(answer.problem)
    return answer.log
  } catch (error) {
    if (error instanceof AppError) throw error
    signal.throwIfAborted()
    throw unreadable('It takes too much memory or time to read.')
  } finally {
    void worker.terminate()
  }
}

function unreadable(words: string): AppError {
  return new AppError('trajectory_invalid', `The saved log cannot be read. ${words}`)
}

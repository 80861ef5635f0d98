import type { DataProgress } from '../../api/v1/transfer/exports.ts'
import { startConfinedThread } from '../../async/confined-thread.ts'
import { BOUNDS } from '../../domain/bounds.ts'
import { AppError } from '../../domain/errors.ts'
import type {
  ConversationPiece,
  FoundContents,
  FromImportThread,
  ImportThreadData,
  ToImportThread,
} from './messages.ts'

interface Listeners {
  progress(progress: DataProgress): void
  take?(piece: ConversationPiece): void
}

/**
 * Reads a file in a thread of its own; what it gives out is taken one message at a time, so that others are served in
 * between. An error of a listener ends it.
 * @throws AppError bad_request in words for whoever chose the file, the signal's reason, what a listener has thrown
 */
export async function runImportThread(
  workerData: ImportThreadData,
  signal: AbortSignal,
  listeners: Listeners,
): Promise<FoundContents> {
  const { default: code } = await import('./thread-main.ts?thread')
  signal.throwIfAborted()
  const worker = startConfinedThread(code, { workerData, memoryBytes: BOUNDS.dataFileMemory.limit })
  const next: ToImportThread = 'next'
  try {
    return await new Promise<FoundContents>((resolve, reject) => {
      const take = (message: FromImportThread) => {
        if (signal.aborted) return
        if (message.kind === 'progress') listeners.progress(message.progress)
        else if (message.kind === 'done') resolve(message.found)
        else if (message.kind === 'failed') {
          reject(failureOf(message))
        } else {
          listeners.take?.(message)
          worker.postMessage(next)
        }
      }
      worker.on('message', (message: FromImportThread) => {
        try {
          take(message)
        } catch (error) {
          reject(error)
        }
      })
      worker.once('error', error => reject(tooMuch(error)))
      worker.once('exit', () => reject(new AppError('internal', 'The file could not be read to its end. Try again.')))
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    })
  } finally {
    worker.removeAllListeners('message')
    await worker.terminate()
  }
}

function failureOf({ message, isFault, disk }: Extract<FromImportThread, { kind: 'failed' }>): AppError {
  if (disk === 'full') {
    const next = 'Conversations that were already complete were kept. Free some space, then import the file again.'
    return new AppError('disk_full', `The disk of the data folder is too full for the working folders. ${next}`)
  }
  return new AppError(isFault ? 'internal' : 'bad_request', message)
}

function tooMuch(error: Error): Error {
  if (!('code' in error) || error.code !== 'ERR_WORKER_OUT_OF_MEMORY') return error
  return new AppError('bad_request', 'The file takes too much memory to read. Export fewer conversations.')
}

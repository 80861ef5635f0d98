import { once } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import { AppError, messageOf } from '../../domain/errors.ts'
import type { FromImportThread, ImportThreadData } from './messages.ts'
import { readDataFile } from './read.ts'

/** The thread in which one file is read. */
const REPORT_MS = 200
let reportedAt = 0

const send = (message: FromImportThread) => parentPort?.postMessage(message)

// The port's other end starts this thread with such data.
readDataFile(workerData as ImportThreadData, {
  progress: progress => {
    if (performance.now() - reportedAt < REPORT_MS) return
    reportedAt = performance.now()
    send({ kind: 'progress', progress })
  },
  give: async piece => {
    send(piece)
    if (parentPort) await once(parentPort, 'message')
  },
}).then(
  found => send({ kind: 'done', found }),
  error => send({ kind: 'failed', message: messageOf(error), isFault: !(error instanceof AppError) }),
)

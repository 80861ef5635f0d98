import { parentPort, workerData } from 'node:worker_threads'
import type { DataProgress } from '../../api/v1/transfer/exports.ts'
import { diskProblemOf } from '../../disk/failure.ts'
import { messageOf } from '../../domain/errors.ts'
import type { ExportThreadData, FromExportThread } from './messages.ts'
import { writeDataFile } from './write.ts'

/** The thread in which one file is written. */
const REPORT_MS = 200
let reportedAt = 0

const send = (message: FromExportThread) => parentPort?.postMessage(message)

function report(progress: DataProgress): void {
  if (performance.now() - reportedAt < REPORT_MS) return
  reportedAt = performance.now()
  send({ kind: 'progress', progress })
}

// The port's other end starts this thread with such data.
writeDataFile(workerData as ExportThreadData, report).then(
  written => send({ kind: 'done', ...written }),
  error => send({ kind: 'failed', message: messageOf(error), disk: diskProblemOf(error) }),
)

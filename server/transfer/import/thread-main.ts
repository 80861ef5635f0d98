import { once } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import { diskProblemOf } from '../../disk/failure.ts'
import { AppError, messageOf } from '../../domain/errors.ts'
import { readOpenHands } from '../openhands/read.ts'
import type { DataReader, FoundContents, FromImportThread, ImportThreadData } from './messages.ts'
import { readDataFile } from './read.ts'

/** The thread in which one file is read. */
const REPORT_MS = 200
let reportedAt = 0

const send = (message: FromImportThread) => parentPort?.postMessage(message)

const reader: DataReader = {
  progress: progress => {
    if (performance.now() - reportedAt < REPORT_MS) return
    reportedAt = performance.now()
    send({ kind: 'progress', progress })
  },
  give: async piece => {
    send(piece)
    if (parentPort) await once(parentPort, 'message')
  },
}

function read({ source, work, secrets }: ImportThreadData): Promise<FoundContents> {
  if (source.kind === 'openhands') return readOpenHands({ ...source, work, secrets }, reader)
  return readDataFile({ path: source.path, adding: work.kind === 'add' ? work : null, secrets }, reader)
}

// The port's other end starts this thread with such data.
read(workerData as ImportThreadData).then(
  found => send({ kind: 'done', found }),
  error =>
    send({
      kind: 'failed',
      message: messageOf(error),
      isFault: !(error instanceof AppError),
      disk: diskProblemOf(error),
    }),
)

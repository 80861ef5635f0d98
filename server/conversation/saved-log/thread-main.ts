import { parentPort, workerData } from 'node:worker_threads'
import { messageOf } from '../../domain/errors.ts'
import { parseSavedLog } from './parse.ts'
import type { FromSavedLogThread } from './read.ts'

/** The thread in which one saved log is read. */
const send = (message: FromSavedLogThread) => parentPort?.postMessage(message)

parseSavedLog(Buffer.from(workerData)).then(
  log => send({ log }),
  error => send({ problem: messageOf(error) }),
)

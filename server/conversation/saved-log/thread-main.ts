import { parentPort, workerData } from 'node:worker_threads'
import type { SavedLog } from '../../api/v1/conversation/replays.ts'
import { messageOf } from '../../domain/errors.ts'
import { parseSavedLog } from './parse.ts'

export type FromSavedLogThread = { log: SavedLog } | { problem: string }

/** The thread in which one saved log is read. */
const send = (message: FromSavedLogThread) => parentPort?.postMessage(message)

parseSavedLog(Buffer.from(workerData)).then(
  log => send({ log }),
  error => send({ problem: messageOf(error) }),
)

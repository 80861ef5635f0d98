import { parentPort, workerData } from 'node:worker_threads'
import { messageOf } from '../../domain/errors.ts'
import { isDamage, isUnusable } from '../database/failure.ts'
import { findPage } from './find-page.ts'
import { IndexReader } from './index-reader.ts'
import type { FromReader, ThreadData, ToReader } from './messages.ts'
import { Source } from './source.ts'
import { loadSqlite } from './sqlite.ts'

/** The thread that searches, one search at a time, until it is asked to close. */

// The port's other end starts this thread with such data.
const data = workerData as ThreadData
const sqlite = loadSqlite(data.sqlite)
const source = new Source(sqlite, data.database)
const reader = new IndexReader(sqlite, data.index)

parentPort?.on('message', (message: ToReader) => {
  if (message.kind === 'close') return close()
  try {
    send({ kind: 'answer', answer: findPage({ reader, source, now: Date.now() }, message.request) })
  } catch (error) {
    const damaged = source.isReadable() && (isDamage(error) || (isUnusable(error) && reader.isComplete()))
    send({ kind: 'failure', problem: messageOf(error), damaged })
  }
})

function send(message: FromReader): void {
  parentPort?.postMessage(message)
}

function close(): void {
  for (const each of [reader, source]) {
    try {
      each.close()
    } catch {
      // What SQLite cannot close it leaves to the end of the process.
    }
  }
  send({ kind: 'closed' })
  parentPort?.close()
}

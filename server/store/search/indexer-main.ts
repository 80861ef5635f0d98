import { setTimeout as wait } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { messageOf } from '../../domain/errors.ts'
import { isUnusable } from '../database/failure.ts'
import { IndexFile, removeIndex } from './index-file.ts'
import { Indexer } from './indexer.ts'
import type { FromIndexer, IndexProgress, ThreadData, ToIndexer } from './messages.ts'
import { Source } from './source.ts'
import { loadSqlite } from './sqlite.ts'

/** The thread that indexes, until it is asked to close. */

const RETRY_MS = 10_000
/** Not at once, lest an index that is damaged again and again takes all of a processor. */
const REBUILD_MS = 1_000
const REPORT_MS = 250
/** Of the time that the beginning of the index takes, so much goes to others. */
const REST = 1

// The port's other end starts this thread with such data.
const data = workerData as ThreadData
const sqlite = loadSqlite(data.sqlite)
const source = new Source(sqlite, data.database)
const changed = new Set<string>()
let rebuilds = false
let closing = false
const closed = new AbortController()
let wake = () => {}

parentPort?.on('message', (message: ToIndexer) => {
  if (message.kind === 'changed') for (const id of message.conversations) changed.add(id)
  if (message.kind === 'rebuild') rebuilds = true
  if (message.kind === 'close') {
    closing = true
    closed.abort()
  }
  wake()
})

let reported = ''
let reportedAt = Number.NEGATIVE_INFINITY
function report(progress: IndexProgress, isLast: boolean): void {
  const text = JSON.stringify(progress)
  if (text === reported || (!isLast && performance.now() - reportedAt < REPORT_MS)) return
  reported = text
  reportedAt = performance.now()
  send({ kind: 'progress', progress })
}

function send(message: FromIndexer): void {
  parentPort?.postMessage(message)
}

/** One index from its opening until it has to be opened again. */
async function keep(index: IndexFile): Promise<void> {
  const indexer = new Indexer(source, index)
  while (!closing && !rebuilds && !index.isCutOff()) {
    indexer.note([...changed])
    changed.clear()
    const began = performance.now()
    const step = indexer.step()
    report({ ...indexer.progress(), problem: null }, step === 'idle')
    if (step === 'idle') await sleep(null)
    else await sleep(step === 'backlog' ? (performance.now() - began) * REST : 0)
  }
}

/** Until there is news or the time is over; null waits for news alone. */
async function sleep(milliseconds: number | null): Promise<void> {
  if (closing || changed.size > 0) return wait(0)
  const controller = new AbortController()
  const woken = new Promise<void>(resolve => {
    wake = resolve
  })
  const over = milliseconds === null ? woken : wait(milliseconds, undefined, controller).catch(() => {})
  await Promise.race([woken, over])
  controller.abort()
}

async function run(): Promise<void> {
  let last: IndexProgress = { indexed: 0, total: 0, problem: null }
  while (!closing) {
    let index: IndexFile | undefined
    try {
      if (rebuilds) removeIndex(data.index)
      rebuilds = false
      index = IndexFile.open(sqlite, data.index, data.instanceId)
      await keep(index)
    } catch (error) {
      // Reading the database fails for reasons of its own: then the index is no worse for it.
      rebuilds = isUnusable(error) && source.isReadable()
      last = { ...last, problem: messageOf(error) }
      report(last, true)
      await wait(rebuilds ? REBUILD_MS : RETRY_MS, undefined, { signal: closed.signal }).catch(() => {})
    } finally {
      closeQuietly(() => index?.close())
    }
  }
  closeQuietly(() => source.close())
  send({ kind: 'closed' })
  parentPort?.close()
}

void run()

function closeQuietly(close: () => void): void {
  try {
    close()
  } catch {
    // What SQLite cannot close it leaves to the end of the process.
  }
}

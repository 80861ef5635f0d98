import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import type { Event } from '../../server/api/event/events.ts'
import { aConversation, openStore } from '../parts/service/store.ts'
import { newEvent } from '../parts/value/agent-event.ts'
import { compare, interleave, quantile, type Row, row } from './process/measure.ts'

const EVENTS = 10_000
const RUNS = 7

/** Each event appended by itself, in a transaction of its own, and published to a subscriber, against plain inserts. */
export default async function measure(): Promise<Row[]> {
  const latencies: number[] = []
  const atelier = async () => appendAndPublish(latencies)
  const samples = await interleave({ atelier, bare: async () => insert(storedEvents()) }, { warmUps: 1, runs: RUNS })
  const what = 'Event append and publish'
  const shared = { unit: 'ms', bare: null, runs: latencies.length } as const
  return [
    compare(what, samples, { unit: 'events/s', aim: { kind: 'value', atLeast: 20_000 } }),
    row({ ...shared, what: `${what}, p50 until seen`, atelier: quantile(latencies, 0.5) }),
    row({
      ...shared,
      what: `${what}, p99 until seen`,
      atelier: quantile(latencies, 0.99),
      aim: { kind: 'value', atMost: 5 },
    }),
  ]
}

function appendAndPublish(latencies: number[]): number {
  const store = openStore()
  const { id } = withConversation(store)
  const events = Array.from({ length: EVENTS }, (_, index) => newEvent(index))
  let seenAt = 0
  let seen = 0
  store.eventLog.subscribe(id, 0, () => {
    seenAt = performance.now()
    seen++
  })
  globalThis.gc?.()
  const started = performance.now()
  for (const event of events) {
    const appendedAt = performance.now()
    store.eventLog.append(id, event)
    latencies.push(seenAt - appendedAt)
  }
  const rate = perSecond(performance.now() - started)
  store.remove()
  if (seen !== EVENTS) throw new Error(`The subscriber saw ${seen} of ${EVENTS} events.`)
  return rate
}

/** The same rows into a table of the same shape, with the library alone. */
function insert(events: readonly Event[]): number {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-bare-'))
  const database = new DatabaseSync(join(folder, 'bare.db'))
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; CREATE TABLE event (conversation_id TEXT NOT NULL,
    seq INTEGER NOT NULL, id TEXT NOT NULL, kind TEXT NOT NULL, timestamp TEXT NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (conversation_id, seq)) STRICT, WITHOUT ROWID`)
  const statement = database.prepare('INSERT INTO event VALUES (?, ?, ?, ?, ?, ?)')
  const rows = events.map(
    ({ seq, id, kind, timestamp }, index) =>
      ['0123456789abcdef0123456789abcdef', seq, id, kind, timestamp, JSON.stringify(events[index])] as const,
  )
  globalThis.gc?.()
  const started = performance.now()
  for (const values of rows) statement.run(...values)
  const rate = perSecond(performance.now() - started)
  database.close()
  rmSync(folder, { recursive: true })
  return rate
}

/** As the log stores them, made outside of what is measured. */
let made: readonly Event[] | undefined
function storedEvents(): readonly Event[] {
  if (made) return made
  const store = openStore()
  const { id } = withConversation(store)
  made = store.eventLog.appendAll(
    id,
    Array.from({ length: EVENTS }, (_, index) => newEvent(index)),
  )
  store.remove()
  return made
}

function withConversation(store: ReturnType<typeof openStore>) {
  const conversation = aConversation()
  store.conversations.insert(conversation)
  return conversation
}

function perSecond(milliseconds: number): number {
  return (EVENTS * 1000) / milliseconds
}

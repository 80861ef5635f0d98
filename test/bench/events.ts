import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import type { Event, NewEvent } from '../../server/api/events.ts'
import { aConversation, openStore } from '../parts/store.ts'
import { compare, interleave, quantile, type Row, row } from './measure.ts'

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
  store.log.subscribe(id, 0, () => {
    seenAt = performance.now()
    seen++
  })
  globalThis.gc?.()
  const started = performance.now()
  for (const event of events) {
    const appendedAt = performance.now()
    store.log.append(id, event)
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
  made = store.log.appendAll(
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

/** A command and its output in turn, as an agent at work logs them: about 700 bytes each. */
function newEvent(index: number): NewEvent {
  const call = { tool_name: 'terminal', tool_call_id: `call_${index >> 1}` }
  const command = `grep -rn "something ${index >> 1}" src`
  if (index % 2 === 0) {
    return {
      kind: 'ActionEvent',
      source: 'agent',
      ...call,
      thought: [{ type: 'text', text: 'The failing test names this function, so I look at who calls it.' }],
      thinking_blocks: [],
      action: { kind: 'TerminalAction', command, is_input: false, reset: false },
      tool_call: {
        id: call.tool_call_id,
        name: 'terminal',
        arguments: JSON.stringify({ command }),
        origin: 'completion',
      },
      llm_response_id: `response_${index}`,
      security_risk: 'LOW',
    }
  }
  return {
    kind: 'ObservationEvent',
    source: 'environment',
    ...call,
    action_id: `action_${index}`,
    observation: {
      kind: 'TerminalObservation',
      content: [{ type: 'text', text: 'src/parser.py:120:    return something(line)\n'.repeat(6) }],
      is_error: false,
      command,
      exit_code: 0,
      timeout: false,
      metadata: { exit_code: 0, pid: 42, working_dir: '/workspace/project', prefix: '', suffix: '' },
    },
  }
}

function perSecond(milliseconds: number): number {
  return (EVENTS * 1000) / milliseconds
}

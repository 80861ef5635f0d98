import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import type { Event } from '../../api/event/events.ts'
import { newEventId } from '../../domain/ids.ts'
import { tablesOf } from '../backup/copy.ts'
import type { Row, Value } from '../database/database.ts'
import { migrate } from '../database/migrations.ts'
import { quoted, type ReadableTable, readableRows } from './readable-rows.ts'

export interface Salvaged {
  conversations: number
  events: number
  /** Events whose place in a log is known, and nothing else of them. */
  lostEvents: number
  /** Conversations of which only the events are left. */
  namelessConversations: number
}

/** What is not found within this time is given up. */
const MAX_MS = 120_000
/** A log with a larger gap than this ends before it. */
const MAX_FILLED_EVENTS = 10_000

/**
 * Copies every row that SQLite can still read of a damaged database into a new one, and makes the logs dense again.
 * @param source a copy: opening a database may change it
 * @returns undefined when nothing can be read at all
 */
export async function salvage(source: string, target: string): Promise<Salvaged | undefined> {
  const to = new DatabaseSync(target)
  let from: DatabaseSyncInstance | undefined
  try {
    to.exec(
      'PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = DELETE; PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF',
    )
    migrate(to)
    from = new DatabaseSync(source)
    await copyTables(from, to, performance.now() + MAX_MS)
    const salvaged = repair(to)
    to.exec('PRAGMA synchronous = FULL; PRAGMA user_version')
    return salvaged
  } catch {
    return undefined
  } finally {
    from?.close()
    to.close()
  }
}

async function copyTables(from: DatabaseSyncInstance, to: DatabaseSyncInstance, until: number): Promise<void> {
  const present = new Set(tablesOf(from))
  for (const name of tablesOf(to)) {
    if (!present.has(name)) continue
    const table = commonTable(from, to, name)
    const places = table.columns.map(() => '?').join(', ')
    const insert = to.prepare(
      `INSERT OR IGNORE INTO ${quoted(name)} (${table.columns.map(quoted).join(', ')}) VALUES (${places})`,
    )
    const put = (row: Row) => {
      try {
        insert.run(...table.columns.map(column => row[column] as Value))
      } catch {
        // A value that is not of its column's kind: the row is lost, and the others are not.
      }
    }
    to.exec('BEGIN')
    for await (const row of readableRows(from, table, until)) put(row)
    if (name === 'event') for await (const row of eventsOfEach(from, to, table, until)) put(row)
    to.exec('COMMIT')
  }
}

/** Damage in the middle of the log hides what lies between its ends: each conversation is looked for by itself. */
async function* eventsOfEach(
  from: DatabaseSyncInstance,
  to: DatabaseSyncInstance,
  table: ReadableTable,
  until: number,
): AsyncGenerator<Row> {
  const ids = to.prepare('SELECT id FROM conversation').all() as { id: string }[]
  for (const { id } of ids) yield* readableRows(from, table, until, id)
}

function commonTable(from: DatabaseSyncInstance, to: DatabaseSyncInstance, name: string): ReadableTable {
  const old = new Set(columnsOf(from, name).map(column => column.name))
  const wanted = columnsOf(to, name)
  const withoutRowid = wanted.filter(({ pk }) => pk > 0).sort((one, other) => one.pk - other.pk)
  const keys = isWithoutRowid(to, name) ? withoutRowid.map(column => column.name) : ['rowid']
  return { name, keys, columns: wanted.map(column => column.name).filter(column => old.has(column)) }
}

function columnsOf(connection: DatabaseSyncInstance, table: string): { name: string; pk: number }[] {
  return connection.prepare('SELECT name, pk FROM pragma_table_info(?)').all(table) as { name: string; pk: number }[]
}

function isWithoutRowid(connection: DatabaseSyncInstance, table: string): boolean {
  const row = connection.prepare('SELECT wr FROM pragma_table_list(?)').get(table) as { wr: number } | undefined
  return row?.wr === 1
}

/** A conversation for every log, a number for every event, and no row of a conversation that is not there. */
function repair(to: DatabaseSyncInstance): Salvaged {
  to.exec('BEGIN')
  const nameless = Number(to.prepare(NAMELESS).run().changes)
  const lostEvents = fillLogs(to)
  for (const table of ['gateway_conversation', 'reported_conversation', 'reported_event', 'experiment_config']) {
    to.exec(`DELETE FROM ${table} WHERE conversation_id NOT IN (SELECT id FROM conversation)`)
  }
  for (const table of ['conversation_knowledge', 'sub_agent']) {
    to.exec(`DELETE FROM ${table} WHERE conversation_id NOT IN (SELECT id FROM conversation)`)
  }
  to.exec('COMMIT')
  const count = (table: string) => Number((to.prepare(`SELECT count(*) AS n FROM ${table}`).get() as { n: number }).n)
  return { conversations: count('conversation'), events: count('event'), lostEvents, namelessConversations: nameless }
}

/** It is paused and asks before it acts; which sandbox was its own is lost. */
const NAMELESS = `INSERT INTO conversation (id, created_at, updated_at, title, title_is_default, sandbox_id, working_dir,
    pr_number, execution_status, max_iterations, stats, confirmation_policy)
  SELECT conversation_id, min(timestamp), max(timestamp), 'Recovered conversation', 0, '', '/workspace/project', '[]',
    'paused', 500, '{"usage_to_metrics":{},"steps":0,"cost_unknown":true,"last_step":null}', '{"kind":"AlwaysConfirm"}'
  FROM event WHERE conversation_id NOT IN (SELECT id FROM conversation) GROUP BY conversation_id`

/** @returns how many events were lost */
function fillLogs(to: DatabaseSyncInstance): number {
  const holes = to
    .prepare(
      `SELECT conversation_id AS id, seq, before, timestamp FROM (
         SELECT conversation_id, seq, timestamp,
           lag(seq, 1, -1) OVER (PARTITION BY conversation_id ORDER BY seq) AS before FROM event)
       WHERE seq > before + 1 ORDER BY conversation_id, seq`,
    )
    .all() as { id: string; seq: number; before: number; timestamp: string }[]
  const insert = to.prepare(
    'INSERT INTO event (conversation_id, seq, id, kind, timestamp, body) VALUES (?, ?, ?, ?, ?, ?)',
  )
  let lost = 0
  for (const { id, seq, before, timestamp } of holes) {
    lost += seq - before - 1
    if (seq - before > MAX_FILLED_EVENTS) {
      to.prepare('DELETE FROM event WHERE conversation_id = ? AND seq > ?').run(id, before)
      continue
    }
    for (let missing = before + 1; missing < seq; missing++) {
      const event = placeholder(missing, timestamp)
      insert.run(id, missing, event.id, event.kind, timestamp, JSON.stringify(event))
    }
    // A call whose result is lost was carried out: as after a crash, the next start answers it.
    to.prepare("UPDATE conversation SET execution_status = 'running' WHERE id = ?").run(id)
  }
  return lost
}

function placeholder(seq: number, timestamp: string): Event {
  return {
    kind: 'ConversationErrorEvent',
    source: 'environment',
    id: newEventId(),
    seq,
    timestamp,
    code: 'event_unreadable',
    detail: 'This entry of the log was lost when the database was damaged.',
    classification: { kind: 'internal', retryable: false, user_action: 'none' },
  }
}

import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { BOUNDS } from '../domain/bounds.ts'
import { CONVERSATION_AS_JSON } from './conversation/conversations.ts'
import { placeholderOf } from './database/damaged-event.ts'
import { loadSqlite } from './search/sqlite.ts'

/**
 * The conversations of the database as they were when it was opened, whatever is written meanwhile. For a thread: reading
 * takes as long as it takes.
 */
export class Snapshot {
  readonly #connection: DatabaseSyncInstance
  readonly #read: ReturnType<DatabaseSyncInstance['prepare']>
  readonly #row: ReturnType<DatabaseSyncInstance['prepare']>
  readonly #count: ReturnType<DatabaseSyncInstance['prepare']>
  readonly #whole: ReturnType<DatabaseSyncInstance['prepare']>
  readonly #damaged: ReturnType<DatabaseSyncInstance['prepare']>

  /** @param sqlite where the library lies; see `sqlitePath` */
  constructor({ sqlite, database }: { sqlite: string; database: string }) {
    const { DatabaseSync } = loadSqlite(sqlite)
    this.#connection = new DatabaseSync(database, { readOnly: true })
    this.#connection.exec('BEGIN')
    this.#row = this.#connection.prepare(`SELECT ${CONVERSATION_AS_JSON} AS body FROM conversation WHERE id = ?`)
    this.#read = this.#connection.prepare(
      `SELECT seq, CASE WHEN octet_length(body) <= ${BOUNDS.dataFileEvent.limit} AND json_valid(body)
         THEN iif(json_extract(body, '$.seq') = seq, body, NULL) END AS body
       FROM event WHERE conversation_id = ? ORDER BY seq`,
    )
    this.#count = this.#connection.prepare(
      'SELECT coalesce(max(seq) + 1, 0) AS events FROM event WHERE conversation_id = ?',
    )
    this.#whole = this.#connection.prepare(
      `SELECT sum(octet_length(body) <= ${BOUNDS.dataFileEvent.limit} AND json_valid(body)), max(id || kind || timestamp)
       FROM event WHERE conversation_id = ?`,
    )
    this.#damaged = this.#connection.prepare(
      'SELECT substr(body, 1, 4000) AS body, seq, id, kind, timestamp FROM event WHERE conversation_id = ? AND seq = ?',
    )
  }

  /** Oldest first, without those whose deletion was begun. Nothing is counted of a log that the disk has damaged. */
  conversations(): { id: string; events: number }[] {
    const sql = `SELECT id FROM conversation
      WHERE id NOT IN (SELECT conversation_id FROM conversation_deletion) ORDER BY created_at, id`
    const rows = this.#connection.prepare(sql).all() as { id: unknown }[]
    return rows.map(row => ({ id: String(row.id), events: this.#countOf(String(row.id)) }))
  }

  #countOf(id: string): number {
    try {
      return Number((this.#count.get(id) as { events: unknown }).events)
    } catch {
      return 0
    }
  }

  /** As JSON. @throws what SQLite throws for a row that is damaged */
  conversation(id: string): string {
    return String((this.#row.get(id) as { body: unknown }).body)
  }

  /** Reads the whole log once. @throws what SQLite throws where the file is damaged there */
  requireReadable(id: string): void {
    this.#whole.get(id)
  }

  /** The log as JSON texts, one at a time: a single one may be large. What cannot be read, or is too long, has a notice in its place. */
  *events(id: string): Generator<string, void> {
    for (const row of this.#read.iterate(id)) {
      const { seq, body } = row as { seq: unknown; body: unknown }
      if (body !== null) yield String(body)
      else yield JSON.stringify(placeholderOf(this.#damaged.get(id, Number(seq)) as Record<string, unknown>))
    }
  }

  close(): void {
    this.#connection.close()
  }
}

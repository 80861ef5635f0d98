import { closeSync, openSync, rmSync } from 'node:fs'
import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { Document } from './documents.ts'
import {
  conversationToken,
  createPart,
  FIRST_PART,
  FORMAT,
  kindNumber,
  kindToken,
  PART_SIZE,
  placeToken,
  SCHEMA,
  tableOf,
} from './layout.ts'
import { identityOf } from './source.ts'
import type { Sqlite } from './sqlite.ts'
import { indexedForm } from './tokens.ts'

/** What of a conversation is indexed: its events from `low` up to `high`, the latter not included. */
export interface Indexed {
  number: number
  id: string
  repository: number
  heading: string
  low: number
  high: number
  /** Id of the last of them: a log that has another one in this place is not the one that was indexed. */
  lastEvent: string | null
}

export interface PlacedDocument extends Document {
  seq: number
  /** In seconds since 1970. */
  at: number
}

const ENDS = ['', '-wal', '-shm', '-journal'] as const
const PLACES = 'SELECT part FROM place WHERE conversation = ?'
/** Documents that are removed at once. */
const REMOVED_AT_ONCE = 500

/** The file of the index, for the one thread that writes it. It holds nothing that could not be made again. */
export class IndexFile {
  readonly #connection: DatabaseSyncInstance
  readonly #file: string
  readonly #identity: string
  readonly #statements = new Map<string, ReturnType<DatabaseSyncInstance['prepare']>>()

  private constructor(file: string, connection: DatabaseSyncInstance) {
    this.#file = file
    this.#connection = connection
    this.#identity = identityOf(file)
  }

  /** Opens it, or begins anew where it cannot be used: it is of another format, of another database, or damaged. */
  static open(sqlite: Sqlite, file: string, instanceId: string): IndexFile {
    const opened = IndexFile.#tryToOpen(sqlite, file, instanceId)
    if (opened) return opened
    removeIndex(file)
    // SQLite gives its further files the mode of the first.
    closeSync(openSync(file, 'wx', 0o600))
    const connection = new sqlite.DatabaseSync(file)
    connection.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
    connection.exec(`BEGIN; ${SCHEMA} COMMIT`)
    const put = connection.prepare('INSERT INTO meta (name, value) VALUES (?, ?)')
    put.run('instance', instanceId)
    // The last one: what is begun and not finished has no format.
    put.run('format', FORMAT)
    return new IndexFile(file, connection)
  }

  static #tryToOpen(sqlite: Sqlite, file: string, instanceId: string): IndexFile | undefined {
    if (identityOf(file) === '') return undefined
    let connection: DatabaseSyncInstance | undefined
    try {
      connection = new sqlite.DatabaseSync(file)
      connection.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
      const rows = connection.prepare('SELECT name, value FROM meta').all() as { name: string; value: string }[]
      const meta = new Map(rows.map(({ name, value }) => [name, value]))
      if (meta.get('format') === FORMAT && meta.get('instance') === instanceId) return new IndexFile(file, connection)
    } catch {
      // Whatever it is, it is no index.
    }
    connection?.close()
    return undefined
  }

  /** Whether somebody removed or replaced the file. */
  isCutOff(): boolean {
    return identityOf(this.#file) !== this.#identity
  }

  transaction<T>(work: () => T): T {
    this.#connection.exec('BEGIN IMMEDIATE')
    try {
      const result = work()
      this.#connection.exec('COMMIT')
      return result
    } catch (error) {
      if (this.#connection.isTransaction) this.#connection.exec('ROLLBACK')
      throw error
    }
  }

  conversations(): Indexed[] {
    const sql = 'SELECT number, id, repository, heading, low, high, last_event FROM conversation'
    return this.#all(sql, []).map(toIndexed)
  }

  conversation(id: string): Indexed | undefined {
    const sql = 'SELECT number, id, repository, heading, low, high, last_event FROM conversation WHERE id = ?'
    const [found] = this.#all(sql, [id])
    return found && toIndexed(found)
  }

  /** With nothing indexed of its log, which is looked for from `from` on in both directions. */
  addConversation(id: string, place: string | null, from: number): Indexed {
    const sql = "INSERT INTO conversation (id, repository, heading, low, high) VALUES (?, ?, '', ?, ?) RETURNING *"
    const [made] = this.#all(sql, [id, this.#placeNumber(place), from, from])
    return toIndexed(made ?? {})
  }

  #placeNumber(name: string | null): number {
    if (name === null) return 0
    this.#run('INSERT OR IGNORE INTO repository (name) VALUES (?)', [name])
    return Number(this.#all('SELECT number FROM repository WHERE name = ?', [name])[0]?.number)
  }

  placeOf({ repository }: Indexed): string | null {
    const [found] = this.#all('SELECT name FROM repository WHERE number = ?', [repository])
    return found ? String(found.name) : null
  }

  /** What stands above a conversation: its title, repository and branch. */
  setHeading({ number }: Indexed, heading: string): void {
    this.#run('UPDATE conversation SET heading = ? WHERE number = ?', [heading, number])
    this.#run('DELETE FROM heading_text WHERE rowid = ?', [number])
    this.#run('INSERT INTO heading_text (rowid, text) VALUES (?, ?)', [number, indexedForm(heading)])
  }

  setExtent({ number, low, high, lastEvent }: Indexed): void {
    const sql = 'UPDATE conversation SET low = ?, high = ?, last_event = ? WHERE number = ?'
    this.#run(sql, [low, high, lastEvent, number])
  }

  /** @param direction `up`: they are newer than all others, `down`: older @param documents in the order of the log */
  add(direction: 'up' | 'down', conversation: Indexed, documents: readonly PlacedDocument[]): void {
    for (let rest = documents; rest.length > 0; ) {
      const { part, room } = this.#openPart(direction)
      const taken = direction === 'up' ? rest.slice(0, room) : rest.slice(-room)
      rest = direction === 'up' ? rest.slice(taken.length) : rest.slice(0, -taken.length)
      const first = direction === 'up' ? part.high : part.low - taken.length
      for (const [index, document] of taken.entries()) this.#insert(part.number, first + index, conversation, document)
      this.#run('INSERT OR IGNORE INTO place (conversation, part) VALUES (?, ?)', [conversation.number, part.number])
      const times = taken.map(({ at }) => at)
      const sql = `UPDATE part SET low = min(low, ?), high = max(high, ?), first_at = min(first_at, ?), last_at = max(last_at, ?)
        WHERE number = ?`
      const values = [first, first + taken.length, Math.min(...times), Math.max(...times), part.number]
      this.#run(sql, values)
    }
  }

  #insert(part: number, id: number, conversation: Indexed, document: PlacedDocument): void {
    const { seq, kind, at, text } = document
    const sql = 'INSERT INTO document (id, conversation, seq, kind, at) VALUES (?, ?, ?, ?, ?)'
    this.#run(sql, [id, conversation.number, seq, kindNumber(kind), at])
    const marks = `${conversationToken(conversation.number)} ${kindToken(kind)} ${placeToken(conversation.repository)}`
    this.#run(`INSERT INTO ${tableOf(part)} (rowid, text) VALUES (?, ?)`, [id, `${indexedForm(text)} ${marks}`])
  }

  #openPart(direction: 'up' | 'down') {
    const isUp = direction === 'up'
    const which = isUp ? 'number >= ? ORDER BY number DESC' : 'number < ? ORDER BY number'
    const [last] = this.#all(`SELECT number, low, high FROM part WHERE ${which} LIMIT 1`, [FIRST_PART])
    const found = last && { number: Number(last.number), low: Number(last.low), high: Number(last.high) }
    const room = found ? PART_SIZE - (found.high - found.low) : 0
    if (found && room > 0) return { part: found, room }
    const number = isUp ? (found?.number ?? FIRST_PART - 1) + 1 : (found?.number ?? FIRST_PART) - 1
    const edge = number * PART_SIZE + (isUp ? 0 : PART_SIZE)
    this.#connection.exec(createPart(number))
    const sql = 'INSERT INTO part (number, low, high, first_at, last_at) VALUES (?, ?, ?, ?, ?)'
    this.#run(sql, [number, edge, edge, Number.MAX_SAFE_INTEGER, 0])
    return { part: { number, low: edge, high: edge }, room: PART_SIZE }
  }

  /** Removes a part of what is indexed of a conversation. @returns whether there is more */
  removeSome({ number }: Indexed): boolean {
    for (const { part } of this.#all(PLACES, [number]) as { part: number }[]) {
      const sql = `SELECT rowid FROM ${tableOf(part)} WHERE ${tableOf(part)} MATCH ? LIMIT ?`
      const found = this.#all(sql, [`"${conversationToken(number)}"`, REMOVED_AT_ONCE])
      if (found.length === 0) continue
      for (const { rowid } of found) {
        this.#run(`DELETE FROM ${tableOf(part)} WHERE rowid = ?`, [Number(rowid)])
        this.#run('DELETE FROM document WHERE id = ?', [Number(rowid)])
      }
      return true
    }
    this.#run('DELETE FROM place WHERE conversation = ?', [number])
    this.#run('DELETE FROM heading_text WHERE rowid = ?', [number])
    this.#run('DELETE FROM conversation WHERE number = ?', [number])
    return false
  }

  close(): void {
    this.#statements.clear()
    this.#connection.close()
  }

  #all(sql: string, values: (string | number | null)[]): Record<string, unknown>[] {
    return this.#prepared(sql).all(...values) as Record<string, unknown>[]
  }

  #run(sql: string, values: (string | number | null)[]): void {
    this.#prepared(sql).run(...values)
  }

  #prepared(sql: string) {
    const statement = this.#statements.get(sql) ?? this.#connection.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }
}

export function removeIndex(file: string): void {
  for (const end of ENDS) rmSync(`${file}${end}`, { force: true })
}

function toIndexed(row: Record<string, unknown>): Indexed {
  return {
    number: Number(row.number),
    id: String(row.id),
    repository: Number(row.repository),
    heading: String(row.heading),
    low: Number(row.low),
    high: Number(row.high),
    lastEvent: typeof row.last_event === 'string' ? row.last_event : null,
  }
}

import { statSync } from 'node:fs'
import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { Sqlite } from './sqlite.ts'

export interface StoredEvent {
  seq: number
  id: string
  body: string
  /** In seconds since 1970. */
  at: number
}

export interface StoredConversation {
  id: string
  title: string | null
  repository: string | null
  /** Of this computer. */
  folder: string | null
  branch: string | null
  updatedAt: string
}

/** A larger event is an image or the like, and is not read for its few words. */
const MAX_BODY_BYTES = 8 * 1024 * 1024

/** The database, read over a connection that cannot write. It follows the file when another takes its place. */
export class Source {
  readonly #sqlite: Sqlite
  readonly #file: string
  #open: { connection: DatabaseSyncInstance; identity: string; statements: Map<string, Statement> } | undefined

  constructor(sqlite: Sqlite, file: string) {
    this.#sqlite = sqlite
    this.#file = file
  }

  /** Ascending from one number to another, the latter not included. */
  events(conversation: string, from: number, to: number): StoredEvent[] {
    const sql = `SELECT seq, id, iif(octet_length(body) <= ${MAX_BODY_BYTES}, body, '') AS body, unixepoch(timestamp) AS at
      FROM event WHERE conversation_id = ? AND seq >= ? AND seq < ? ORDER BY seq`
    return this.#all(sql, [conversation, from, to]).map(row => ({
      seq: Number(row.seq),
      id: String(row.id),
      body: String(row.body),
      at: Number(row.at),
    }))
  }

  eventAt(conversation: string, seq: number): { id: string; timestamp: string; body: string } | undefined {
    const sql = 'SELECT id, timestamp, body FROM event WHERE conversation_id = ? AND seq = ?'
    const [row] = this.#all(sql, [conversation, seq])
    return row && { id: String(row.id), timestamp: String(row.timestamp), body: String(row.body) }
  }

  /** How many events the log of a conversation has; it is dense. */
  length(conversation: string): number {
    const [row] = this.#all('SELECT max(seq) + 1 AS n FROM event WHERE conversation_id = ?', [conversation])
    return Number(row?.n ?? 0)
  }

  idAt(conversation: string, seq: number): string | undefined {
    const [row] = this.#all('SELECT id FROM event WHERE conversation_id = ? AND seq = ?', [conversation, seq])
    return row && String(row.id)
  }

  /** Without those whose deletion was begun. */
  conversations(ids: readonly string[]): Map<string, StoredConversation> {
    const sql = `SELECT conversation.id, title, selected_repository, source_folder, selected_branch, updated_at
      FROM json_each(?) AS wanted JOIN conversation ON conversation.id = wanted.value
      WHERE conversation.id NOT IN (SELECT conversation_id FROM conversation_deletion)`
    const found = this.#all(sql, [JSON.stringify(ids)]).map(row => ({
      id: String(row.id),
      title: textOf(row.title),
      repository: textOf(row.selected_repository),
      folder: textOf(row.source_folder),
      branch: textOf(row.selected_branch),
      updatedAt: String(row.updated_at),
    }))
    return new Map(found.map(one => [one.id, one]))
  }

  /** Newest activity first. */
  conversationIds(): string[] {
    return this.#all('SELECT id FROM conversation ORDER BY updated_at DESC, id', []).map(row => String(row.id))
  }

  /** Whether the database can be read: where it cannot, the index is not to blame. Must not throw. */
  isReadable(): boolean {
    try {
      this.#all('SELECT 1 FROM conversation LIMIT 1', [])
      return true
    } catch {
      return false
    }
  }

  close(): void {
    this.#open?.connection.close()
    this.#open = undefined
  }

  #all(sql: string, values: (string | number)[]): Record<string, unknown>[] {
    const { connection, statements } = this.#current()
    const statement = statements.get(sql) ?? connection.prepare(sql)
    statements.set(sql, statement)
    return statement.all(...values) as Record<string, unknown>[]
  }

  #current() {
    const identity = identityOf(this.#file)
    if (this.#open && this.#open.identity !== identity) this.close()
    this.#open ??= {
      connection: new this.#sqlite.DatabaseSync(this.#file, { readOnly: true }),
      identity,
      statements: new Map(),
    }
    return this.#open
  }
}

type Statement = ReturnType<DatabaseSyncInstance['prepare']>

/** What a conversation works on, by which a search is narrowed: its repository, else its folder; null for neither. */
export function placeOf({ repository, folder }: Pick<StoredConversation, 'repository' | 'folder'>): string | null {
  return repository ?? folder
}

/** What is found of a conversation itself. */
export function headingOf({ title, repository, branch }: StoredConversation): string {
  return [title, repository, branch].filter(text => text).join(' · ')
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/** Which file has the name now. */
export function identityOf(file: string): string {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false })
  return found ? `${found.dev}:${found.ino}` : ''
}

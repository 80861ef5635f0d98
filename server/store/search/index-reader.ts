import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { SearchKind } from '../../api/search-kinds.ts'
import { BOUNDS } from '../../domain/bounds.ts'
import { conversationToken, kindOf, kindToken, placeToken, tableOf } from './layout.ts'
import { matchExpression, type Query } from './query.ts'
import { identityOf } from './source.ts'
import type { Sqlite } from './sqlite.ts'

export interface IndexFilter {
  kinds: readonly SearchKind[]
  conversation: string | null
  /** Repositories or folders, all of which a conversation would have to work on: it works on one at most. */
  places: readonly string[]
  /** In seconds since 1970; `from` is included, `before` is not. */
  from: number | null
  before: number | null
}

/** A document that matches. */
export interface Match {
  id: number
  conversation: string
  seq: number
  kind: SearchKind
  /** In seconds since 1970. */
  at: number
  /** By BM25 within its part; higher is better. */
  relevance: number
}

/** Matches, newest first; `next` is below which id there may be more. */
export interface Matches {
  found: Match[]
  next: number | null
}

interface Part {
  number: number
  low: number
  high: number
}

/** What the index finds, over a connection that cannot write. */
export class IndexReader {
  readonly #sqlite: Sqlite
  readonly #file: string
  readonly #now: () => number
  #open: { connection: DatabaseSyncInstance; identity: string; statements: Map<string, Statement> } | undefined

  constructor(sqlite: Sqlite, file: string, now: () => number = () => performance.now()) {
    this.#sqlite = sqlite
    this.#file = file
    this.#now = now
  }

  /** Those with an id below one, newest first. It stops when time is up, but looks into one part at least. */
  matches(query: Query, filter: IndexFilter, { below, limit }: { below: number; limit: number }): Matches {
    const expression = this.#expression(query, filter)
    if (expression === undefined) return { found: [], next: null }
    const until = this.#now() + BOUNDS.searchPageTime.limit
    const found: Match[] = []
    const parts = this.#parts(filter, below)
    for (const [index, part] of parts.entries()) {
      if (index > 0 && this.#now() > until) return { found, next: part.high }
      found.push(...this.#matchesIn(part, expression, filter, { below, limit: limit - found.length }))
      if (found.length >= limit) return { found, next: found.at(-1)?.id ?? null }
    }
    return { found, next: null }
  }

  /** How many there are in one conversation, up to a bound. */
  count(query: Query, filter: IndexFilter): number {
    const expression = this.#expression(query, filter)
    if (expression === undefined) return 0
    let count = 0
    for (const part of this.#parts(filter, Number.MAX_SAFE_INTEGER)) {
      const limit = BOUNDS.searchTotal.limit - count
      const { sql, values } = timed(filter)
      const table = tableOf(part.number)
      const matching = `SELECT 1 FROM ${table} JOIN document ON document.id = ${table}.rowid WHERE ${table} MATCH ?${sql} LIMIT ?`
      const [row] = this.#all(`SELECT count(*) AS n FROM (${matching})`, [expression, ...values, limit])
      count += Number(row?.n ?? 0)
      if (count >= BOUNDS.searchTotal.limit) break
    }
    return count
  }

  /** Conversations by what stands above them, best first. */
  headings(query: Query, filter: IndexFilter, limit: number): string[] {
    const expression = matchExpression(query, [])
    if (expression === undefined) return []
    const sql = `SELECT conversation.id FROM heading_text JOIN conversation ON conversation.number = heading_text.rowid
      LEFT JOIN repository ON repository.number = conversation.repository
      WHERE heading_text MATCH ?1 AND (?2 IS NULL OR conversation.id = ?2)
      AND NOT EXISTS (SELECT 1 FROM json_each(?3) AS wanted WHERE wanted.value IS NOT repository.name)
      ORDER BY rank, heading_text.rowid DESC LIMIT ?4`
    const values = [expression, filter.conversation, JSON.stringify(filter.places), limit]
    return this.#all(sql, values).map(row => String(row.id))
  }

  /** Whether there is an index; one that is being made has no format yet. Must not throw. */
  isComplete(): boolean {
    try {
      return this.#all("SELECT 1 FROM meta WHERE name = 'format'", []).length > 0
    } catch {
      return false
    }
  }

  close(): void {
    this.#open?.connection.close()
    this.#open = undefined
  }

  #matchesIn(
    { number }: Part,
    expression: string,
    filter: IndexFilter,
    { below, limit }: { below: number; limit: number },
  ): Match[] {
    const table = tableOf(number)
    const { sql, values } = timed(filter)
    const found = this.#all(
      `SELECT document.id, conversation.id AS conversation, seq, kind, at, -bm25(${table}) AS relevance
       FROM ${table} JOIN document ON document.id = ${table}.rowid JOIN conversation ON conversation.number = document.conversation
       WHERE ${table} MATCH ? AND ${table}.rowid < ?${sql} ORDER BY ${table}.rowid DESC LIMIT ?`,
      [expression, below, ...values, limit],
    )
    return found.map(row => ({
      id: Number(row.id),
      conversation: String(row.conversation),
      seq: Number(row.seq),
      kind: kindOf(Number(row.kind)),
      at: Number(row.at),
      relevance: Number(row.relevance),
    }))
  }

  /** undefined where nothing can match. */
  #expression(query: Query, { kinds, conversation, places }: IndexFilter): string | undefined {
    const groups: string[][] = kinds.length === 0 ? [] : [kinds.map(kindToken)]
    if (conversation !== null) {
      const [found] = this.#all('SELECT number FROM conversation WHERE id = ?', [conversation])
      if (!found) return undefined
      groups.push([conversationToken(Number(found.number))])
    }
    for (const place of places) {
      const [found] = this.#all('SELECT number FROM repository WHERE name = ?', [place])
      if (!found) return undefined
      groups.push([placeToken(Number(found.number))])
    }
    return matchExpression(query, groups)
  }

  /** Newest first; those alone in which the conversation has something. */
  #parts({ conversation, from, before }: IndexFilter, below: number): Part[] {
    const sql = `SELECT number, low, high FROM part
      WHERE low < ?1 AND (?2 IS NULL OR last_at >= ?2) AND (?3 IS NULL OR first_at < ?3) AND (?4 IS NULL OR number IN
        (SELECT place.part FROM place JOIN conversation ON conversation.number = place.conversation WHERE id = ?4))
      ORDER BY number DESC`
    return this.#all(sql, [below, from, before, conversation]).map(row => ({
      number: Number(row.number),
      low: Number(row.low),
      high: Number(row.high),
    }))
  }

  #all(sql: string, values: (string | number | null)[]): Record<string, unknown>[] {
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

function timed({ from, before }: IndexFilter): { sql: string; values: number[] } {
  return {
    sql: `${from === null ? '' : ' AND document.at >= ?'}${before === null ? '' : ' AND document.at < ?'}`,
    values: [from, before].filter(value => value !== null),
  }
}

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { Row, Value } from '../database/database.ts'

const PAGE_ROWS = 200

/** A table of a damaged database, in the order of its key. */
export interface ReadableTable {
  name: string
  columns: readonly string[]
  /** `rowid`, or the columns of the primary key. */
  keys: readonly string[]
}

/**
 * Every row that SQLite can still reach: from the beginning up to the damage, then from the end back to it. Rows may come
 * twice. `under` restricts it to rows whose first key has this value, which are often reachable on a way of their own.
 */
export async function* readableRows(
  connection: DatabaseSyncInstance,
  table: ReadableTable,
  until: number,
  under?: Value,
): AsyncGenerator<Row> {
  const whole = yield* walk({ connection, table, until, under, direction: 'ASC' })
  if (!whole) yield* walk({ connection, table, until, under, direction: 'DESC' })
}

interface Walk {
  connection: DatabaseSyncInstance
  table: ReadableTable
  /** By `performance.now()`. */
  until: number
  under: Value | undefined
  direction: 'ASC' | 'DESC'
}

/** @returns whether it came to the end */
async function* walk(options: Walk): AsyncGenerator<Row, boolean> {
  let last: Value[] | undefined
  let limit = PAGE_ROWS
  while (performance.now() < options.until) {
    const rows = readPage(options, last, limit)
    if (rows === undefined) {
      if (limit === 1) return false
      // The rows before the damaged one can be read one by one.
      limit = 1
      continue
    }
    yield* rows
    const final = rows.at(-1)
    if (!final) return true
    last = options.table.keys.map((_, index) => final[`key${index}`] as Value)
    await nextTurn()
  }
  return false
}

function readPage({ connection, table, under, direction }: Walk, last: Value[] | undefined, limit: number) {
  const keys = table.keys.map(key => quoted(key))
  const after = direction === 'ASC' ? '>' : '<'
  const conditions = [
    ...(under === undefined ? [] : [`${keys[0]} = ?`]),
    ...(last ? [`(${keys.join(', ')}) ${after} (${keys.map(() => '?').join(', ')})`] : []),
  ]
  const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''
  const order = keys.map(key => `${key} ${direction}`).join(', ')
  const columns = [...keys.map((key, index) => `${key} AS key${index}`), ...table.columns.map(quoted)].join(', ')
  const sql = `SELECT ${columns} FROM ${quoted(table.name)} ${where} ORDER BY ${order} LIMIT ?`
  try {
    return connection.prepare(sql).all(...(under === undefined ? [] : [under]), ...(last ?? []), limit) as Row[]
  } catch {
    return undefined
  }
}

export function quoted(name: string): string {
  return name === 'rowid' ? 'rowid' : `"${name.replaceAll('"', '""')}"`
}

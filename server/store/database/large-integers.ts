import type { DatabaseSyncInstance } from '@photostructure/sqlite'

type Row = Record<string, unknown>
type Statement = ReturnType<DatabaseSyncInstance['prepare']>

/**
 * The rows of a statement. SQLite's integers have 64 bits, and the binding gives none of the rows where one of them has
 * a number that JavaScript's are too short for: those come rounded then, which no reader takes for a count or a time.
 */
export function readRows(statement: Statement, read: () => unknown[]): Row[] {
  try {
    return read() as Row[]
  } catch (error) {
    if (!isTooLarge(error)) throw error
    statement.setReadBigInts(true)
    try {
      return (read() as Row[]).map(rounded)
    } finally {
      statement.setReadBigInts(false)
    }
  }
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && error.message.includes('too large to be represented as a JavaScript number')
}

function rounded(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === 'bigint' ? Number(value) : value]),
  )
}

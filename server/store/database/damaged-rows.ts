import { messageOf } from '../../domain/errors.ts'

export interface DamagedRow {
  table: string
  key: string
  reason: string
}

/** More are counted, and not named. */
const MAX_NAMED = 1000

/**
 * The one way in which stored rows are read: a row that cannot be understood is named here, once, and its reader goes
 * on without it. What is broken never hides what is whole, and never stops a start.
 */
export class DamagedRows {
  readonly #found = new Map<string, DamagedRow>()
  readonly #listeners = new Set<(row: DamagedRow) => void>()

  /** @returns undefined for a row that cannot be understood */
  read<T>(table: string, key: unknown, parse: () => T): T | undefined {
    try {
      return parse()
    } catch (error) {
      this.add({ table, key: String(key), reason: messageOf(error).slice(0, 500) })
      return undefined
    }
  }

  /** Those of the rows that can be understood. */
  readAll<Row, T>(table: string, rows: readonly Row[], key: (row: Row) => unknown, parse: (row: Row) => T): T[] {
    return rows
      .map(row => this.read(table, key(row), () => ({ value: parse(row) })))
      .filter(found => found !== undefined)
      .map(({ value }) => value)
  }

  add(row: DamagedRow): void {
    const name = `${row.table}\n${row.key}`
    if (this.#found.has(name) || this.#found.size >= MAX_NAMED) return
    this.#found.set(name, row)
    for (const listener of this.#listeners) listener(row)
  }

  all(): readonly DamagedRow[] {
    return [...this.#found.values()]
  }

  /** A listener also gets what was found before it. Listeners must not throw. */
  subscribe(listener: (row: DamagedRow) => void): void {
    this.#listeners.add(listener)
    for (const row of this.#found.values()) listener(row)
  }
}

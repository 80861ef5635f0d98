import { createRequire } from 'node:module'
import type { DatabaseSyncInstance } from '@photostructure/sqlite'

/** The library, as a thread has it. */
export interface Sqlite {
  DatabaseSync: new (path: string, options?: { readOnly?: boolean }) => DatabaseSyncInstance
}

/** Where the library lies: the code of a thread has no place from which it could be found. */
export function sqlitePath(): string {
  return createRequire(import.meta.url).resolve('@photostructure/sqlite')
}

export function loadSqlite(path: string): Sqlite {
  // The library's own module, whose exports its types describe.
  return createRequire(path)(path) as Sqlite
}

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openStore } from '../parts/service/store.ts'
import { WHOLE_ROWS } from './whole-rows.ts'

/** A service that has run once with a conversation has written a row of these. */
const WRITTEN: readonly string[] = ['conversation']

let dataDir: string
beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'atelier-tables-'))
  openStore(dataDir).close()
})
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

it('every table has a row that its columns can be damaged in', () => {
  const database = new DatabaseSync(join(dataDir, 'atelier.db'), { readOnly: true })
  const sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
  const tables = (database.prepare(sql).all() as { name: string }[]).map(({ name }) => name)
  database.close()
  expect(tables.filter(table => !(table in WHOLE_ROWS)).sort()).toEqual(WRITTEN)
})

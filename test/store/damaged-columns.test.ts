import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ROUTES } from '../../server/api/contract/routes.ts'
import { type Headless, startHeadless } from '../parts/service/headless.ts'
import { aConversation, openStore } from '../parts/service/store.ts'
import { type Cell, ID, OTHER_ID, WHOLE_ROWS } from './whole-rows.ts'

/** What a column of its type can hold and must not. */
const VALUES: Record<string, readonly (readonly [sql: string, value: string | null])[]> = {
  TEXT: [
    '',
    '{"broken',
    'null',
    '[]',
    '{}',
    '17',
    '"text"',
    '9999-99-99T99:99:99Z',
    'x\u0000y',
    'x'.repeat(10_000),
  ].map(text => ['?', text] as const),
  INTEGER: ['-1', '9223372036854775807', '-9223372036854775808'].map(sql => [sql, null] as const),
  REAL: ['9e999', '-1.5', '1e308', '9223372036854775807'].map(sql => [sql, null] as const),
}
/** The numbers of a log are its order. */
const KEPT: ReadonlySet<string> = new Set(['event.seq'])
const NO_ENGINE = { DOCKER_HOST: 'unix:///nowhere.sock' }

let dataDir: string
let service: Headless
let rowsBefore: Record<string, number>
const damaged: string[] = []

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'atelier-damaged-'))
  const store = openStore(dataDir)
  for (const id of [ID, OTHER_ID]) store.conversations.insert(aConversation({ id: id as never, title: 'Whole' }))
  store.close()
  const key = 'k'.repeat(40)
  await (await startHeadless({ dataDir, key, env: NO_ENGINE })).end('SIGTERM')
  const database = new DatabaseSync(join(dataDir, 'atelier.db'))
  damageEveryColumn(database)
  rowsBefore = countRows(database)
  database.close()
  service = await startHeadless({ dataDir, key, env: NO_ENGINE })
})
afterAll(async () => {
  await service?.end('SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
})

const query = <T>(database: DatabaseSyncInstance, sql: string) => database.prepare(sql).all() as T[]

function tablesOf(database: DatabaseSyncInstance): string[] {
  const sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
  return query<{ name: string }>(database, sql).map(({ name }) => name)
}

function countRows(database: DatabaseSyncInstance): Record<string, number> {
  const count = (table: string) => query<{ n: number }>(database, `SELECT count(*) AS n FROM "${table}"`)[0]?.n ?? 0
  return Object.fromEntries(tablesOf(database).map(table => [table, count(table)]))
}

/** Beside a whole row, one for each column of each table and each value. */
function damageEveryColumn(database: DatabaseSyncInstance): void {
  database.exec('PRAGMA foreign_keys = OFF')
  let made = 0
  for (const table of tablesOf(database)) {
    const columns = query<{ name: string; type: string; pk: number }>(
      database,
      `SELECT name, type, pk FROM pragma_table_info('${table}')`,
    )
    const whole = WHOLE_ROWS[table] ?? query<Record<string, Cell>>(database, `SELECT * FROM "${table}" LIMIT 1`)[0]
    if (!whole) throw new Error(`The test has no row of the table ${table}. Add one.`)
    insert(
      database,
      table,
      Object.entries(whole).map(([name, value]) => [name, '?', value]),
    )
    for (const column of columns.filter(({ name }) => !KEPT.has(`${table}.${name}`))) {
      for (const [sql, value] of VALUES[column.type] ?? []) {
        made++
        insert(
          database,
          table,
          columns.map(({ name, type, pk }) => {
            if (name === column.name) return [name, sql, value]
            const isShared = `${table}.${name}` === 'event.conversation_id'
            if (isShared || !(pk || name === 'vault_item' || name === 'id')) return [name, '?', whole[name] ?? null]
            if (type === 'INTEGER') return [name, '?', made]
            const id = made.toString(16).padStart(32, '0')
            if (table === 'conversation' && name === 'id') damaged.push(id)
            return [name, '?', id]
          }),
        )
      }
    }
  }
}

function insert(database: DatabaseSyncInstance, table: string, row: [name: string, sql: string, value: Cell][]): void {
  const names = row.map(([name]) => name).join(', ')
  const sql = `INSERT OR IGNORE INTO "${table}" (${names}) VALUES (${row.map(([, one]) => one).join(', ')})`
  database.prepare(sql).run(...row.flatMap(([, one, value]) => (one === '?' ? [value] : [])))
}

async function get(path: string): Promise<{ path: string; status: number; text: string }> {
  const headers = { 'X-Session-API-Key': service.key }
  const reply = await fetch(service.url + path, { headers, signal: AbortSignal.timeout(20_000) })
  return { path, status: reply.status, text: await reply.text() }
}

/** 503 is for the engine, which is not there. */
const hasFailed = ({ status }: { status: number }) => status >= 500 && status !== 503
const GETS = ROUTES.filter(({ method, open }) => method === 'get' && !open).map(({ path }) => path)

describe('a database in which each column of each table is damaged, beside what is whole', () => {
  it('every list is answered', { timeout: 120_000 }, async () => {
    const failed = []
    for (const path of GETS.filter(one => !one.includes('{'))) {
      for (const asked of ['', `?conversation_id=${ID}&ids=${ID}&id=${ID}`]) failed.push(await get(path + asked))
    }
    expect(failed.filter(hasFailed)).toEqual([])
  })

  it('what is whole is shown', async () => {
    expect((await get(`/api/v1/app-conversations?ids=${ID}`)).text).toContain('"title":"Whole"')
    expect(JSON.parse((await get('/api/v1/settings')).text)).toMatchObject({ git_user_name: 'Somebody' })
    expect((await get('/api/v1/settings/profiles')).text).toContain('"name":"whole"')
    expect((await get('/api/v1/trusted-repositories')).text).toContain('whole/repository')
  })

  it('every conversation can be looked at', { timeout: 200_000 }, async () => {
    const paths = GETS.filter(path => /^[^{]*\{(conversation_)?id\}[^{]*$/.test(path))
    expect(paths.length).toBeGreaterThan(10)
    const answers = []
    for (const [index, path] of paths.entries()) {
      const ids = [ID, ...damaged.filter((_, at) => at % paths.length === index)]
      for (const id of ids) answers.push(await get(path.replace(/\{\w+\}/, id)))
    }
    expect(answers.filter(hasFailed)).toEqual([])
  })

  it('no row that cannot be read is thrown away', async () => {
    const database = new DatabaseSync(join(dataDir, 'atelier.db'), { readOnly: true })
    const rows = countRows(database)
    database.close()
    const { conversation: _, event: __, setting, secret, llm_profile, trusted_repository } = rowsBefore
    expect(rows).toMatchObject({ setting, secret, llm_profile, trusted_repository })
    expect(rows.conversation).toBeGreaterThan(damaged.length - 30)
  })
})

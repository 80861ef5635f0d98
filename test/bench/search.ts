import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import type { ConversationId } from '../../server/domain/ids.ts'
import { EventTable } from '../../server/store/events.ts'
import { documentsIn } from '../../server/store/search/documents.ts'
import { IndexFile } from '../../server/store/search/index-file.ts'
import { Indexer } from '../../server/store/search/indexer.ts'
import { Source } from '../../server/store/search/source.ts'
import { loadSqlite, sqlitePath } from '../../server/store/search/sqlite.ts'
import type { TextIndex } from '../../server/store/search/text-index.ts'
import { aConversation, openStore } from '../parts/service/store.ts'
import { openIndex, search } from '../parts/service/text-index.ts'
import { newEvent } from '../parts/value/agent-event.ts'
import { createLog } from '../parts/value/searched-log.ts'
import { compare, interleave, type Row, row, timed } from './process/measure.ts'

const CONVERSATIONS = 1000
const EVENTS_OF_EACH = 1000
/** The bare way takes a tenth of them: it could not be waited for otherwise. */
const BARE_CONVERSATIONS = 100
const RUNS = 60
const APPENDED = 5000

type Store = ReturnType<typeof openStore>

/** A million events: how long they take to be indexed, what the index takes on the disk, and how long a search takes. */
export default async function measure(): Promise<Row[]> {
  const store = openStore()
  const ids = fill(store)
  const bare = bareIndex(store, ids.slice(0, BARE_CONVERSATIONS))
  const seconds = makeIndex(store)
  const index = openIndex(store.folder)
  await untilIndexed(index)
  const events = CONVERSATIONS * EVENTS_OF_EACH
  const megabytes = (file: string) => statSync(file).size / 1e6
  const rows = [
    row({
      what: 'Index of 1,000,000 events, against a plain table of 100,000',
      unit: 'events/s',
      atelier: events / seconds,
      bare: (BARE_CONVERSATIONS * EVENTS_OF_EACH) / bare.seconds,
      runs: 1,
    }),
    row({
      what: 'The index on the disk, against the database',
      unit: 'MB',
      atelier: megabytes(join(store.folder, 'search.db')),
      bare: megabytes(join(store.folder, 'atelier.db')),
      runs: 1,
    }),
  ]
  for (const [what, ask] of queriesOf(ids)) rows.push(...(await searchRows(index, bare, what, ask)))
  rows.push(await appendRow(store, index))
  await index.close()
  bare.close()
  store.remove()
  return rows
}

/** As the thread does it, without the rests that it takes. */
function makeIndex(store: Store): number {
  const sqlite = loadSqlite(sqlitePath())
  const began = performance.now()
  const source = new Source(sqlite, join(store.folder, 'atelier.db'))
  const file = IndexFile.open(sqlite, join(store.folder, 'search.db'), 'instance')
  const indexer = new Indexer(source, file)
  while (indexer.step() !== 'idle');
  file.close()
  source.close()
  return (performance.now() - began) / 1000
}

function fill(store: Store): ConversationId[] {
  const table = new EventTable(store.database)
  const log = createLog(7)
  const first = Date.UTC(2026, 0, 1)
  return Array.from({ length: CONVERSATIONS }, (_, number) => {
    const at = (seq: number) => new Date(first + (number * EVENTS_OF_EACH + seq) * 10_000).toISOString()
    const conversation = aConversation({
      title: `Make the test of parser ${number} pass again`,
      updated_at: at(EVENTS_OF_EACH),
      selected_repository: `octo/project-${number % 20}`,
    })
    store.database.transaction(() => {
      store.conversations.insert(conversation)
      for (let seq = 0; seq < EVENTS_OF_EACH; seq++) {
        const event = log(seq, at(seq))
        table.insert(conversation.id, event, JSON.stringify(event))
      }
    })
    return conversation.id
  })
}

/** Texts in one table of full text, as SQLite's documentation has it. */
function bareIndex(store: Store, ids: readonly ConversationId[]) {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-bare-'))
  const database = new DatabaseSync(join(folder, 'bare.db'))
  database.exec(
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; CREATE VIRTUAL TABLE plain USING fts5(words, content = '')",
  )
  const insert = database.prepare('INSERT INTO plain (rowid, words) VALUES (?, ?)')
  const began = performance.now()
  let rowid = 0
  for (const id of ids) {
    database.exec('BEGIN')
    for (const { body } of new EventTable(store.database).readBodies(id, 0, EVENTS_OF_EACH)) {
      rowid++
      insert.run(
        rowid,
        documentsIn(body)
          .map(({ text }) => text)
          .join('\n'),
      )
    }
    database.exec('COMMIT')
  }
  const seconds = (performance.now() - began) / 1000
  const select = database.prepare('SELECT rowid FROM plain WHERE plain MATCH ? ORDER BY rank LIMIT 20')
  const close = () => {
    database.close()
    rmSync(folder, { recursive: true })
  }
  return { seconds, search: (text: string) => select.all(text), close }
}

async function untilIndexed(index: TextIndex): Promise<void> {
  await search(index, 'anything')
  for (;;) {
    const { indexed, total, problem } = index.progress() ?? { indexed: 0, total: 1, problem: null }
    if (problem) throw new Error(problem)
    if (indexed === total) return
    await new Promise(resolve => setTimeout(resolve, 100))
  }
}

interface Asked {
  request: Parameters<typeof search> extends [unknown, ...infer Rest] ? Rest : never
  /** The same in the words of FTS5. */
  bare: string
}

function queriesOf(ids: readonly ConversationId[]): [string, (run: number) => Asked][] {
  const common = ['the', 'test', 'parser', 'error', 'function', 'return']
  const word = (run: number) => common[run % common.length] ?? ''
  const rare = (run: number) => `${word(run)}${(4000 + run).toString(36)}`
  return [
    ['a rare word', run => ({ request: [rare(run)], bare: `${rare(run)}*` })],
    ['a common word', run => ({ request: [`${word(run)} `], bare: word(run) })],
    ['one letter', run => ({ request: [word(run).slice(0, 1)], bare: `${word(run).slice(0, 1)}*` })],
    [
      'the beginning of a common word',
      run => ({ request: [word(run).slice(0, 3)], bare: `${word(run).slice(0, 3)}*` }),
    ],
    ['two common words and a beginning', run => ({ request: [`the ${word(run)} mer`], bare: `the ${word(run)} mer*` })],
    ['a phrase', run => ({ request: [`"the ${word(run + 1)}"`], bare: `"the ${word(run + 1)}"` })],
    [
      'a beginning in one conversation, counted',
      run => ({
        request: [
          'pars',
          { conversation: ids[(run * 37) % ids.length] ?? '', counts: true, sort: 'newest', limit: 100 },
        ],
        bare: 'pars*',
      }),
    ],
    [
      'a rare word in one repository',
      run => ({ request: [rare(run), { places: ['octo/project-7'] }], bare: rare(run) }),
    ],
    ['a common word, of one hour', run => ({ request: [`${word(run)} `, hourOf(run)], bare: word(run) })],
  ]
}

function hourOf(run: number): { from: number; before: number } {
  const from = Date.UTC(2026, 0, 1) / 1000 + (run + 1) * 100_000
  return { from, before: from + 3600 }
}

async function searchRows(
  index: TextIndex,
  bare: { search: (text: string) => unknown },
  what: string,
  ask: (run: number) => Asked,
): Promise<Row[]> {
  const runs = { atelier: 0, bare: 0 }
  const samples = await interleave(
    {
      atelier: async () => timed(() => search(index, ...ask(runs.atelier++).request)),
      bare: async () => timed(async () => bare.search(ask(runs.bare++).bare)),
    },
    { warmUps: 6, runs: RUNS },
  )
  const named = `Search of 1,000,000 events for ${what}, against a plain table of 100,000`
  const aim = { kind: 'value', atMost: 50 } as const
  return [compare(`${named}, p50`, samples), compare(`${named}, p95`, samples, { share: 0.95, aim })]
}

/** Appended one by one to the same log, with the index told of each and without. */
async function appendRow(store: Store, index: TextIndex): Promise<Row> {
  const conversation = aConversation()
  store.conversations.insert(conversation)
  const append = async () => {
    const began = performance.now()
    for (let count = 0; count < APPENDED; count++) store.eventLog.append(conversation.id, newEvent(count))
    return (APPENDED * 1000) / (performance.now() - began)
  }
  const withIndex = async () => {
    store.eventLog.onStored = id => index.note(id)
    const rate = await append()
    store.eventLog.onStored = () => {}
    return rate
  }
  const samples = await interleave({ atelier: withIndex, bare: append }, { warmUps: 1, runs: 7 })
  return compare('Event append with the index, against without', samples, { unit: 'events/s' })
}

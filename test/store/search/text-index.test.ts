import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { NewEvent } from '../../../server/api/event/events.ts'
import type { SearchKind } from '../../../server/api/search-kinds.ts'
import type { ConversationId } from '../../../server/domain/ids.ts'
import type { TextIndex } from '../../../server/store/search/text-index.ts'
import { aConversation, openStore } from '../../parts/service/store.ts'
import { openIndex, search } from '../../parts/service/text-index.ts'
import { newEvent } from '../../parts/value/agent-event.ts'

const WAIT = { timeout: 30_000, interval: 20 }
const opened: (() => unknown)[] = []
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close()
})

function newStore() {
  const store = openStore()
  opened.push(() => store.remove())
  const add = (fields: Parameters<typeof aConversation>[0] = {}): ConversationId => {
    const conversation = aConversation(fields)
    store.conversations.insert(conversation)
    return conversation.id
  }
  const say = (id: ConversationId, ...texts: string[]) => store.eventLog.appendAll(id, texts.map(message))
  return { ...store, add, say }
}

function index(store: ReturnType<typeof newStore>): TextIndex {
  const made = openIndex(store.folder)
  store.eventLog.onStored = id => made.note(id)
  opened.push(() => made.close())
  return made
}

function message(text: string): NewEvent {
  const llm_message = { role: 'user' as const, content: [{ type: 'text' as const, text }] }
  return { kind: 'MessageEvent', source: 'user', llm_message, activated_skills: [], extended_content: [] }
}

async function untilIndexed(made: TextIndex): Promise<void> {
  await search(made, 'anything')
  await vi.waitFor(() => {
    const { indexed, total, problem } = made.progress() ?? { indexed: 0, total: 1, problem: null }
    expect({ problem, indexed }).toEqual({ problem: null, indexed: total })
  }, WAIT)
}

const textsOf = async (
  made: TextIndex,
  ...request: Parameters<typeof search> extends [unknown, ...infer Rest] ? Rest : never
) => (await search(made, ...request)).hits.map(({ text }) => text)

test('what was there before is found, in the order of time, with a total in its conversation', async () => {
  const store = newStore()
  const id = store.add({ title: 'Tables', selected_repository: 'octo/tables' })
  store.say(id, ...Array.from({ length: 450 }, (_, number) => `entry ${number} of the list`))
  const made = index(store)
  await untilIndexed(made)
  const first = await search(made, 'entry', { conversation: id, sort: 'newest', limit: 100, counts: true })
  expect(first.total).toBe(450)
  const seqs: (number | undefined)[] = []
  for (let page: string | null = null; ; ) {
    const { hits, next } = await search(made, 'entry', { sort: 'newest', limit: 100, page })
    seqs.push(...hits.map(hit => hit.event?.seq))
    if (next === null) break
    page = next
  }
  expect(seqs).toEqual(Array.from({ length: 450 }, (_, place) => 449 - place))
})

test('what is appended is found within a second, and what is deleted is not found any more', async () => {
  const store = newStore()
  const made = index(store)
  await untilIndexed(made)
  const id = store.add()
  store.say(id, 'a zebra crossing')
  await vi.waitFor(async () => expect(await textsOf(made, 'zebra')).toEqual(['a zebra crossing']), WAIT)
  store.conversations.update(id, { title: 'Quagga' })
  made.note(id)
  await vi.waitFor(async () => expect(await textsOf(made, 'quagga')).toEqual(['Quagga']), WAIT)
  store.conversations.delete(id)
  expect(await textsOf(made, 'zebra')).toEqual([])
  made.note(id)
  await untilIndexed(made)
  expect((await search(made, 'quagga')).hits).toEqual([])
})

test('pages of ranked hits have every hit once', async () => {
  const store = newStore()
  const id = store.add()
  store.say(id, ...Array.from({ length: 230 }, (_, number) => `needle ${number} ${'hay '.repeat(number % 7)}`))
  const made = index(store)
  await untilIndexed(made)
  const seqs: (number | undefined)[] = []
  for (let page: string | null = null; ; ) {
    const { hits, next } = await search(made, 'needle', { limit: 30, page })
    seqs.push(...hits.map(hit => hit.event?.seq))
    if (next === null) break
    page = next
  }
  expect(new Set(seqs).size).toBe(230)
  expect(seqs).toHaveLength(230)
})

describe('filters', () => {
  test('restrict to a kind, a conversation, a repository, a folder and a time', async () => {
    const store = newStore()
    const one = store.add({ title: 'Parser of tables', selected_repository: 'octo/tables' })
    const other = store.add({ title: 'Other', selected_repository: 'octo/other' })
    const inFolder = store.add({ title: 'Of a folder', source_folder: '/home/me/tables' })
    store.say(inFolder, 'a parser of mine')
    store.say(one, 'the parser is slow')
    store.eventLog.appendAll(other, [newEvent(0), newEvent(1)])
    const made = index(store)
    await untilIndexed(made)
    const kindsOf = async (...request: Parameters<typeof textsOf> extends [unknown, ...infer Rest] ? Rest : never) =>
      (await search(made, ...request)).hits.map(({ kind }) => kind).sort()
    const kinds: SearchKind[] = ['message', 'message', 'output', 'title']
    expect(await kindsOf('parser')).toEqual(kinds)
    expect(await kindsOf('parser', { kinds: ['output', 'command'] })).toEqual(['output'])
    expect(await kindsOf('parser', { kinds: ['title'] })).toEqual(['title'])
    expect(await kindsOf('parser', { conversation: one })).toEqual(['message', 'title'])
    expect(await kindsOf('parser', { places: ['octo/other'] })).toEqual(['output'])
    expect(await kindsOf('parser', { places: ['octo/none'] })).toEqual([])
    expect(await kindsOf('parser', { places: ['/home/me/tables'] })).toEqual(['message'])
    expect(await kindsOf('folder', { places: ['/home/me/tables'] })).toEqual(['title'])
    expect(await kindsOf('folder', { places: ['octo/other'] })).toEqual([])
    expect(await kindsOf('parser', { places: ['/home/me'] })).toEqual([])
    // A conversation works on one place at most.
    expect(await kindsOf('parser', { places: ['octo/other', '/home/me/tables'] })).toEqual([])
    const now = Math.floor(Date.now() / 1000)
    expect(await kindsOf('parser', { from: now - 60 })).toEqual(kinds)
    expect(await kindsOf('parser', { before: now - 60 })).toEqual([])
    expect(await kindsOf('octo', { kinds: ['title'] })).toEqual(['title', 'title'])
  })
})

describe('the index is made again', () => {
  test('when it is damaged, while it is searched, and nothing of the log is touched', async () => {
    const store = newStore()
    const id = store.add()
    store.say(id, ...Array.from({ length: 300 }, (_, number) => `entry ${number}`))
    const first = index(store)
    await untilIndexed(first)
    await first.close()
    const file = join(store.folder, 'search.db')
    const bytes = readFileSync(file)
    for (let at = 8192; at < statSync(file).size; at += 512) bytes.fill(0x5a, at, at + 200)
    writeFileSync(file, bytes)
    const made = index(store)
    await vi.waitFor(
      async () => expect((await search(made, 'entry', { limit: 100, sort: 'newest' })).hits).toHaveLength(100),
      WAIT,
    )
    await untilIndexed(made)
    expect((await search(made, 'entry', { conversation: id, counts: true })).total).toBe(300)
    expect(store.eventLog.lastSeq(id)).toBe(299)
  })

  test.each([
    ['no database', 'not a database at all'],
    ['empty', ''],
  ])('when it is %s', async (_what, content) => {
    const store = newStore()
    store.say(store.add(), 'a zebra crossing')
    writeFileSync(join(store.folder, 'search.db'), content)
    const made = index(store)
    await untilIndexed(made)
    expect(await textsOf(made, 'zebra')).toEqual(['a zebra crossing'])
  })

  test('of a conversation whose log is another one than was indexed', async () => {
    const store = newStore()
    const id = store.add()
    store.say(id, 'a zebra', 'an okapi')
    const first = index(store)
    await untilIndexed(first)
    await first.close()
    store.database.run('DELETE FROM event WHERE conversation_id = ?', [id])
    store.eventLog.forget(id)
    store.say(id, 'a tapir', 'a quokka', 'a numbat')
    const made = index(store)
    await vi.waitFor(async () => expect(await textsOf(made, 'tapir')).toEqual(['a tapir']), WAIT)
    expect(await textsOf(made, 'zebra')).toEqual([])
  })
})

test('an event that cannot be read keeps none of the others from being found', async () => {
  const store = newStore()
  const id = store.add()
  store.say(id, 'a zebra', 'an okapi', 'a tapir')
  store.database.run("UPDATE event SET body = '{broken' WHERE seq = 1")
  const made = index(store)
  await untilIndexed(made)
  expect(await textsOf(made, 'zebra')).toEqual(['a zebra'])
  expect(await textsOf(made, 'tapir')).toEqual(['a tapir'])
  expect(await textsOf(made, 'okapi')).toEqual([])
})

test('a search that is given up before its turn is not carried out', async () => {
  const store = newStore()
  const made = index(store)
  const controller = new AbortController()
  const running = search(made, 'first')
  const filter = { kinds: [], conversation: null, places: [], from: null, before: null }
  const request = { text: 'second', filter, sort: 'newest' as const, page: null, limit: 1, counts: false }
  const second = made.search(request, controller.signal)
  controller.abort()
  await expect(second).rejects.toThrow('aborted')
  await running
})

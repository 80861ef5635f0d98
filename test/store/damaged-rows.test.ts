import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { activeBranch } from '../../server/api/event/branch.ts'
import { isResult } from '../../server/api/event/calls.ts'
import { event } from '../../server/api/event/events.ts'
import { IncrementalView, openCalls } from '../../server/event/model-messages.ts'
import { ConversationOptionsTable, NO_CONVERSATION_OPTIONS } from '../../server/store/conversation/options.ts'
import { PendingMessageTable } from '../../server/store/conversation/pending-messages.ts'
import { StartTaskTable } from '../../server/store/conversation/start-tasks.ts'
import { LlmProfileTable } from '../../server/store/llm-profiles.ts'
import { ProviderTokenTable } from '../../server/store/provider-tokens.ts'
import { SandboxSpecTable } from '../../server/store/sandbox/specs.ts'
import { SecretTable } from '../../server/store/secrets.ts'
import { SettingTable } from '../../server/store/settings.ts'
import { UsageTable } from '../../server/store/usage.ts'
import { anyLog, grow } from '../event/random-log.ts'
import { aConversation, openStore } from '../parts/service/store.ts'

let store: ReturnType<typeof openStore>
beforeEach(() => {
  store = openStore()
})
afterEach(() => store.remove())

const BROKEN = ['{"broken', 'null', '"text"', '[]', '{}', '17', '']

const ALL = { includeSubConversations: true }

describe('one damaged row hides no other', () => {
  it.each([
    ['setting', "INSERT INTO setting VALUES ('git_user_name', '\"A\"'), ('max_iterations', '7')", 'value', 'name'],
    ['secret', "INSERT INTO secret VALUES ('A', '', 'i1', ''), ('B', '', 'i2', '')", undefined, 'name'],
    [
      'llm_profile',
      "INSERT INTO llm_profile VALUES ('A', 'm', NULL, NULL, '{}'), ('B', 'm', NULL, NULL, '{}')",
      undefined,
      'name',
    ],
    [
      'provider_token',
      "INSERT INTO provider_token VALUES ('github', NULL, NULL, 'i1', NULL, NULL), ('no', NULL, NULL, 'i2', NULL, NULL)",
      undefined,
      'provider',
    ],
  ])('in the table %s', (table, insert, column, key) => {
    store.database.run(insert)
    for (const text of BROKEN) {
      const [first] = store.database.all(`SELECT ${key} AS key FROM ${table} ORDER BY ${key}`)
      if (column) store.database.run(`UPDATE ${table} SET ${column} = ? WHERE ${key} = ?`, [text, String(first?.key)])
      const read = {
        setting: () => new SettingTable(store.database).read(),
        secret: () => new SecretTable(store.database).all(),
        llm_profile: () => new LlmProfileTable(store.database).all(),
        provider_token: () => new ProviderTokenTable(store.database).all(),
      }[table as 'setting' | 'secret' | 'llm_profile' | 'provider_token']()
      if (table === 'setting') expect(read).toMatchObject({ max_iterations: 7 })
      else expect(Object.keys(read ?? {}).length).toBeGreaterThan(0)
    }
  })

  it.each(BROKEN)('in tables of JSON texts, when one is %j', text => {
    const { database } = store
    const ids = ['a'.repeat(32), 'b'.repeat(32)]
    const conversations = ids.map(id => aConversation({ id: id as ReturnType<typeof aConversation>['id'] }))
    for (const one of conversations) store.conversations.insert(one)
    const [broken, whole] = conversations.map(({ id }) => id)
    if (!broken || !whole) throw new Error('There are two.')
    for (const id of ids) {
      database.run("INSERT INTO start_task VALUES (?, ?, '', '', ?)", [id, id, text])
      database.run('INSERT INTO pending_message (conversation_id, id, body) VALUES (?, ?, ?)', [id, id, text])
      database.run("INSERT INTO sandbox_spec VALUES (?, '', ?)", [id, text])
      database.run('INSERT INTO gateway_conversation VALUES (?, ?)', [id, text])
    }
    const gateway = new ConversationOptionsTable(database)
    gateway.save(whole, NO_CONVERSATION_OPTIONS)
    expect([gateway.get(broken), gateway.get(whole)]).toEqual([undefined, NO_CONVERSATION_OPTIONS])
    const tasks = new StartTaskTable(database)
    expect(tasks.unfinished()).toEqual([])
    expect(tasks.list({}, 'created_at ASC', 0, 10)).toEqual([])
    expect(new PendingMessageTable(database).of(broken)).toEqual([])
    expect(new SandboxSpecTable(database).all()).toEqual([])
    expect(database.damaged.all().map(({ table }) => table)).toEqual(
      expect.arrayContaining(['gateway_conversation', 'start_task', 'pending_message', 'sandbox_spec']),
    )
  })

  it('in any text of any column of a conversation: the rest of it and the others are shown, and it asks before it acts', () => {
    const columns = store.database
      .all("SELECT name FROM pragma_table_info('conversation') WHERE type = 'TEXT' AND name <> 'id'")
      .map(({ name }) => String(name))
    expect(columns).toEqual(expect.arrayContaining(['stats', 'execution_status', 'confirmation_policy', 'updated_at']))
    for (const column of columns) {
      for (const text of BROKEN) {
        const [broken, whole] = [aConversation({ title: 'Kept' }), aConversation()]
        store.conversations.insert(broken)
        store.conversations.insert(whole)
        store.database.run(`UPDATE conversation SET ${column} = ? WHERE id = ?`, [text, broken.id])
        const listed = store.conversations.list(ALL, 'created_at', 0, 10)
        expect(listed).toHaveLength(2)
        expect(listed.find(({ id }) => id === whole.id)).toEqual(whole)
        const shown = store.conversations.get(broken.id)
        expect(shown).toMatchObject(column === 'title' ? {} : { title: 'Kept' })
        const { [column]: _, ...rest } = broken as Record<string, unknown>
        expect(shown).toMatchObject(rest)
        if (column === 'confirmation_policy') expect(shown?.confirmation_policy).toEqual({ kind: 'AlwaysConfirm' })
        store.conversations.delete(broken.id)
        store.conversations.delete(whole.id)
      }
    }
  })

  it('in the usage of a day', () => {
    store.database.run("INSERT INTO usage_day VALUES ('2026-01-01', 'm', 'default', -1, 1, 1, 1, 1, 1, 1.5, 0)")
    store.database.run("INSERT INTO usage_day VALUES ('2026-01-02', 'm', 'default', 1, 1, 1, 1, 1, 1, 1.5, 0)")
    expect(new UsageTable(store.database).since('2026-01-01').map(({ day }) => day)).toContain('2026-01-02')
  })
})

describe('a log with a damaged event', () => {
  it('stays dense and valid for every reader, and no call without a result appears that had one', () => {
    fc.assert(
      fc.property(anyLog(), fc.nat(), fc.constantFrom(...BROKEN), (steps, at, text) => {
        const log = grow(steps).events
        const conversation = aConversation()
        store.conversations.insert(conversation)
        const { id } = conversation
        store.eventLog.copyAll(id, log, () => {})
        if (log.length === 0) return
        const seq = at % log.length
        const openBefore = new Set(openCalls(activeBranch(store.eventLog.read(id, 0, 100_000))).map(call => call.id))
        const cut = text === '' ? `${JSON.stringify(store.eventLog.read(id, 0, 100_000)[seq]).slice(0, -1)},` : text
        store.database.run('UPDATE event SET body = ? WHERE conversation_id = ? AND seq = ?', [cut, id, seq])

        const read = store.eventLog.read(id, 0, 100_000)
        expect(read.map(one => one.seq)).toEqual(read.map((_, index) => index))
        for (const one of read) event.parse(one)
        const { items } = store.eventLog.search(
          id,
          { source: 'agent', text: 'a' },
          { order: 'DESC', pageId: null, limit: 100 },
        )
        expect(Array.isArray(items)).toBe(true)
        const sent: unknown[] = []
        store.eventLog.subscribe(id, 0, ({ body }) => sent.push(JSON.parse(body)))()
        expect(sent).toHaveLength(read.length)
        new IncrementalView(activeBranch(read)).messages()
        const damaged = log[seq]
        if (text === '' && damaged && isResult(damaged)) {
          for (const call of openCalls(activeBranch(read))) expect(openBefore).toContain(call.id)
        }
        store.conversations.delete(id)
        store.eventLog.forget(id)
      }),
      { numRuns: 60 },
    )
  })
})

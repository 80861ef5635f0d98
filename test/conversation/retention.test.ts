import pino from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { RetentionRules } from '../../server/api/v1/system/retention.ts'
import { Bus } from '../../server/bus.ts'
import { setArchived } from '../../server/conversation/archive.ts'
import { patchOf } from '../../server/conversation/files/changes.ts'
import { Retention } from '../../server/conversation/retention.ts'
import type { Settings } from '../../server/settings/service.ts'
import type { Conversation } from '../../server/store/conversation/conversations.ts'
import { ConversationDeletions } from '../../server/store/conversation/deletions.ts'
import { OldConversations } from '../../server/store/conversation/old.ts'
import { aConversation, openStore } from '../parts/service/store.ts'

const NOW = Date.parse('2026-11-20T10:00:00.000Z')
const DAY_MS = 24 * 3_600_000

let store: ReturnType<typeof openStore>
beforeEach(() => {
  store = openStore()
})
afterEach(() => store.remove())

const daysAgo = (days: number) => new Date(NOW - days * DAY_MS).toISOString()

function add(title: string, days: number, fields: Partial<Conversation> = {}): Conversation {
  const conversation = aConversation({ title, updated_at: daysAgo(days), ...fields })
  store.conversations.insert(conversation)
  return conversation
}

function retention(
  rules: Partial<RetentionRules> = {},
  {
    restoredAt = null,
    onDelete = () => {},
    inUse = [],
  }: { restoredAt?: string | null; onDelete?: () => void; inUse?: string[] } = {},
) {
  const { conversations, database } = store
  const bus = new Bus()
  const saved = { archive_after_days: null, delete_after_days: null, ...rules }
  const made = new Retention({
    old: new OldConversations(database),
    conversations,
    deletion: {
      delete: async ({ id }, keepSandbox) => {
        expect(keepSandbox).toBe(false)
        conversations.delete(id)
        onDelete()
      },
    },
    isInUse: id => inUse.includes(id),
    settings: { read: () => saved as Settings },
    bus,
    log: pino({ level: 'silent' }),
    now: () => new Date(NOW),
    restoredAt: () => restoredAt,
  })
  return Object.assign(made, { saved, bus })
}

function titles(isArchived?: boolean): (string | null)[] {
  return store.conversations
    .list({ includeSubConversations: true, isArchived }, 'updated_at', 0, 100)
    .map(({ title }) => title)
}

describe('without rules', () => {
  it('nothing is ever too old', async () => {
    add('ancient', 10_000)
    await retention().look()
    expect(titles(false)).toEqual(['ancient'])
  })
})

describe('a conversation', () => {
  it('is archived and deleted after its days without use, and not a day before', async () => {
    for (const days of [1, 29, 31, 89, 91]) add(String(days), days)
    const rules = { archive_after_days: 30, delete_after_days: 90 }
    expect(retention().preview(rules)).toEqual({ archived: 2, deleted: 1 })
    await retention(rules).look()
    expect(titles(false)).toEqual(['1', '29'])
    expect(titles(true)).toEqual(['31', '89'])
    expect(retention().preview(rules)).toEqual({ archived: 0, deleted: 0 })
  })

  it('stays that is pinned, at work, waits for an answer, is being deleted, or was just brought back', async () => {
    add('pinned', 100, { pinned_at: daysAgo(200) })
    add('works', 100, { execution_status: 'running' })
    add('waits', 100, { execution_status: 'waiting_for_confirmation' })
    add('back', 100, { listed_at: daysAgo(1) })
    const going = add('going', 100)
    new ConversationDeletions(store.database).begin({ id: going.id, keepSandbox: false })
    await retention({ archive_after_days: 1, delete_after_days: 50 }).look()
    expect(titles(false).sort()).toEqual(['back', 'pinned', 'waits', 'works'])
    expect(store.conversations.get(going.id)).toBeDefined()
  })

  it('is as old as what works for it, however deep, and goes with it', async () => {
    const quiet = add('quiet', 100)
    add('its helper', 99, { parent_conversation_id: quiet.id })
    const busy = add('busy', 100)
    const helper = add('helper', 100, { parent_conversation_id: busy.id })
    add('helper of the helper', 1, { parent_conversation_id: helper.id })
    await retention({ archive_after_days: 50 }).look()
    expect(titles(true)).toEqual(['its helper', 'quiet'])
  })

  it('stays with what works for it, where that is pinned', async () => {
    const plan = add('plan', 100)
    add('its builder', 100, { parent_conversation_id: plan.id, pinned_at: daysAgo(100) })
    await retention({ archive_after_days: 1, delete_after_days: 50 }).look()
    expect(titles(false).sort()).toEqual(['its builder', 'plan'])
  })

  it('is not deleted while its sandbox is used', async () => {
    add('with a terminal', 100, { sandbox_id: 'busy' })
    await retention({ delete_after_days: 50 }, { inUse: ['busy'] }).look()
    expect(titles()).toEqual(['with a terminal'])
    await retention({ delete_after_days: 50 }).look()
    expect(titles()).toEqual([])
  })

  it('is not old at once when it is not pinned any more', () => {
    const conversation = add('pinned', 100, { pinned_at: daysAgo(200) })
    store.conversations.update(conversation.id, patchOf(conversation, { pinned: false }))
    expect(retention().preview({ archive_after_days: 30, delete_after_days: null })).toEqual({
      archived: 0,
      deleted: 0,
    })
  })

  it('whose parent is not here counts for itself', async () => {
    add('orphan', 100, { parent_conversation_id: '0'.repeat(32) })
    await retention({ archive_after_days: 50 }).look()
    expect(titles(true)).toEqual(['orphan'])
  })

  it('comes out of the archive with what works for it, and its days begin anew', async () => {
    const top = add('top', 100)
    const helper = add('helper', 100, { parent_conversation_id: top.id })
    setArchived(store.conversations, top.id, true)
    expect(titles(false)).toEqual([])
    // What is said to a helper brings back the one that it works for, too.
    setArchived(store.conversations, helper.id, false)
    expect(titles(true)).toEqual([])
    expect(store.conversations.get(helper.id)?.listed_at).not.toBeNull()
  })
})

describe('what was restored from a backup', () => {
  it('is not taken away again before its days are over', async () => {
    add('restored', 100)
    await retention({ delete_after_days: 50 }, { restoredAt: daysAgo(2) }).look()
    expect(titles()).toEqual(['restored'])
    await retention({ delete_after_days: 50 }, { restoredAt: daysAgo(51) }).look()
    expect(titles()).toEqual([])
  })
})

describe('rules that change', () => {
  it('are carried out at once, and a deletion that goes on heeds them', async () => {
    const one = retention({}, { onDelete: () => Object.assign(one.saved, { delete_after_days: null }) })
    const stop = one.start()
    for (const title of ['oldest', 'old']) add(title, title === 'old' ? 100 : 101)
    one.bus.publish({ resource: 'settings' })
    Object.assign(one.saved, { delete_after_days: 50 })
    one.bus.publish({ resource: 'settings' })
    await expect.poll(() => titles()).toEqual(['old'])
    await stop()
    expect(titles()).toEqual(['old'])
  })

  it('end with the service', async () => {
    const one = retention({ delete_after_days: 50 }, { onDelete: () => void stop() })
    add('oldest', 101)
    add('old', 100)
    const stop = one.start()
    await stop()
    expect(titles().length).toBeGreaterThan(0)
  })
})

import { afterEach, beforeEach, expect, it } from 'vitest'
import { Bus } from '../../server/bus.ts'
import { ReportedConversations } from '../../server/conversation/reported/conversations.ts'
import { BOUNDS } from '../../server/domain/bounds.ts'
import { type ConversationId, newConversationId } from '../../server/domain/ids.ts'
import { ReportedConversationTable } from '../../server/store/conversation/reported.ts'
import { openStore } from '../parts/service/store.ts'

let store: ReturnType<typeof openStore>
beforeEach(() => {
  store = openStore()
})
afterEach(() => store.remove())

const message = (id: string) => ({
  kind: 'MessageEvent',
  id,
  timestamp: '2026-01-01T10:00:00',
  source: 'agent',
  llm_message: { role: 'assistant', content: [{ type: 'text', text: 'x'.repeat(1000) }] },
})

const never = new AbortController().signal

/** @param held by the conversations of the map, as if their events were that large together */
function reportedWith(held: Map<ConversationId, number>) {
  class Counted extends ReportedConversationTable {
    override bytesOf(id: ConversationId): number {
      return held.get(id) ?? super.bytesOf(id)
    }
  }
  const table = new Counted(store.database)
  const { eventLog, conversations } = store
  const mask = { mask: (text: string) => text }
  return {
    table,
    reported: new ReportedConversations({ eventLog, conversations, table, mask, bus: new Bus() }),
  }
}

it('what one sandbox reports in many conversations has a bound in all, and others are not held back by it', async () => {
  const full = Array.from({ length: 8 }, () => newConversationId() as ConversationId)
  const { reported } = reportedWith(new Map(full.map(id => [id, BOUNDS.reportedSandboxBytes.limit / 8])))
  for (const id of full) reported.report('one', { id })
  const refused = reported.record('one', newConversationId(), [message('a')], never)
  await expect(refused).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('512 MB') })
  await reported.record('two', newConversationId(), [message('a')], never)
  store.conversations.delete(full[0] as ConversationId)
  await reported.record('one', newConversationId(), [message('a')], never)
})

it('pieces of answers, which are never kept, leave nothing behind, and what else is not kept is counted', async () => {
  const { reported, table } = reportedWith(new Map())
  const id = newConversationId() as ConversationId
  const delta = (at: number) => ({ kind: 'StreamingDeltaEvent', id: `delta-${at}` })
  await reported.record(
    'one',
    id,
    Array.from({ length: 1000 }, (_, at) => delta(at)),
    never,
  )
  expect(table.countEvents(id)).toBe(0)
  const state = (at: number) => ({
    kind: 'ConversationStateUpdateEvent',
    key: 'full_state',
    value: {},
    id: `state-${at}`,
  })
  const send = async () => {
    for (let at = 0; at <= BOUNDS.reportedEvents.limit; at += 1000)
      await reported.record(
        'one',
        id,
        Array.from({ length: 1000 }, (_, one) => state(at + one)),
        never,
      )
  }
  await expect(send()).rejects.toMatchObject({ code: 'conflict' })
  expect(table.countEvents(id)).toBe(BOUNDS.reportedEvents.limit)
})

import { expect, it } from 'vitest'
import { aConversation } from '../parts/service/store.ts'
import { newEvent } from '../parts/value/agent-event.ts'
import { aComputer, type Computer, exported, imported } from './computer.ts'

/** So many are written and read; a million by hand, for the whole of it. */
const EVENTS = Number(process.env.ATELIER_TEST_EVENTS ?? 60_000)
/** Of each event, so that the whole log is far more than what two threads need for themselves. */
const PADDING = 'a line of some output\\n'.repeat(200)

/** A log of one conversation, made by SQLite: an append of each would take minutes. */
function longConversation({ conversations, database }: Computer) {
  const conversation = aConversation()
  conversations.insert(conversation)
  const event = { ...newEvent(0), id: 'ID', seq: 'SEQ', timestamp: '2026-01-01T00:00:00.000Z' }
  const body = JSON.stringify(event).replace('The failing test', `${PADDING}The failing test`)
  database.run(
    `WITH RECURSIVE n (seq) AS (SELECT 0 UNION ALL SELECT seq + 1 FROM n WHERE seq + 1 < ?)
     INSERT INTO event (conversation_id, seq, id, kind, timestamp, body)
     SELECT ?, seq, 'e' || seq, 'ActionEvent', '2026-01-01T00:00:00.000Z',
       replace(replace(?, '"SEQ"', seq), '"ID"', '"e' || seq || '"') FROM n`,
    [EVENTS, conversation.id, body],
  )
  return { ...conversation, bytes: body.length * EVENTS }
}

it('a log of any length is written and read in bounded memory', async () => {
  const [first, second] = [aComputer(), aComputer()]
  const { id, bytes: logBytes } = longConversation(first)
  await first.secrets.secrets.create({ name: 'ONE', value: 'a-secret-of-some-length' })
  const before = process.memoryUsage().rss
  let most = before
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss)
  }, 50)
  const { bytes } = await exported(first)
  const { state, result } = await imported(second, bytes)
  clearInterval(timer)
  expect({ state, events: result?.added.events }).toEqual({ state: 'imported', events: EVENTS })
  expect(second.eventLog.lastSeq(id)).toBe(EVENTS - 1)
  expect(most - before - bytes.length).toBeLessThan(logBytes)
  await first.remove()
  await second.remove()
}, 900_000)

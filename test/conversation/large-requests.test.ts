import { describe, expect, it } from 'vitest'
import { parseTrajectory } from '../../server/agent/trajectory.ts'
import { gatewayMessage } from '../../server/api/agent-server/start-request.ts'
import { MAX_MESSAGE_CHARACTERS } from '../../server/api/contract/limits.ts'
import { sendMessageRequest } from '../../server/api/event/events.ts'
import { clientAction } from '../../server/api/legacy/events.ts'
import { replayRequest } from '../../server/api/v1/conversation/replays.ts'
import { newAppConversation } from '../../server/api/v1/conversation/starts.ts'

/** Milliseconds of processor time, the least of five after one that warms up: a busy machine makes rounds longer, never shorter. */
async function leastCost(work: () => unknown): Promise<number> {
  await work()
  const costs = []
  for (let round = 0; round < 5; round++) {
    const began = process.cpuUsage()
    await work()
    const { user, system } = process.cpuUsage(began)
    costs.push((user + system) / 1000)
  }
  return Math.min(...costs)
}

const TOO_LONG = 'x'.repeat(MAX_MESSAGE_CHARACTERS + 1)
const content = (text: string) => [{ type: 'text' as const, text }]

describe('a large request that cannot be carried out is refused before it costs much', () => {
  it.each([
    ['numbers', () => 7],
    ['objects that are no events', () => ({ action: 5 })],
    ['events of neither generation', (index: number) => (index === 49_999 ? 'none' : { action: 'message', args: {} })],
  ])('50,000 %s to replay', async (_, item) => {
    const listOf = (each: (index: number) => unknown) =>
      JSON.stringify(Array.from({ length: 50_000 }, (_item, index) => each(index)))
    const message = { action: 'message', source: 'user', args: { content: 'Go on' } }
    const accepted = listOf(() => message)
    const refused = listOf(item)
    const reading = await leastCost(() => parseTrajectory(accepted))
    const refusing = await leastCost(() => expect(parseTrajectory(refused)).rejects.toThrow('cannot be replayed'))
    expect(refusing / reading).toBeLessThan(3)
  })

  it.each([
    [1_000_000, { code: 'too_big', path: ['events'] }],
    [100_000, { code: 'invalid_type', expected: 'record', path: ['events', 3] }],
  ])('%d values that are no events to replay: one thing is named', async (count, issue) => {
    const events = Array.from({ length: count }, (_, index) => (index < 3 ? {} : 1))
    let issues: unknown[] = []
    const cost = await leastCost(() => {
      issues = replayRequest.safeParse({ events }).error?.issues ?? []
    })
    expect(issues).toMatchObject([issue])
    expect(cost).toBeLessThan(100)
  })

  it.each([
    ['a message', sendMessageRequest, (text: string) => ({ content: content(text) }), 'content.0.text'],
    ['a start', newAppConversation, (text: string) => ({ initial_message: { content: content(text) } }), undefined],
    ['a message on the gateway', gatewayMessage, (text: string) => ({ content: content(text) }), undefined],
    [
      'a legacy message',
      clientAction,
      (text: string) => ({ action: 'message', args: { content: text } }),
      'args.content',
    ],
  ])('%s with a text of more than a million characters', (_, schema, bodyOf, field) => {
    expect(schema.safeParse(bodyOf(TOO_LONG.slice(1))).success).toBe(true)
    const refused = schema.safeParse(bodyOf(TOO_LONG))
    expect(refused.success).toBe(false)
    if (field) expect(refused.error?.issues[0]?.path.join('.')).toBe(field)
  })
})

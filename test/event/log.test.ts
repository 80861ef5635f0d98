import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { NewEvent } from '../../server/api/event/events.ts'
import { BOUNDS } from '../../server/domain/bounds.ts'
import type { Publication } from '../../server/event/log.ts'
import { aConversation, openStore } from '../parts/service/store.ts'
import { newEvent } from '../parts/value/agent-event.ts'

let store: ReturnType<typeof openStore>
let id: ReturnType<typeof aConversation>['id']

beforeEach(() => {
  store = openStore()
  const conversation = aConversation()
  store.conversations.insert(conversation)
  id = conversation.id
})

afterEach(() => store.remove())

const update = (value: unknown): NewEvent => ({
  kind: 'ConversationStateUpdateEvent',
  source: 'environment',
  key: 'test',
  value,
})

describe('the log', () => {
  it('numbers events densely from 0, across batches and reopening', () => {
    store.eventLog.append(id, update('a'))
    store.eventLog.appendAll(id, [update('b'), update('c')])
    store.close()
    store = openStore(store.folder)
    expect(store.eventLog.lastSeq(id)).toBe(2)
    store.eventLog.append(id, update('d'))
    expect(store.eventLog.read(id, 0, 1000).map(event => event.seq)).toEqual([0, 1, 2, 3])
  })

  it('has committed an event before anyone sees it', () => {
    const seen: number[] = []
    store.eventLog.subscribe(id, 0, () => seen.push(store.eventLog.read(id, 0, 1000).length))
    store.eventLog.append(id, update('a'))
    expect(seen).toEqual([1])
  })

  it('stores nothing of a batch whose companion fails, and publishes nothing', () => {
    const seen: Publication[] = []
    store.eventLog.subscribe(id, 0, publication => seen.push(publication))
    const failing = () => {
      throw new Error('companion')
    }
    expect(() => store.eventLog.appendAll(id, [update('a'), update('b')], failing)).toThrow('companion')
    expect(store.eventLog.read(id, 0, 1000)).toEqual([])
    expect(seen).toEqual([])
    expect(store.eventLog.append(id, update('c')).seq).toBe(0)
  })

  it('gives what is stored with a batch its time, also when the batch is empty', () => {
    store.eventLog.appendAll(id, [], at => store.conversations.update(id, { updated_at: at }))
    expect(store.conversations.get(id)?.updated_at).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/)
  })

  it('sends the pieces of an answer to those who listen, and who joins in the middle all of it so far', () => {
    const piece = (part: { content?: string; reasoning_content?: string }) => {
      const stamp = { id: 'x', timestamp: new Date().toISOString(), source: 'agent' } as const
      store.eventLog.publishTransient(id, { kind: 'StreamingDeltaEvent', ...stamp, ...part })
    }
    const joined = () => {
      const seen: { kind: string; content?: string; reasoning_content?: string }[] = []
      const leave = store.eventLog.subscribe(id, 0, ({ body }) => seen.push(JSON.parse(body)))
      return {
        leave,
        seen: () => seen.map(({ kind, content, reasoning_content }) => [kind, content, reasoning_content]),
      }
    }
    piece({ reasoning_content: 'Hm.' })
    piece({ content: 'he' })
    const { leave, seen } = joined()
    piece({ content: 'llo' })
    expect(seen()).toEqual([
      ['AnswerSoFarEvent', 'he', 'Hm.'],
      ['StreamingDeltaEvent', 'llo', undefined],
    ])
    leave()
    expect(joined().seen()).toEqual([['AnswerSoFarEvent', 'hello', 'Hm.']])
    const nothing = { kind: 'AnswerSoFarEvent', id: 'x', timestamp: '', source: 'agent' } as const
    store.eventLog.publishTransient(id, { ...nothing, content: '', reasoning_content: '' })
    expect(joined().seen()).toEqual([])
    piece({ content: 'again' })
    expect(joined().seen()).toEqual([['AnswerSoFarEvent', 'again', '']])
    store.eventLog.append(id, { kind: 'InterruptEvent', source: 'user' } as NewEvent)
    expect(joined().seen()).toEqual([['InterruptEvent', undefined, undefined]])
    piece({ content: 'x'.repeat(1_000_001) })
    expect(joined().seen()).toHaveLength(1)
  })

  it('sends who joins the newest output of each command that still runs, after what is stored', () => {
    const output = (tool_call_id: string, tail: string) => {
      const stamp = { id: tail, timestamp: new Date().toISOString(), source: 'environment' } as const
      store.eventLog.publishTransient(id, { kind: 'OutputDeltaEvent', ...stamp, tool_call_id, tail })
    }
    const joined = () => {
      const seen: { tail?: string; seq?: number }[] = []
      store.eventLog.subscribe(id, 0, ({ body }) => seen.push(JSON.parse(body)))()
      return seen.map(({ tail, seq }) => tail ?? seq)
    }
    store.eventLog.append(id, update('a'))
    for (const tail of ['begun', 'begun and going on']) output('call-1', tail)
    output('call-2', 'another')
    expect(joined()).toEqual([0, 'begun and going on', 'another'])
    const answered = { tool_name: 'terminal', tool_call_id: 'call-1', error: 'It failed.' }
    store.eventLog.append(id, { kind: 'AgentErrorEvent', source: 'agent', ...answered })
    expect(joined()).toEqual([0, 1, 'another'])
    const paused = { key: 'execution_status', value: 'paused' }
    store.eventLog.append(id, { kind: 'ConversationStateUpdateEvent', source: 'environment', ...paused })
    expect(joined()).toEqual([0, 1, 2])
  })

  it('pages in both directions without a gap or a repeat', () => {
    for (let index = 0; index < 25; index++) store.eventLog.append(id, update(index))
    for (const order of ['ASC', 'DESC'] as const) {
      const seqs: number[] = []
      let pageId: string | null = null
      do {
        const page = store.eventLog.search(id, {}, { order, pageId, limit: 10 })
        seqs.push(...page.items.map(event => event.seq))
        pageId = page.next?.pageId ?? null
      } while (pageId !== null)
      expect(seqs).toEqual(order === 'ASC' ? [...Array(25).keys()] : [...Array(25).keys()].reverse())
    }
  })

  it('large events make small pages, each with one at least, and none is left out', () => {
    const large = 'x'.repeat(BOUNDS.page.limit / 2)
    for (const size of [10, 10, 1, 1, 4, 1, 1])
      store.eventLog.append(id, update(large.slice(0, (large.length / 4) * size)))
    store.eventLog.append(id, update(large.repeat(4)))
    for (const order of ['ASC', 'DESC'] as const) {
      const seqs: number[] = []
      let pageId: string | null = null
      do {
        const page = store.eventLog.search(id, {}, { order, pageId, limit: 100 })
        const bytes = page.items.reduce((sum, event) => sum + JSON.stringify(event).length, 0)
        expect(page.items.length === 1 || bytes <= BOUNDS.page.limit).toBe(true)
        expect(page.items.length).toBeGreaterThan(0)
        seqs.push(...page.items.map(event => event.seq))
        expect(page.next && store.eventLog.batch([page.next.id])[0]?.seq).toBe(
          page.next && seqs.length > 0 ? Number(page.next.pageId) : null,
        )
        pageId = page.next?.pageId ?? null
      } while (pageId !== null)
      expect(seqs).toEqual(order === 'ASC' ? [...Array(8).keys()] : [...Array(8).keys()].reverse())
    }
  })

  it('the same large event, asked for a thousand times at once, is refused', () => {
    const event = store.eventLog.append(id, update('x'.repeat(1_000_000)))
    const ids = Array.from({ length: 1000 }, () => event.id)
    expect(() => store.eventLog.batch(ids)).toThrow('fewer ids')
    expect(() => store.eventLog.byIds(id, ids)).toThrow('fewer ids')
    expect(store.eventLog.batch([event.id, 'unknown', event.id])).toEqual([event, null, event])
  })

  it('filters by kind and counts the same', () => {
    store.eventLog.append(id, update('a'))
    store.eventLog.append(id, { kind: 'PauseEvent', source: 'user' })
    expect(
      store.eventLog.search(id, { kind: 'PauseEvent' }, { order: 'ASC', pageId: null, limit: 10 }).items,
    ).toHaveLength(1)
    expect(store.eventLog.count(id, { kind: 'PauseEvent' })).toBe(1)
    expect(store.eventLog.count(id, {})).toBe(2)
  })

  it('keeps a followed branch up to date until it is closed', async () => {
    store.eventLog.append(id, newEvent(0))
    const followed = await store.eventLog.follow(id)
    store.eventLog.append(id, newEvent(1))
    followed.close()
    store.eventLog.append(id, newEvent(2))
    expect(followed.events.map(event => event.seq)).toEqual([0, 1])
  })

  it('gives a client that comes, goes and resumes every event once', () => {
    const step = fc.oneof(fc.constant('append' as const), fc.constant('disconnect' as const))
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), steps => {
        const conversation = aConversation()
        store.conversations.insert(conversation)
        const received: number[] = []
        const connect = () =>
          store.eventLog.subscribe(conversation.id, received.length, ({ seq }) => {
            if (seq !== undefined) received.push(seq)
          })
        let disconnect: (() => void) | undefined = connect()
        for (const next of steps) {
          if (next === 'append') store.eventLog.append(conversation.id, update('x'))
          else if (disconnect) {
            disconnect()
            disconnect = undefined
          } else disconnect = connect()
        }
        disconnect ??= connect()
        disconnect()
        const stored = steps.filter(next => next === 'append').length
        expect(received).toEqual([...Array(stored).keys()])
      }),
      { numRuns: 50 },
    )
  })
})

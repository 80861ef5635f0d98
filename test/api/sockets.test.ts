import { describe, expect } from 'vitest'
import { WebSocket } from 'ws'
import { sendMessage } from '../../server/api/v1/conversation/conversations.ts'
import {
  countConversationEvents,
  searchConversationEvents,
  searchEvents,
} from '../../server/api/v1/conversation/event-routes.ts'
import { pauseSandbox } from '../../server/api/v1/sandbox/sandboxes.ts'
import { changeFrame } from '../../server/api/v1/system/system.ts'
import { it as base } from '../fixtures/service.ts'
import { openChanges, said, startConversation } from '../parts/client/conversation.ts'
import { isFullState, watch } from '../parts/client/watch.ts'

const it = base
  .extend('started', { scope: 'file' }, async ({ model, service }) => {
    model.setScript([{ text: 'Here I am.' }])
    return startConversation(service, { initial_message: said('Hello') })
  })
  .extend('id', { scope: 'file' }, ({ started }) => started.app_conversation_id ?? '')
  .extend('sandboxId', { scope: 'file' }, ({ started }) => started.sandbox_id ?? '')
  .extend('address', { scope: 'file' }, ({ service }) => (path: string) => {
    return service.url.replace('http', 'ws') + path
  })
  /** What a raw socket is closed with; `opening` frames are sent as soon as it is open. */
  .extend(
    'closeOf',
    { scope: 'file' },
    ({ address }) =>
      (path: string, headers: Record<string, string> = {}, opening: string[] = []): Promise<number> => {
        const socket = new WebSocket(address(path), { headers })
        socket.on('open', () => {
          for (const frame of opening) socket.send(frame)
        })
        return new Promise(resolve => {
          socket.on('close', resolve)
          socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0))
          socket.on('error', () => {})
        })
      },
  )
  .extend('firstFrame', { scope: 'file' }, ({ address }) => (path: string, headers: Record<string, string> = {}) => {
    const socket = new WebSocket(address(path), { headers })
    return new Promise<unknown>((resolve, reject) => {
      socket.on('error', reject)
      socket.on('close', code => reject(new Error(`closed with ${code}`)))
      socket.on('message', data => {
        resolve(JSON.parse(String(data)))
        socket.terminate()
      })
    })
  })

it.beforeAll(async ({ service, id }) => {
  const seen = await watch(service, id)
  await seen.untilStatus('finished')
  await seen.close()
})

describe('two keys of one socket', () => {
  it('let it in when one of them is valid, wherever it stands', async ({ id, service, firstFrame, closeOf }) => {
    const path = `/sockets/events/${id}`
    const valid = encodeURIComponent(service.key)
    for (const [query, headers] of [
      [`?session_api_key=${valid}`, { 'X-Session-API-Key': 'of-another-server' }],
      ['?session_api_key=of-another-server', { Authorization: `Bearer ${service.key}` }],
      ['', { 'X-Session-API-Key': 'of-another-server', Authorization: `Bearer ${service.key}` }],
    ] as const) {
      expect(await firstFrame(path + query, headers)).toMatchObject({ kind: 'ConversationStateUpdateEvent' })
    }
    expect(await closeOf(`${path}?session_api_key=wrong`, { 'X-Session-API-Key': 'wrong, too' })).toBe(4001)
  })
})

describe('the key of a socket', () => {
  it('may come in the header or in the query, as existing clients send it', async ({ id, firstFrame, service }) => {
    const path = `/sockets/events/${id}`
    expect(await firstFrame(path, { 'X-Session-API-Key': service.key })).toMatchObject({ key: 'full_state' })
    expect(await firstFrame(`${path}?session_api_key=${service.key}`)).toMatchObject({ key: 'full_state' })
  })

  it('is refused with 4001 when it is wrong, wherever it comes', async ({ id, closeOf }) => {
    const path = `/sockets/events/${id}`
    expect(await closeOf(path, { 'X-Session-API-Key': 'wrong' })).toBe(4001)
    expect(await closeOf(`${path}?session_api_key=wrong`)).toBe(4001)
    expect(await closeOf(path, {}, [JSON.stringify({ type: 'auth', session_api_key: 'wrong' })])).toBe(4001)
    expect(await closeOf(path, {}, ['not json'])).toBe(4001)
    expect(await closeOf('/sockets/updates', {}, [JSON.stringify({ role: 'user', content: [] })])).toBe(4001)
  })

  it('does not help a page of another site', async ({ service, closeOf, id }) => {
    const headers = { 'X-Session-API-Key': service.key, Origin: 'https://evil.example' }
    expect(await closeOf(`/sockets/events/${id}`, headers)).toBe(403)
    expect(await closeOf('/sockets/updates', { 'X-Session-API-Key': service.key, Host: 'evil.example' })).toBe(403)
  })
})

describe('the event socket', () => {
  it('closes with 4004 for an unknown conversation and refuses unknown paths', async ({ service, closeOf }) => {
    const headers = { 'X-Session-API-Key': service.key }
    expect(await closeOf(`/sockets/events/${'0'.repeat(32)}`, headers)).toBe(4004)
    expect(await closeOf('/sockets/events/not-an-id', headers)).toBe(4004)
    expect(await closeOf('/sockets/nothing', headers)).toBe(404)
  })

  it('sends the full state, then all events that are asked for, as many as are counted', async ({ service, id }) => {
    const count = await service.client.call(countConversationEvents, { params: { conversation_id: id } })
    const seen = await watch(service, id)
    await seen.until(frame => 'seq' in frame && frame.seq === count - 1, 'The last event')
    expect(seen.frames[0] && isFullState(seen.frames[0])).toBe(true)
    expect(seen.events().map(event => event.seq)).toEqual([...Array(count).keys()])
    await seen.close()
  })

  it('resumes without a gap and without a repeat, however often the client goes and comes', async ({
    model,
    service,
    id,
  }) => {
    model.setScript(
      Array.from({ length: 6 }, (_, index) =>
        index < 5 ? { toolCalls: [{ name: 'think', arguments: { thought: `Thought ${index}` } }] } : { text: 'Done.' },
      ),
    )
    const received: number[] = []
    await service.client.call(sendMessage, { params: { conversation_id: id }, body: said('Think') })
    let ended = false
    while (!ended) {
      const seen = await watch(service, id, received.at(-1) ?? -1)
      const next = (received.at(-1) ?? -1) + 3
      const frame = await seen.until(
        one =>
          'seq' in one && (one.seq >= next || (one.kind === 'MessageEvent' && JSON.stringify(one).includes('Done.'))),
      )
      received.push(...seen.events().map(event => event.seq))
      ended =
        JSON.stringify(seen.events()).includes('Done.') || ('seq' in frame && JSON.stringify(frame).includes('Done.'))
      await seen.close()
    }
    expect(received).toEqual([...Array(received.length).keys()])
  })

  it('takes a message, also in the frame right after the authentication', async ({ model, service, id }) => {
    model.setScript([{ text: 'I heard you.' }])
    const seen = await watch(service, id, 10_000)
    seen.send(said('Do you hear me?'))
    await seen.until(frame => frame.kind === 'MessageEvent' && JSON.stringify(frame).includes('I heard you.'))
    await seen.close()
  })

  it.for<unknown>(['not json', { role: 'robot', content: [] }, { role: 'user', content: [] }, 5])(
    'answers the frame %j with an error and stays open',
    async (frame, { service, id }) => {
      const seen = await watch(service, id, 10_000)
      seen.send(frame)
      await seen.until(one => one.kind === 'ServerErrorEvent', 'The error')
      await seen.close()
    },
  )

  it('refuses the 51st subscriber and lets a next one in when one has gone', async ({
    service,
    id,
    closeOf,
    firstFrame,
  }) => {
    const all = await Promise.all(Array.from({ length: 50 }, () => watch(service, id, 10_000)))
    await Promise.all(all.map(one => one.until(isFullState)))
    expect(await closeOf(`/sockets/events/${id}`, { 'X-Session-API-Key': service.key })).toBe(1013)
    await all[0]?.close()
    await expect
      .poll(() => firstFrame(`/sockets/events/${id}`, { 'X-Session-API-Key': service.key }).catch(() => null))
      .toBeTruthy()
    await Promise.all(all.slice(1).map(one => one.close()))
  })

  it('streams the answer before the event that holds it', async ({ model, service, id }) => {
    model.setScript([{ text: 'One two three four.' }])
    const seen = await watch(service, id, 10_000)
    await seen.until(isFullState)
    seen.send(said('Count'))
    await seen.until(frame => frame.kind === 'MessageEvent' && frame.source === 'agent')
    const streamed = seen.frames.flatMap(frame => (frame.kind === 'StreamingDeltaEvent' ? [frame.content ?? ''] : []))
    expect(streamed.join('')).toBe('One two three four.')
    await seen.close()
  })
})

describe('the change feed', () => {
  it('tells of a sandbox that is paused', async ({ service, sandboxId }) => {
    const changes = await openChanges(service)
    const told = new Promise<unknown>(resolve => {
      changes.socket.on('message', data => {
        const change = changeFrame.parse(JSON.parse(String(data)))
        if (change.resource === 'sandbox' && change.id === sandboxId) resolve(change)
      })
    })
    await service.client.call(pauseSandbox, { params: { sandbox_id: sandboxId } })
    await told
    changes.close()
  })
})

describe('searching events', () => {
  it('pages through all of them from either end', async ({ service, id }) => {
    for (const sort_order of ['TIMESTAMP', 'TIMESTAMP_DESC'] as const) {
      const seqs: number[] = []
      let page_id: string | null = null
      do {
        const page: { items: { seq: number }[]; next_page_id: string | null } = await service.client.call(
          searchConversationEvents,
          { params: { conversation_id: id }, query: { limit: 3, page_id, sort_order } },
        )
        seqs.push(...page.items.map(event => event.seq))
        page_id = page.next_page_id
      } while (page_id !== null)
      const expected = [...Array(seqs.length).keys()]
      expect(seqs).toEqual(sort_order === 'TIMESTAMP' ? expected : expected.reverse())
    }
  })

  it('filters by kind, also by the long form of existing clients', async ({ service, id }) => {
    for (const kind__eq of ['MessageEvent', 'openhands.sdk.event.llm_convertible.message.MessageEvent']) {
      const { items } = await service.client.call(searchEvents, { query: { conversation_id__eq: id, kind__eq } })
      expect(items.length).toBeGreaterThan(1)
      expect(new Set(items.map(event => event.kind))).toEqual(new Set(['MessageEvent']))
    }
  })
})

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type FakeMcpServer, type Mood, startMcpServer } from '../fakes/mcp-http-server.ts'
import { hasFailed, isReady, type OpenSession, onNetwork, openSession } from './parts.ts'

let server: FakeMcpServer
let open: OpenSession | undefined

beforeEach(async () => {
  server = await startMcpServer()
})
afterEach(async () => {
  await open?.session.close()
  open = undefined
  await server.close()
})

async function start(...given: Parameters<typeof openSession>): Promise<OpenSession> {
  open = openSession(...given)
  await open.session.wake()
  return open
}

async function ready(...given: Parameters<typeof openSession>): Promise<OpenSession> {
  const session = await start(...given)
  for (const { name } of given[0]) await session.until(name, isReady)
  return session
}

const sse = () => onNetwork('old', server.sseUrl, { transport: 'sse' })
const http = (fields: object = {}) => onNetwork('new', server.url, fields)
const BOTH = [
  ['streamable HTTP', http],
  ['events', sse],
] as const

describe.each(BOTH)('a tool server on the network, over %s', (_name, configured) => {
  it('lists and calls its tools', async () => {
    const { call, session } = await ready([configured()])
    expect(session.tools().map(({ name }) => name)).toEqual(['search', 'fetch'])
    expect(await call('search', { q: 'x' })).toMatchObject({ text: 'search {"q":"x"}', isError: false })
  })

  it('is given its key with every request, also in a header of another name', async () => {
    server.wants = 'Bearer the-key-of-mine'
    const named = configured()
    const auth = { strategy: 'bearer', value: 'the-key-of-mine' }
    const { call } = await ready([
      { ...named, server: { ...named.server, auth, headers: { 'x-key': 'second' } } as never },
    ])
    await call('search')
    expect(new Set(server.requests.map(({ authorization, key }) => `${authorization} ${key}`))).toEqual(
      new Set(['Bearer the-key-of-mine second']),
    )
  })

  it('that refuses the key says so', async () => {
    server.wants = 'Bearer another'
    const named = configured()
    const auth = { strategy: 'bearer', value: 'the-key-of-mine' }
    const session = await start([{ ...named, server: { ...named.server, auth } as never }])
    expect(await session.until(named.name, hasFailed)).toMatchObject({ error_kind: 'authorization' })
  })

  it('does not get the key at another address that it sends us to', async () => {
    server.mood = 'redirecting'
    const named = configured()
    const auth = { strategy: 'bearer', value: 'the-key-of-mine' }
    const session = await start([{ ...named, server: { ...named.server, auth } as never }])
    const state = await session.until(named.name, hasFailed)
    expect(state).toMatchObject({ error_kind: 'connection', error: expect.stringContaining('another address') })
    expect(server.requests.map(({ path }) => path)).not.toContain('/stolen')
  })

  it('tells that its tools have changed', async () => {
    const named = configured()
    const { until, session } = await ready([named])
    await listening()
    server.tools = ['search', 'publish']
    server.announce()
    await until(named.name, state => state.state === 'ready' && state.tools.some(({ name }) => name === 'publish'))
    expect(session.tools().map(({ name }) => name)).toEqual(['search', 'publish'])
  })

  it.each<[Mood, string]>([
    ['web page', 'protocol'],
    ['down', 'connection'],
    ['no JSON', 'protocol'],
    ['endless', 'protocol'],
    ['silent', 'timeout'],
  ])('that is %s fails with words for it', async (mood, error_kind) => {
    server.mood = mood
    const named = configured()
    const session = await start([{ ...named, server: { ...named.server, timeout: 2 } as never }])
    const state = await session.until(named.name, hasFailed)
    expect(state).toMatchObject({ next_step: expect.any(String) })
    if (named.name === 'new') expect(state).toMatchObject({ error_kind })
  })
})

describe('a tool server over streamable HTTP', () => {
  it('that forgot the session is connected again, and the call is repeated', async () => {
    const { call } = await ready([http()])
    server.forgetSessions()
    expect(await call('search', { q: 1 })).toMatchObject({ text: 'search {"q":1}', isError: false })
    expect(server.requests.filter(({ rpc }) => rpc === 'initialize')).toHaveLength(2)
  })

  it('that breaks off an answer says so at once', async () => {
    const { call } = await ready([http()])
    server.mood = 'breaks off'
    expect(await call('search')).toMatchObject({ isError: true, text: expect.stringContaining('check its effects') })
  })

  it('that nobody listens for is told apart', async () => {
    const address = server.url
    await server.close()
    const session = await start([onNetwork('gone', address)])
    expect(await session.until('gone', hasFailed)).toMatchObject({
      error_kind: 'connection',
      error: expect.stringMatching(/^Nothing answers at 127\.0\.0\.1:\d+\.$/),
    })
    server = await startMcpServer()
  })

  it('sends what stands for a secret, and hides it in the answer', async () => {
    const { call } = await ready([http()], { secrets: { MY_KEY: 'value-of-my-key' } })
    expect((await call('search', { key: '$MY_KEY' })).text).toBe('search {"key":"<secret-hidden>"}')
  })
})

async function listening(): Promise<void> {
  while (server.listeners() === 0) await new Promise(resolve => setImmediate(resolve))
}

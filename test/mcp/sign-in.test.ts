import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { mcpServerInput } from '../../server/api/v1/settings/mcp-servers.ts'
import { signInFetch } from '../../server/mcp/sign-in/fetch.ts'
import { CALLBACK_PATH, SignIns } from '../../server/mcp/sign-in/sign-in.ts'
import { type FakeMcpServer, startMcpServer } from '../fakes/mcp-http-server.ts'
import { outbound } from '../parts/outbound.ts'
import { hasFailed, isReady, type OpenSession, onNetwork, openSession } from './parts.ts'

let server: FakeMcpServer
let open: OpenSession
let signIns: SignIns
const signal = new AbortController().signal
const BASE = 'http://127.0.0.1:3737'

beforeEach(async () => {
  server = await startMcpServer()
  server.oauth.on = true
  open = openSession([onNetwork('new', server.url)])
  signIns = new SignIns({
    tokens: open.tokens,
    baseUrl: () => BASE,
    fetchFor: signInFetch(outbound),
    onSignedIn: url => open.session.signedIn(url),
  })
})
afterEach(async () => {
  signIns.close()
  await open.session.close()
  await server.close()
})

const configured = () => mcpServerInput.parse({ url: server.url })

/** What a person and the browser do. */
async function signIn(): Promise<void> {
  const job = await signIns.start(configured(), signal)
  const back = await server.oauth.visit(job.authorization_url ?? '')
  expect(await signIns.callback(new URL(back).searchParams, signal)).toMatchObject({ status: 'succeeded' })
}

describe('signing in to a tool server', () => {
  it('is what it asks for, and after it the server starts by itself', async () => {
    await open.session.wake()
    expect(await open.until('new', hasFailed)).toMatchObject({ error_kind: 'sign_in' })
    const job = await signIns.start(configured(), signal)
    expect(job).toMatchObject({ status: 'authorizing', error: null })
    const address = new URL(job.authorization_url ?? '')
    expect(address.searchParams.get('code_challenge_method')).toBe('S256')
    expect(address.searchParams.get('redirect_uri')).toBe(`${BASE}${CALLBACK_PATH}`)
    const back = await server.oauth.visit(address.href)
    expect(back.startsWith(`${BASE}${CALLBACK_PATH}?`)).toBe(true)
    await signIns.callback(new URL(back).searchParams, signal)
    expect(signIns.get(job.job_id)).toMatchObject({ status: 'succeeded', authorization_url: null })
    await open.until('new', isReady)
    expect((await open.call('search', { q: 1 })).text).toBe('search {"q":1}')
  })

  it('does not begin by itself: a server without a token registers nobody', async () => {
    await open.session.wake()
    await open.until('new', hasFailed)
    expect(server.oauth.registered).toBe(0)
  })

  it('lasts: a token that has run out is renewed, once for all that wait for it', async () => {
    await signIn()
    await open.session.wake()
    await open.until('new', isReady)
    server.oauth.valid.clear()
    const answers = await Promise.all([open.call('search', { n: 1 }), open.call('fetch', { n: 2 })])
    expect(answers.map(({ isError }) => isError)).toEqual([false, false])
    expect(server.oauth.renewed).toBe(1)
  })

  it('registers once, and again only for another address of ours', async () => {
    await signIn()
    await signIns.forget('http://another.example/')
    server.oauth.valid.clear()
    await open.tokens.save(server.url, { tokens: null })
    await signIn()
    expect(server.oauth.registered).toBe(1)
    const moved = new SignIns({
      tokens: open.tokens,
      baseUrl: () => 'http://127.0.0.1:4000',
      fetchFor: signInFetch(outbound),
      onSignedIn: () => {},
    })
    await open.tokens.save(server.url, { tokens: null })
    await moved.start(configured(), signal)
    expect(server.oauth.registered).toBe(2)
    moved.close()
  })

  it('ends when what it was given is forgotten', async () => {
    await signIn()
    await signIns.forget(server.url)
    await open.session.wake()
    expect(await open.until('new', hasFailed)).toMatchObject({ error_kind: 'sign_in' })
  })

  it('can be ended by hand, with the address that the browser shows', async () => {
    const job = await signIns.start(configured(), signal)
    const back = await server.oauth.visit(job.authorization_url ?? '')
    await expect(signIns.submit(job.job_id, `${BASE}/?code=1&state=other`, signal)).rejects.toThrow('another sign-in')
    await expect(signIns.submit(job.job_id, 'no address', signal)).rejects.toThrow('no address')
    expect(await signIns.submit(job.job_id, back, signal)).toMatchObject({ status: 'succeeded' })
  })
})

describe('attacks on a sign-in', () => {
  it('a browser that nobody sent ends nothing', async () => {
    const job = await signIns.start(configured(), signal)
    expect(await signIns.callback(new URLSearchParams({ code: 'x', state: 'guessed' }), signal)).toBeUndefined()
    expect(await signIns.callback(new URLSearchParams({ code: 'x' }), signal)).toBeUndefined()
    expect(signIns.get(job.job_id).status).toBe('authorizing')
  })

  it('an address that comes back twice counts once', async () => {
    const job = await signIns.start(configured(), signal)
    const { searchParams } = new URL(await server.oauth.visit(job.authorization_url ?? ''))
    await signIns.callback(searchParams, signal)
    await signIns.callback(searchParams, signal)
    expect(server.oauth.redeemed).toBe(1)
    expect(signIns.get(job.job_id).status).toBe('succeeded')
  })

  it('a code of another issuer is not redeemed', async () => {
    const job = await signIns.start(configured(), signal)
    const { searchParams } = new URL(await server.oauth.visit(job.authorization_url ?? ''))
    searchParams.set('iss', 'https://evil.example')
    expect(await signIns.callback(searchParams, signal)).toMatchObject({ status: 'failed' })
    expect(server.oauth.redeemed).toBe(0)
  })

  it('a refusal is told, without repeating what came with it', async () => {
    const job = await signIns.start(configured(), signal)
    const state = new URL(job.authorization_url ?? '').searchParams.get('state') ?? ''
    const params = new URLSearchParams({ state, error: 'access_denied', error_description: '<script>' })
    const ended = await signIns.callback(params, signal)
    expect(ended).toMatchObject({ status: 'failed' })
    expect(JSON.stringify(ended)).not.toContain('<script>')
  })

  it('a server that cannot be signed in to makes a failed one, in words', async () => {
    server.oauth.on = false
    server.wants = 'Bearer a-key'
    expect(await signIns.start(configured(), signal)).toMatchObject({
      status: 'failed',
      authorization_url: null,
      error: expect.stringContaining('Use a key instead'),
    })
    await expect(signIns.start(mcpServerInput.parse({ command: 'x' }), signal)).rejects.toThrow('address')
  })

  it('tokens show nowhere', async () => {
    await signIn()
    const kept = await open.tokens.read(server.url)
    expect(kept.tokens?.access_token).toMatch(/^access-/)
    await open.session.wake()
    await open.until('new', isReady)
    const { text } = await open.call('search', { q: kept.tokens?.access_token })
    expect(text).toBe('search {"q":"<secret-hidden>"}')
  })
})

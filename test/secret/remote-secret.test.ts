import { createServer, type Server } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ANSWER_LIMITS } from '../../server/outbound/limits.ts'
import { createRemoteSecretReader, type ReadRemoteSecret } from '../../server/secret/remote-secret.ts'
import { outbound } from '../parts/outbound.ts'

interface Answer {
  status?: number
  headers?: Record<string, string>
  body?: string | Buffer
}

let server: Server
let url: string
let asked: { path: string; token: string | undefined }[]
let answer: (path: string) => Answer | 'never'
let now: number
let lookup: ReadRemoteSecret

beforeEach(async () => {
  asked = []
  now = 0
  answer = () => ({ body: 'the-value' })
  server = createServer((request, response) => {
    asked.push({ path: request.url ?? '', token: request.headers['x-token']?.toString() })
    const reply = answer(request.url ?? '')
    if (reply === 'never') return
    response.writeHead(reply.status ?? 200, reply.headers)
    response.end(reply.body)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  lookup = createRemoteSecretReader({
    fetch: outbound.fetch({ namedBy: 'person', limits: ANSWER_LIMITS.secretLookup }),
    now: () => now,
  })
})

afterEach(() => {
  server.closeAllConnections()
  server.close()
})

const alive = () => new AbortController().signal
const look = (path = '/', headers: Record<string, string> = { 'X-Token': 'of-the-lookup' }) =>
  lookup('API_KEY', { url: url + path, headers }, alive())

describe('a secret that is looked up', () => {
  it('is the text of the answer to a request with the headers given, to the letter', async () => {
    answer = () => ({ body: ' line one\nline two ' })
    expect(await look('/token')).toBe(' line one\nline two ')
    expect(asked).toEqual([{ path: '/token', token: 'of-the-lookup' }])
  })

  it.each(['http://user:pass-word@127.0.0.1/', 'http://[x?key=pass-word', 'http://127.0.0.1:99999/?key=pass-word'])(
    'does not come with what its address carries when that is of no use: %s',
    async address => {
      const failure = await lookup('API_KEY', { url: address, headers: {} }, alive()).catch(error => error)
      expect(failure.code).toBe('unavailable')
      expect(`${failure.message} ${failure.cause}`).not.toContain('pass-word')
    },
  )

  it('is asked for once a minute, for each address and headers', async () => {
    await look()
    await look()
    expect(asked).toHaveLength(1)
    await look('/other')
    await look('/', { 'X-Token': 'another' })
    expect(asked).toHaveLength(3)
    now += 60_000
    answer = () => ({ body: 'a-newer-value' })
    expect(await look()).toBe('a-newer-value')
  })

  it('tells where it failed and how, without a word of the path or the headers, and leaves the address alone for a minute', async () => {
    answer = () => ({ status: 403, body: 'no, of-the-lookup' })
    const failing = look('/path-with-key?key=1')
    await expect(failing).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining('status 403') })
    await expect(failing).rejects.not.toThrow(/of-the-lookup|path-with-key|key=1/)
    answer = () => ({ body: 'the-value' })
    await expect(look('/path-with-key?key=1')).rejects.toMatchObject({ code: 'unavailable' })
    expect(asked).toHaveLength(1)
    now += 60_000
    expect(await look('/path-with-key?key=1')).toBe('the-value')
  })

  it.each<[string, Answer]>([
    ['answered with nothing', { body: '' }],
    ['more than 65,536 bytes', { body: 'x'.repeat(65_537) }],
    ['no text', { body: Buffer.from('a\0b') }],
    ['status 302', { status: 302, headers: { Location: '/elsewhere' } }],
  ])('is refused when the address %s', async (words, reply) => {
    answer = path => (path === '/elsewhere' ? { body: 'stolen' } : reply)
    await expect(look()).rejects.toThrow(words)
    expect(asked).toHaveLength(1)
  })

  it('says so when nobody answers at its address', async () => {
    server.close()
    server.closeAllConnections()
    await expect(look()).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('Nothing answers at 127.0.0.1'),
    })
  })

  it('is given up at once with the signal, and that is no failure of the address', async () => {
    const stop = new AbortController()
    answer = () => {
      stop.abort(new Error('The user stopped it.'))
      return 'never'
    }
    await expect(lookup('API_KEY', { url, headers: {} }, stop.signal)).rejects.toThrow('The user stopped it.')
    answer = () => ({ body: 'the-value' })
    expect(await lookup('API_KEY', { url, headers: {} }, alive())).toBe('the-value')
  })
})

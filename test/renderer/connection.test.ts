import { createServer, type Server } from 'node:http'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findConnection, forgetKey, LoginNeeded, loginCodeIn, type Page } from '../../renderer/api/connection.ts'

let server: Server
let codes: string[]
let page: Page

beforeEach(async () => {
  codes = []
  server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    codes.push(JSON.parse(body).code)
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"session_api_key":"tab-key"}')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server does not listen.')
  page = fakePage(`http://127.0.0.1:${address.port}`)
})

afterEach(async () => {
  server.closeAllConnections()
  await new Promise(resolve => server.close(resolve))
})

test('a login link is exchanged once, and its code leaves the address', async () => {
  page.location.hash = '#login=once%2Bonly'
  expect(await findConnection(page)).toEqual({ url: page.location.origin, key: 'tab-key' })
  expect(codes).toEqual(['once+only'])
  expect(page.location.hash).toBe('#/')
  expect(await findConnection(page)).toEqual({ url: page.location.origin, key: 'tab-key' })
  expect(codes).toHaveLength(1)
})

test('a tab without a key asks for a login', async () => {
  await expect(findConnection(page)).rejects.toBeInstanceOf(LoginNeeded)
})

test('a refused key is forgotten', async () => {
  page.location.hash = '#login=a'
  await findConnection(page)
  forgetKey(page)
  await expect(findConnection(page)).rejects.toBeInstanceOf(LoginNeeded)
})

test('in the desktop app the bridge knows the service, and nothing is stored', async () => {
  const connection = { url: 'http://127.0.0.1:1', key: 'desktop-key', sessionApiKey: 'api-key' }
  const desktop = { ...page, atelier: { connection: async () => connection } }
  expect(await findConnection(desktop)).toEqual({ url: 'http://127.0.0.1:1', key: 'desktop-key' })
  expect(page.sessionStorage.getItem('atelier.session-key')).toBeNull()
})

test('a code is found in a link, and a page’s own address is no code', () => {
  expect(loginCodeIn('http://127.0.0.1:3737/#login=abc')).toBe('abc')
  expect(loginCodeIn('#/settings/model')).toBeUndefined()
})

/** The little of a browser's window that a connection needs. */
function fakePage(origin: string): Page {
  const stored = new Map<string, string>()
  const location = { origin, pathname: '/', search: '', hash: '' }
  return {
    location,
    history: {
      replaceState: (_data, _title, address) => {
        location.hash = String(address).replace(/^[^#]*/, '')
      },
    },
    sessionStorage: {
      getItem: name => stored.get(name) ?? null,
      setItem: (name, value) => void stored.set(name, value),
      removeItem: name => void stored.delete(name),
    },
  }
}

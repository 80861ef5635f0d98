import { describe, expect, it } from 'vitest'
import { isLocalOrigin, refusalOfForeign } from '../../../server/http/core/foreign.ts'

const origins = {
  allows: (origin: string) => origin === 'app://atelier' || isLocalOrigin(origin),
  returnPaths: new Set(['/back']),
}

/** What a request with these headers is answered with; undefined lets it in. */
function statusOf(headers: Record<string, string | undefined>, { method = 'GET', url = '/docs' } = {}) {
  const sent = { host: '127.0.0.1:3737', ...headers }
  const rawHeaders = Object.entries(sent).flatMap(([name, value]) => (value === undefined ? [] : [name, value]))
  return refusalOfForeign({ method, url, headers: sent, rawHeaders }, origins)?.status
}

describe('DNS rebinding (CVE-2024-28224, CVE-2025-66414)', () => {
  it.each([
    'evil.example',
    'evil.example:3737',
    '127.0.0.1.evil.example',
    'localhost.evil.example:80',
    'localhost.',
    'localhost.:3737',
    'notlocalhost',
    'local host',
    '127.0.0.1.',
    '127.1',
    '127.0.0.2',
    '127.0.0.1:3737:80',
    '127.0.0.1:',
    '127.0.0.1:x',
    '0.0.0.0:3737',
    '[::]:3737',
    '[::ffff:127.0.0.1]',
    '::1',
    '2130706433',
    '0x7f000001',
    'user@127.0.0.1',
    '127.0.0.1/',
    '127.0.0.1,evil.example',
    'evil.example, 127.0.0.1',
    '',
  ])('the name %j is refused', host => {
    expect(statusOf({ host })).toBe(403)
  })

  it('a request without a name is refused', () => {
    expect(statusOf({ host: undefined })).toBe(403)
  })

  it.each(['127.0.0.1', '127.0.0.1:3737', 'localhost', 'LOCALHOST:3738', '[::1]:3737'])('the name %s is ours', host => {
    expect(statusOf({ host })).toBeUndefined()
  })

  it('two names are refused, whichever comes first, and be they the same', () => {
    for (const [first, second] of [
      ['127.0.0.1', 'evil.example'],
      ['evil.example', '127.0.0.1'],
      ['127.0.0.1', '127.0.0.1'],
    ] as const) {
      const rawHeaders = ['Host', first, 'hOST', second]
      expect(refusalOfForeign({ method: 'GET', url: '/', headers: { host: first }, rawHeaders }, origins)?.status).toBe(
        400,
      )
    }
  })
})

describe('a request line', () => {
  it.each(['http://evil.example/docs', 'http://127.0.0.1:3737/docs', 'https://127.0.0.1/', '*', 'evil.example:80', ''])(
    'that names %j and not a path is refused',
    url => {
      expect(statusOf({}, { url })).toBe(400)
    },
  )
})

it('more headers than anybody sends are refused', () => {
  const many = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`x-${index}`, 'y']))
  expect(statusOf(many)).toBe(431)
})

describe('a page of another origin', () => {
  it.each([
    'https://evil.example',
    'http://127.0.0.1.evil.example',
    'http://localhost.evil.example',
    'null',
    '',
    'file://',
    'https://localhost',
    'https://127.0.0.1:3737',
    'http://127.0.0.1:3737, https://evil.example',
    'app://other',
    'vscode-webview://x',
    'chrome-extension://x',
    'http://127.0.0.2',
    'http://[::2]',
    'http://user@evil.example',
    'localhost',
  ])('%j is refused, whatever the browser says beside', origin => {
    expect(statusOf({ origin })).toBe(403)
    expect(statusOf({ origin, 'sec-fetch-site': 'same-origin' })).toBe(403)
    expect(statusOf({ origin }, { method: 'POST' })).toBe(403)
  })

  it.each(['app://atelier', 'http://localhost:3001', 'http://127.0.0.1:3737', 'http://[::1]:8080'])(
    '%s may call, also where the browser calls it another site',
    origin => {
      expect(statusOf({ origin })).toBeUndefined()
      expect(statusOf({ origin, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' })).toBeUndefined()
    },
  )
})

describe('what comes without an Origin is told by Fetch Metadata', () => {
  const image = { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }
  const navigation = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
  const frame = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }

  it.each(['cross-site', 'same-site', 'anything', 'none, cross-site'])(
    'an image, script or frame of a page that is %s is refused',
    site => {
      expect(statusOf({ 'sec-fetch-site': site, ...image })).toBe(403)
      expect(statusOf({ 'sec-fetch-site': site, 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' })).toBe(403)
      expect(statusOf({ 'sec-fetch-site': site, ...frame })).toBe(403)
      expect(statusOf({ 'sec-fetch-site': site })).toBe(403)
    },
  )

  it('a link of another site is refused, but for the way back from a sign-in', () => {
    const link = { 'sec-fetch-site': 'cross-site', ...navigation }
    expect(statusOf(link)).toBe(403)
    expect(statusOf(link, { url: '/back?state=1' })).toBeUndefined()
    expect(statusOf(link, { url: '/back/../docs' })).toBe(403)
    expect(statusOf(link, { url: '/back', method: 'POST' })).toBe(403)
    expect(statusOf({ 'sec-fetch-site': 'cross-site', ...image }, { url: '/back' })).toBe(403)
  })

  it('a link of a page on another port of this machine is followed', () => {
    expect(statusOf({ 'sec-fetch-site': 'same-site', ...navigation })).toBeUndefined()
  })

  it.each([undefined, 'none', 'same-origin'])('a program, the address bar and our own page go on: %s', site => {
    expect(statusOf({ 'sec-fetch-site': site, ...image })).toBeUndefined()
    expect(statusOf({ 'sec-fetch-site': site }, { method: 'POST' })).toBeUndefined()
  })
})

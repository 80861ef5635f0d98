import { expect, test } from 'vitest'
import { requestHeaders, responseHeaders } from '../../../server/http/preview/heads.ts'

const OWN = 'http://5173-abc.localhost:3739'
const OTHER_PORT = 'http://8000-def.localhost:3739'
const origins = {
  inSandbox: (origin: string) => ({ [OWN]: 'http://localhost:5173', [OTHER_PORT]: 'http://localhost:8000' })[origin],
  preview: async (port: number) => (port === 8000 ? OTHER_PORT : OWN),
}

test('a program gets the names that it knows, and nothing of the connection to the browser', () => {
  const headers = {
    host: '5173-abc.localhost:3739',
    origin: OWN,
    referer: `${OWN}/a?b=c`,
    connection: 'keep-alive, X-Once',
    'x-once': '1',
    te: 'trailers',
    cookie: 'a=1',
  }
  expect(requestHeaders(headers, 5173, origins)).toEqual({
    host: 'localhost:5173',
    origin: 'http://localhost:5173',
    referer: 'http://localhost:5173/a?b=c',
    cookie: 'a=1',
  })
  const foreign = requestHeaders({ referer: 'https://elsewhere.example/secret' }, 80, origins)
  expect(foreign).toEqual({ host: 'localhost:80' })
})

test('a browser is sent on to previews, keeps cookies, and tells no other site the name', async () => {
  const headers = {
    location: 'http://localhost:8000/login?next=%2F#x',
    'set-cookie': ['a=1; Domain=localhost; Path=/', 'b=2; HttpOnly'],
    'strict-transport-security': 'max-age=1',
    'transfer-encoding': 'chunked',
    'access-control-allow-origin': 'http://localhost:8000',
    'referrer-policy': 'unsafe-url',
  }
  expect(await responseHeaders(headers, { origin: OTHER_PORT }, origins)).toEqual({
    location: `${OTHER_PORT}/login?next=%2F#x`,
    'set-cookie': ['a=1; Path=/', 'b=2; HttpOnly'],
    'transfer-encoding': 'chunked',
    'access-control-allow-origin': OTHER_PORT,
    'referrer-policy': 'same-origin',
  })
})

test('an address elsewhere, and one without a host, stay as they are', async () => {
  for (const location of [
    'https://github.com/login',
    '/next',
    '../up',
    'https://localhost:8000/',
    'http://localhost.example/',
  ]) {
    expect((await responseHeaders({ location }, {}, origins)).location).toBe(location)
  }
})

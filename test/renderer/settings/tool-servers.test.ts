import { describe, expect, test } from 'vitest'
import {
  draftAt,
  EMPTY_SERVER,
  NO_SERVERS,
  type ServerDraft,
  serverRows,
  type ToolServers,
  withoutServer,
  withServer,
} from '../../../renderer/state/settings/tool-servers.ts'

const SERVERS: ToolServers = {
  stdio_servers: [
    { name: 'files', command: 'npx', args: ['-y', 'a b', "it's"], env: { ROOT: '/a=b, c', EMPTY: '' } },
    { name: 'fetch', command: 'uvx', args: [], env: {} },
  ],
  shttp_servers: [{ url: 'https://tools.example.org/mcp', api_key: 'k', timeout: 90 }],
  sse_servers: [{ url: 'http://localhost:9000/sse', api_key: null }],
}

const stdio = (draft: Partial<ServerDraft>): ServerDraft => ({ ...EMPTY_SERVER, name: 'one', command: 'run', ...draft })
const remote = (draft: Partial<ServerDraft>): ServerDraft => ({ ...EMPTY_SERVER, kind: 'shttp', ...draft })

test('every server can be opened and kept as it is without any loss', () => {
  for (const row of serverRows(SERVERS)) {
    expect(withServer(SERVERS, row, draftAt(SERVERS, row))).toEqual({ ok: true, servers: SERVERS })
  }
})

test('a new server stands at the end of its kind, and can be removed again', () => {
  const added = withServer(SERVERS, null, stdio({ args: '--a\n\n--b c', env: 'TOKEN=x=y' }))
  if (!added.ok) throw new Error('It is valid.')
  const server = { name: 'one', command: 'run', args: ['--a', '--b c'], env: { TOKEN: 'x=y' } }
  expect(added.servers.stdio_servers.at(-1)).toEqual(server)
  expect(withoutServer(added.servers, { kind: 'stdio', index: 2 })).toEqual(SERVERS)
})

test('a server that becomes one of another kind leaves its old list', () => {
  const moved = withServer(SERVERS, { kind: 'sse', index: 0 }, remote({ url: 'http://localhost:9000/mcp' }))
  expect(moved).toMatchObject({ ok: true, servers: { sse_servers: [], shttp_servers: [{}, { timeout: null }] } })
})

describe('what does not fit is said at its field', () => {
  test.each<[keyof ServerDraft, ServerDraft]>([
    ['name', stdio({ name: '' })],
    ['name', stdio({ name: 'two words' })],
    ['name', stdio({ name: 'fetch' })],
    ['command', stdio({ command: 'npx -y server' })],
    ['env', stdio({ env: 'NOTHING' })],
    ['env', stdio({ env: '1A=x' })],
    ['url', remote({ url: '' })],
    ['url', remote({ url: 'tools.example.org' })],
    ['url', remote({ url: 'file:///etc/passwd' })],
    ['timeout', remote({ url: 'https://a.example', timeout: '0' })],
    ['timeout', remote({ url: 'https://a.example', timeout: 'soon' })],
  ])('%s of %j', (field, draft) => {
    const checked = withServer(SERVERS, null, draft)
    expect(checked.ok ? [] : Object.keys(checked.errors)).toEqual([field])
  })

  test('the name of the server that is edited is not taken', () => {
    const first = { kind: 'stdio', index: 0 } as const
    expect(withServer(SERVERS, first, draftAt(SERVERS, first)).ok).toBe(true)
  })

  test('fields of another kind do not matter', () => {
    expect(withServer(NO_SERVERS, null, remote({ url: 'https://a.example', name: 'a b', env: '?' })).ok).toBe(true)
  })
})

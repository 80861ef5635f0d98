import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const PROJECT = join(import.meta.dirname, '..', '..')

/** Who may open a connection: the mechanism itself, the Docker engine's client, previews, which use connections into sandboxes, and the desktop's own bus. */
const MAY = [/^server\/outbound\//, /^server\/docker\//, /^server\/http\/preview\//, /^server\/dbus\/connection\.ts$/]

/** How a call could get past the mechanism. A `fetch` that is called has to be given or made, not the runtime's own. */
const WAYS_OUT = [
  /\bglobalThis\.fetch\b/,
  /\b(https?|net|tls)\.(request|get|connect|createConnection)\(/,
  /import (type )?\{[^}]*\b(request|get|connect|createConnection|Agent)\b[^}]*\} from 'node:(https?|http2|net|tls)'/,
  /from '(undici|axios|got|node-fetch)'/,
  /new (EventSource|XMLHttpRequest)\(/,
]
const CALL = /(?<![.\w#])fetch\(/
const GIVEN = /\{[^{}]*\bfetch\b[^{}]*\}|\bfetch: (typeof globalThis\.fetch|FetchLike)|const fetch = /

test('nobody calls out but through server/outbound', () => {
  expect([...sources('server'), ...sources('electron')].filter(callsOut)).toEqual([])
})

test('the law notices who does', () => {
  const offences = [
    "await fetch('http://example.com')",
    'run(globalThis.fetch)',
    "http.request('http://example.com')",
    "import { request } from 'node:https'",
    "import { Agent } from 'undici'",
    "new EventSource('http://example.com')",
  ]
  for (const text of offences) expect(isOffence(text), text).toBe(true)
  const given = 'async function ask(fetch: typeof globalThis.fetch) {\n  await fetch(url)\n}'
  for (const text of [given, '  async fetch(\n', 'mcp.fetch(request)']) expect(isOffence(text), text).toBe(false)
})

function callsOut(path: string): boolean {
  return !MAY.some(allowed => allowed.test(path)) && isOffence(readFileSync(join(PROJECT, path), 'utf8'))
}

function isOffence(text: string): boolean {
  const code = text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '').replace(/\basync fetch\(/g, '')
  if (CALL.test(code) && !GIVEN.test(code)) return true
  return WAYS_OUT.some(way => way.test(code.replace(/typeof globalThis\.fetch/g, '')))
}

function sources(folder: string): string[] {
  return readdirSync(join(PROJECT, folder), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts'))
    .map(name => `${folder}/${name.replaceAll('\\', '/')}`)
}

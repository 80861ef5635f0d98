import fc from 'fast-check'
import { arbitrary, wellFormed } from '../parts/value/arbitrary-values.ts'
import { between, pick } from '../parts/value/random.ts'
import type { Target } from './targets.ts'

/** What requests can be about: names as in the cases of operations (`$conversation`), and parameters of paths. */
export type Known = Readonly<Record<string, string>>

export interface FuzzRequest {
  target: Target
  /** With query. */
  path: string
  headers: Record<string, string>
  body: string | undefined
}

/** Values that have broken servers before. */
const HOSTILE: readonly unknown[] = [
  null,
  '',
  '\u0000',
  '\ud800',
  '../../../../etc/passwd',
  '..%2f..%2fetc%2fpasswd',
  'http://127.0.0.1:1/',
  'http://[::1]:1/%00',
  'file:///etc/passwd',
  'ext::sh -c id',
  '--upload-pack=id',
  '$(id)',
  '{{7*7}}',
  '${jndi:ldap://127.0.0.1:1/a}',
  "' OR 1=1 --",
  'a/../../127.0.0.1:1/x',
  'https://ghcr.io/openhands/runtime:1',
  '(a+)+$',
  '-1',
  '99999999999999999999',
  '1e309',
  'NaN',
  'true',
  '0001-01-01T00:00:00Z',
  '+275760-09-13T00:00:00.001Z',
  '__proto__',
  'constructor',
  Number.MAX_SAFE_INTEGER,
  -1,
  0.1,
  1e308,
  true,
  [],
  {},
  [[]],
  { __proto__: null, constructor: { prototype: {} } },
  'x'.repeat(10_000),
  '𝒳é\u202e\u200b'.repeat(50),
]

const CONTENT_TYPES = [
  'text/plain',
  'application/json; charset=utf-16',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded',
  '',
]
const RAW_BODIES = [
  '',
  '{',
  '[]',
  'null',
  '"text"',
  '{"a":1,"a":2}',
  '\ufeff{}',
  '--x\r\nContent-Disposition: form-data; name="files"; filename="../a"\r\n\r\nhello\r\n--x--\r\n',
  '{"__proto__":{"admin":true}}',
  `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`,
  `{"n":${'9'.repeat(5000)}}`,
]

/** One request: valid, nearly valid, of about the right shape, or hostile. The same random numbers give the same one. */
export function newRequest(target: Target, random: () => number, known: Known): FuzzRequest {
  const kind = random()
  const path = target.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => pathValue(name, target, random, known))
  const query = new URLSearchParams(queryOf(target, random, known, kind))
  const headers: Record<string, string> = { 'Content-Type': 'application/json' }
  let body: string | undefined
  if (target.method !== 'GET' || random() < 0.05) {
    if (kind < 0.25) body = json(validBody(target, random, known))
    else if (kind < 0.6) body = json(mutated(validBody(target, random, known), random))
    else if (kind < 0.93) body = json(target.body ? sample(arbitrary(target.body, target.document), random) : {})
    else {
      body = pick(random, RAW_BODIES)
      headers['Content-Type'] = pick(random, ['application/json', ...CONTENT_TYPES])
    }
  }
  return { target, path: `${path}${query.size > 0 ? `?${query}` : ''}`, headers, body }
}

function pathValue(name: string, { valid }: Target, random: () => number, known: Known): string {
  const choice = random()
  const given = valid?.params?.[name]
  const named = given === undefined ? undefined : String(given)
  const usual = named?.startsWith('$') ? known[named.slice(1)] : named
  const value = choice < 0.75 ? (known[name] ?? usual) : choice < 0.85 ? '0'.repeat(32) : undefined
  return encodeURIComponent(wellFormed(value ?? (textOf(pick(random, HOSTILE)).slice(0, 2000) || 'x')))
}

function queryOf(
  { operation, valid, document }: Target,
  random: () => number,
  known: Known,
  kind: number,
): [string, string][] {
  const given = Object.entries(valid?.query ?? {}).flatMap(([name, value]): [string, string][] =>
    [value].flat().map(one => [name, textOf(filledIn(one, known))]),
  )
  if (kind < 0.3) return given
  const extra = operation.parameters
    .filter(one => one.in === 'query' && random() < 0.4)
    .map(({ name, schema }): [string, string] => {
      const value = random() < 0.5 ? sample(arbitrary(schema, document), random) : pick(random, HOSTILE)
      return [name, textOf(value)]
    })
  return random() < 0.5 ? [...given, ...extra] : extra
}

function textOf(value: unknown): string {
  return wellFormed(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
}

function validBody({ valid, body, document }: Target, random: () => number, known: Known): unknown {
  if (valid?.body !== undefined) return filledIn(structuredClone(valid.body), known)
  return body ? sample(arbitrary(body, document), random) : {}
}

/** With what is known in the place of `$name`. */
function filledIn(value: unknown, known: Known): unknown {
  if (typeof value === 'string') return /^\$\w+$/.test(value) ? (known[value.slice(1)] ?? value) : value
  if (Array.isArray(value)) return value.map(one => filledIn(one, known))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, filledIn(one, known)]))
}

/** With one to three places changed: another value, none, one more, or the same many times. */
function mutated(value: unknown, random: () => number): unknown {
  let result = value
  for (let count = between(random, 1, 3); count > 0; count--) result = mutatedOnce(result, random)
  return result
}

function mutatedOnce(value: unknown, random: () => number): unknown {
  if (random() < 0.3 || typeof value !== 'object' || value === null) return pick(random, HOSTILE)
  if (Array.isArray(value)) {
    if (value.length === 0 || random() < 0.3)
      return Array.from({ length: 200 }, () => value[0] ?? pick(random, HOSTILE))
    const at = between(random, 0, value.length - 1)
    return value.with(at, mutatedOnce(value[at], random))
  }
  const fields = Object.entries(value)
  if (fields.length === 0 || random() < 0.15) return { ...value, [textOf(pick(random, HOSTILE)).slice(0, 50)]: 1 }
  const [name, one] = pick(random, fields)
  if (random() < 0.15) return Object.fromEntries(fields.filter(([field]) => field !== name))
  return { ...value, [name]: mutatedOnce(one, random) }
}

function sample<T>(values: fc.Arbitrary<T>, random: () => number): T | undefined {
  return fc.sample(values, { seed: between(random, 0, 2 ** 31 - 1), numRuns: 1 })[0]
}

function json(value: unknown): string {
  return JSON.stringify(value) ?? ''
}

/** As a person would send it again. The key is in the environment. */
export function curlOf(base: string, { target, path, headers, body }: FuzzRequest): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''").replaceAll('\0', '\\0')}'`
  const fields = Object.entries(headers).map(([name, value]) => ` -H ${quoted(`${name}: ${value}`)}`)
  const data = body === undefined ? '' : ` --data-raw ${quoted(body.length > 2000 ? `${body.slice(0, 2000)}…` : body)}`
  return `curl -X ${target.method} ${quoted(base + path.slice(0, 2000))} -H "X-Session-API-Key: $KEY"${fields.join('')}${data}`
}

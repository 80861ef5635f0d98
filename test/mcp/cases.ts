/** What the model wrote, by the schema of the tool; `problem` is null where it fits after the repair. */
export const ARGUMENT_CASES: {
  name: string
  schema: Record<string, unknown>
  given: Record<string, unknown>
  repaired?: Record<string, unknown>
  problem: RegExp | null
}[] = [
  { name: 'nothing is wanted', schema: { type: 'object' }, given: {}, problem: null },
  {
    name: 'a number as text',
    schema: { type: 'object', properties: { n: { type: 'integer' } } },
    given: { n: '5' },
    repaired: { n: 5 },
    problem: null,
  },
  {
    name: 'text that is no number',
    schema: { type: 'object', properties: { n: { type: 'number' } } },
    given: { n: 'five' },
    problem: /n/,
  },
  {
    name: 'a truth as text',
    schema: { type: 'object', properties: { yes: { type: 'boolean' } } },
    given: { yes: 'True' },
    repaired: { yes: true },
    problem: null,
  },
  {
    name: 'a list as text',
    schema: { type: 'object', properties: { all: { type: 'array', items: { type: 'string' } } } },
    given: { all: '["a"]' },
    repaired: { all: ['a'] },
    problem: null,
  },
  {
    name: 'an object as text',
    schema: { type: 'object', properties: { one: { type: 'object' } } },
    given: { one: '{"a":1}' },
    repaired: { one: { a: 1 } },
    problem: null,
  },
  {
    name: 'text that only looks like a number stays text',
    schema: { type: 'object', properties: { id: { type: 'string' } } },
    given: { id: '007' },
    repaired: { id: '007' },
    problem: null,
  },
  { name: 'what is missing', schema: { type: 'object', required: ['path'] }, given: {}, problem: /path/ },
  {
    name: 'what is not known',
    schema: { type: 'object', properties: {}, additionalProperties: false },
    given: { extra: 1 },
    problem: /extra/,
  },
  {
    name: 'a choice',
    schema: { type: 'object', properties: { c: { enum: ['a', 'b'] } } },
    given: { c: 'z' },
    problem: /enum|c/,
  },
  {
    name: 'a reference',
    schema: {
      type: 'object',
      properties: { one: { $ref: '#/$defs/one' } },
      $defs: { one: { type: 'object', required: ['a'] } },
    },
    given: { one: {} },
    problem: /a/,
  },
  {
    name: 'a property that is called like a keyword',
    schema: { type: 'object', properties: { pattern: { type: 'string' }, format: { type: 'integer' } } },
    given: { pattern: 'x', format: 'y' },
    problem: /format/,
  },
  {
    name: 'a pattern that costs for ever is not tried',
    schema: { type: 'object', properties: { t: { type: 'string', pattern: '^(a+)+$' } } },
    given: { t: `${'a'.repeat(40)}!` },
    problem: null,
  },
  {
    name: 'references in a circle check nothing',
    schema: { type: 'object', allOf: [{ $ref: '#' }] },
    given: { a: 1 },
    problem: null,
  },
  {
    name: 'references in a circle that only data lead into check nothing',
    schema: {
      type: 'object',
      properties: { a: { $ref: '#/$defs/a' } },
      $defs: { a: { allOf: [{ $ref: '#/$defs/a' }] } },
    },
    given: { a: 1 },
    problem: null,
  },
  {
    name: 'references that double at each step are not followed',
    schema: {
      type: 'object',
      required: ['a'],
      properties: { a: { $ref: '#/$defs/d0' } },
      $defs: Object.fromEntries(
        Array.from({ length: 40 }, (_, n) => [
          `d${n}`,
          { allOf: [{ $ref: `#/$defs/d${n + 1}` }, { $ref: `#/$defs/d${n + 1}` }] },
        ]),
      ),
    },
    given: { b: 1 },
    problem: /a/,
  },
  {
    name: 'a reference that leads nowhere checks nothing',
    schema: { type: 'object', properties: { a: { $ref: '#/$defs/none' } } },
    given: {},
    problem: null,
  },
]

/** What is masked of a configuration, and what is left to be read. */
export const SECRET_CASES: { name: string; server: object; hidden: string[]; shown: string[] }[] = [
  {
    name: 'variables by their names',
    server: { command: 'x', env: { API_KEY: 'abcdef', GITHUB_TOKEN: 'ghp_1', MODE: 'production', HOME: '/root' } },
    hidden: ['abcdef', 'ghp_1'],
    shown: ['production', '/root'],
  },
  {
    name: 'variables that look like keys',
    server: { command: 'x', env: { ENDPOINT: 'a1b2c3d4e5f6a7b8c9d0e1' } },
    hidden: ['a1b2c3d4e5f6a7b8c9d0e1'],
    shown: [],
  },
  {
    name: 'arguments behind a flag, joined to one, and by their looks',
    server: {
      command: 'x',
      args: ['--api-key', 'one-key', '--token=two-key', 'sk-a1b2c3d4e5f6a7b8c9', '--path', '/workspace'],
    },
    hidden: ['one-key', 'two-key', 'sk-a1b2c3d4e5f6a7b8c9'],
    shown: ['/workspace', '--path', '--api-key'],
  },
  {
    name: 'headers, with and without the scheme',
    server: { url: 'http://a/', headers: { Authorization: 'Bearer the-key', Accept: 'text/plain' } },
    hidden: ['Bearer the-key', 'the-key'],
    shown: ['text/plain'],
  },
  { name: 'a key', server: { url: 'http://a/', api_key: 'short' }, hidden: ['short'], shown: [] },
  {
    name: 'a password',
    server: { url: 'http://a/', auth: { strategy: 'basic', username: 'me', password: 'pass-word' } },
    hidden: ['pass-word'],
    shown: ['me'],
  },
  {
    name: 'the secret of a client that was registered by hand',
    server: {
      url: 'http://a/',
      auth: { strategy: 'oauth2', authentication: { client_id: 'me', client_secret: 'cs-1' } },
    },
    hidden: ['cs-1'],
    shown: ['me'],
  },
  {
    name: 'what stands in an address',
    server: { url: 'https://u:pw-1@a.b/s/a1b2c3d4e5f6a7b8c9d0e1/mcp?apiKey=key-1&page=2' },
    hidden: ['pw-1', 'a1b2c3d4e5f6a7b8c9d0e1', 'key-1'],
    shown: ['2', 'mcp', 's'],
  },
]

/** Servers as other programs write them, and what is understood; null is refused. */
export const SERVER_CASES: { name: string; given: object; understood: object | null }[] = [
  {
    name: 'a command',
    given: { command: 'npx', args: ['-y', 'a'] },
    understood: { transport: 'stdio', command: 'npx' },
  },
  { name: 'arguments as one text', given: { command: 'npx', args: '-y "a b"' }, understood: { args: ['-y', 'a b'] } },
  {
    name: 'an environment as one text',
    given: { command: 'x', env: 'A=1,B=2' },
    understood: { env: { A: '1', B: '2' } },
  },
  {
    name: 'an address',
    given: { url: 'https://a/mcp' },
    understood: { transport: 'http', auth: { strategy: 'none' } },
  },
  { name: 'an address of events by its end', given: { url: 'https://a/sse' }, understood: { transport: 'sse' } },
  { name: 'a named transport', given: { url: 'https://a/sse', type: 'shttp' }, understood: { transport: 'http' } },
  {
    name: 'the long name',
    given: { url: 'https://a', transport: 'streamable-http' },
    understood: { transport: 'http' },
  },
  { name: 'events by name', given: { url: 'https://a', type: 'sse' }, understood: { transport: 'sse' } },
  {
    name: 'a key',
    given: { url: 'https://a', api_key: 'k' },
    understood: { auth: { strategy: 'bearer', value: 'k' } },
  },
  {
    name: 'a key in a header',
    given: { url: 'https://a', auth: { strategy: 'api_key', value: 'k', header_name: 'X-Key' } },
    understood: { auth: { header_name: 'X-Key' } },
  },
  { name: 'nothing', given: {}, understood: null },
  { name: 'a command that is an address only by type', given: { type: 'stdio', url: 'https://a' }, understood: null },
  { name: 'another scheme', given: { url: 'file:///etc/passwd' }, understood: null },
  {
    name: 'a header that would split the request',
    given: { url: 'https://a', headers: { A: 'x\r\nB: y' } },
    understood: null,
  },
  { name: 'a name of a header that is none', given: { url: 'https://a', headers: { 'a b': 'x' } }, understood: null },
  { name: 'a name of a variable that is none', given: { command: 'x', env: { 'A;B': '1' } }, understood: null },
  { name: 'a time-out of nothing', given: { command: 'x', timeout: 0 }, understood: null },
]

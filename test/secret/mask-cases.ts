import { HIDDEN } from '../../server/api/contract/hidden-values.ts'

/** Values that have what encodings change: `/`, `+`, `=`, `&`, blanks, quotes, characters beyond ASCII. */
const TOKEN = 'ghp_Zm9v+bar/baz=42?&x'
const PHRASE = `it's "two" words & <more>/ é €`
const line = (char: string) => char.repeat(64)
const PEM = `-----BEGIN PRIVATE KEY-----\n${line('Ab')}\n${line('Cd')}\nshort+tail==\n-----END PRIVATE KEY-----`
const LONG = `lk_${Array.from({ length: 40 }, (_, index) => `${index}xYz`).join('')}`

export interface MaskCase {
  name: string
  secret: string
  /** What a program shows. */
  text: string
  /** What may be seen of it. */
  shown: string
}

const base64 = (text: string) => Buffer.from(text).toString('base64')
const base64url = (text: string) => Buffer.from(text).toString('base64url')
const hex = (text: string) => Buffer.from(text).toString('hex')
const lower = (text: string) => text.replace(/%[\dA-F]{2}/g, code => code.toLowerCase())
const wrapped = (text: string, length: number) => text.replace(new RegExp(`(.{${length}})(?!$)`, 'g'), '$1\n')
const form = (text: string) => new URLSearchParams({ a: text }).toString().slice(2)
const whole = (name: string, secret: string, encoded: string): MaskCase => {
  return { name, secret, text: `<${encoded}>`, shown: `<${HIDDEN}>` }
}

export const MASKED: MaskCase[] = [
  whole('as it is', TOKEN, TOKEN),
  whole('as it is, with blanks and quotes', PHRASE, PHRASE),
  { name: 'several times', secret: TOKEN, text: `${TOKEN}${TOKEN} ${TOKEN}`, shown: `${HIDDEN}${HIDDEN} ${HIDDEN}` },
  { name: 'in an assignment', secret: TOKEN, text: `export T='${TOKEN}'\n`, shown: `export T='${HIDDEN}'\n` },
  {
    name: 'in the error of a program',
    secret: TOKEN,
    text: `fatal: https://x:${TOKEN}@host/ not found`,
    shown: `fatal: https://x:${HIDDEN}@host/ not found`,
  },
  {
    name: 'in a header',
    secret: TOKEN,
    text: `Authorization: Bearer ${TOKEN}\r\n`,
    shown: `Authorization: Bearer ${HIDDEN}\r\n`,
  },
  whole('base64', TOKEN, base64(TOKEN)),
  whole('base64 of a phrase', PHRASE, base64(PHRASE)),
  whole('base64 without padding', `${TOKEN}1`, base64(`${TOKEN}1`).replace(/=+$/, '')),
  whole('base64 for URLs', TOKEN, base64url(TOKEN)),
  whole('base64 for URLs of a phrase', PHRASE, base64url(PHRASE)),
  {
    name: 'base64 after one byte',
    secret: TOKEN,
    text: base64(`:${TOKEN}`),
    shown: base64(`:${TOKEN}`).slice(0, 2) + HIDDEN + base64(`:${TOKEN}`).slice(-2),
  },
  {
    name: 'base64 after two bytes',
    secret: TOKEN,
    text: base64(`a:${TOKEN}`),
    shown: base64(`a:${TOKEN}`).slice(0, 3) + HIDDEN,
  },
  {
    name: 'base64 after three bytes',
    secret: TOKEN,
    text: base64(`ab:${TOKEN}`),
    shown: base64('ab:') + HIDDEN,
  },
  {
    name: 'base64 with its line end, as echo makes it',
    secret: `${TOKEN}12`,
    text: base64(`${TOKEN}12\n`),
    shown: HIDDEN + base64(`${TOKEN}12\n`).slice(32),
  },
  whole('base64 in lines of 76', LONG, wrapped(base64(LONG), 76)),
  whole('base64 in lines of 64', LONG, wrapped(base64(LONG), 64)),
  whole('hexadecimal', TOKEN, hex(TOKEN)),
  whole('hexadecimal in capitals', TOKEN, hex(TOKEN).toUpperCase()),
  whole('hexadecimal in lines of 60', LONG, wrapped(hex(LONG), 60)),
  whole('percent-encoded', TOKEN, encodeURIComponent(TOKEN)),
  whole('percent-encoded in small letters', TOKEN, lower(encodeURIComponent(TOKEN))),
  whole('percent-encoded by Python, which leaves slashes', TOKEN, encodeURIComponent(TOKEN).replaceAll('%2F', '/')),
  whole('percent-encoded as a whole URL', TOKEN, encodeURI(TOKEN)),
  whole('percent-encoded phrase', PHRASE, encodeURIComponent(PHRASE)),
  whole('as a field of a form', PHRASE, form(PHRASE)),
  {
    name: 'in the query of a URL',
    secret: TOKEN,
    text: `/login?t=${encodeURIComponent(TOKEN)}&u=1`,
    shown: `/login?t=${HIDDEN}&u=1`,
  },
  { name: 'in JSON', secret: PHRASE, text: JSON.stringify({ a: PHRASE }), shown: `{"a":"${HIDDEN}"}` },
  {
    name: 'in JSON within JSON',
    secret: PHRASE,
    text: JSON.stringify(JSON.stringify({ a: PHRASE })),
    shown: `"{\\"a\\":\\"${HIDDEN}\\"}"`,
  },
  whole('in JSON that knows ASCII only', PHRASE, `it's \\"two\\" words & <more>/ \\u00e9 \\u20ac`),
  whole('in JSON that escapes slashes', TOKEN, TOKEN.replaceAll('/', '\\/')),
  whole('in HTML', PHRASE, 'it&#39;s &quot;two&quot; words &amp; &lt;more&gt;/ é €'),
  whole('in HTML by Python', PHRASE, 'it&#x27;s &quot;two&quot; words &amp; &lt;more&gt;/ é €'),
  whole('in HTML that leaves quotes', PHRASE, `it's "two" words &amp; &lt;more&gt;/ é €`),
  whole('in a shell’s quotes', PHRASE, `it'\\''s "two" words & <more>/ é €`),
  whole('in a shell’s other quotes', PHRASE, `it'"'"'s "two" words & <more>/ é €`),
  whole('as bash writes it for itself', `pa$$ w"o'rd!`, `pa\\$\\$\\ w\\"o\\'rd\\!`),
  whole('a key of several lines', PEM, PEM),
  whole('a key of several lines through a terminal', PEM, PEM.replaceAll('\n', '\r\n')),
  whole('a key of several lines in JSON', PEM, JSON.stringify(PEM).slice(1, -1)),
  whole('a key of several lines in base64', PEM, base64(PEM)),
  { name: 'one line of a key', secret: PEM, text: `grep: ${line('Cd')}`, shown: `grep: ${HIDDEN}` },
  {
    name: 'not the line that every key has',
    secret: PEM,
    text: '-----BEGIN PRIVATE KEY-----',
    shown: '-----BEGIN PRIVATE KEY-----',
  },
  {
    name: 'not what only begins like it',
    secret: TOKEN,
    text: `${TOKEN.slice(0, -1)}.`,
    shown: `${TOKEN.slice(0, -1)}.`,
  },
  { name: 'not what is too short to be one', secret: 'abc', text: 'abc', shown: 'abc' },
  { name: 'next to another beginning of itself', secret: 'aaaaaab', text: 'aaaaaaaaab!', shown: `aaa${HIDDEN}!` },
  { name: 'a number', secret: '4111111111111111', text: '"card": 4111111111111111,', shown: `"card": ${HIDDEN},` },
]

import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { HIDDEN } from '../../server/api/contract/hidden-values.ts'
import { createMask } from '../../server/secret/mask/mask.ts'
import { leastProcessorTime, processorTime } from '../parts/value/growth-of-time.ts'
import { MASKED } from './mask-cases.ts'

const KEY = 'sk-ant-Zm9v+bar/baz=42?&x'

test('a known value is hidden wherever it stands, and other text is left alone', () => {
  const mask = createMask([KEY])
  expect(mask.mask(`a ${KEY} b ${KEY}${KEY}`)).toBe(`a ${HIDDEN} b ${HIDDEN}${HIDDEN}`)
  expect(mask.mask('nothing to hide')).toBe('nothing to hide')
})

test('values shorter than six characters are not hidden, as that would tear text apart', () => {
  expect(createMask(['abc', '12345']).mask('abc 12345')).toBe('abc 12345')
})

describe('a value is hidden', () => {
  test.each(MASKED)('$name', ({ secret, text, shown }) => {
    expect(createMask([secret]).mask(text)).toBe(shown)
  })

  test.each(MASKED)('cut into two pieces at any place: $name', ({ secret, text }) => {
    const mask = createMask([secret])
    for (let at = 0; at <= text.length; at++) {
      const stream = mask.stream()
      const first = stream.push(text.slice(0, at))
      expect(first + stream.push(text.slice(at)) + stream.flush()).toBe(mask.mask(text))
    }
  })

  test.each(MASKED)('while it is being printed, not even in part: $name', ({ secret, text }) => {
    const mask = createMask([secret])
    for (let at = 0; at <= text.length; at++) {
      const { shown, held } = mask.growing(text.slice(0, at))
      expect(mask.mask(text).startsWith(shown)).toBe(true)
      expect(mask.mask(shown + held + text.slice(at))).toBe(mask.mask(text))
    }
  })
})

test('basic authentication does not show the token, whatever the length of the user name', () => {
  const mask = createMask([KEY])
  for (const user of ['', 'a', 'ab', 'abc', 'x-access-token']) {
    const shown = mask.mask(Buffer.from(`${user}:${KEY}:tail`).toString('base64'))
    expect(shown).toContain(HIDDEN)
    // Base64 digits at both ends belong in part to their neighbours: at most one byte of the value is told at each.
    const told = shown
      .split(HIDDEN)
      .map(piece => Buffer.from(piece, 'base64').toString('latin1'))
      .join('')
    expect(told).not.toContain(KEY.slice(0, 3))
    expect(told).not.toContain(KEY.slice(-3))
  }
})

test('each line of a private key is hidden, also with the line ends of a terminal', () => {
  const line = 'b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQ'
  const key = `-----BEGIN OPENSSH PRIVATE KEY-----\n${line}\n-----END OPENSSH PRIVATE KEY-----`
  const mask = createMask([key])
  expect(mask.mask(key.replaceAll('\n', '\r\n'))).toBe(HIDDEN)
  expect(mask.mask(`grep: ${line}`)).toBe(`grep: ${HIDDEN}`)
})

test('however output is cut into pieces, the stream shows what the whole text would show', () => {
  const values = [KEY, 'abcdef', 'abcdefghijkl', 'zzabcdef', 'secret secret']
  const word = fc.constantFrom(...values, Buffer.from(KEY).toString('base64'), 'abc', 'z', ' ', 'text', 'sec')
  fc.assert(
    fc.property(fc.array(word, { maxLength: 12 }), fc.array(fc.nat(9), { maxLength: 60 }), (words, cuts) => {
      const mask = createMask(values)
      const text = words.join('')
      const stream = mask.stream()
      let shown = ''
      let at = 0
      for (const cut of cuts) {
        shown += stream.push(text.slice(at, at + cut))
        at += cut
      }
      shown += stream.push(text.slice(at)) + stream.flush()
      for (const value of values) expect(shown).not.toContain(value)
      expect(shown).toBe(mask.mask(text))
    }),
    { numRuns: 2000 },
  )
})

test('a stream shows ordinary text at once', () => {
  const stream = createMask([KEY]).stream()
  expect(stream.push('$ npm test\r\n')).toBe('$ npm test\r\n')
  expect(stream.push('sk-')).toBe('')
  expect(stream.push('ip')).toBe('sk-ip')
})

test('a value that becomes known later is hidden from then on', () => {
  const mask = createMask()
  const stream = mask.stream()
  expect(stream.push('late-secret ')).toBe('late-secret ')
  mask.add('late-secret')
  expect(stream.push('late-secret ')).toBe(`${HIDDEN} `)
})

describe('takes time by its length alone', () => {
  const random = (characters: number) => randomBytes(characters).toString('hex').slice(0, characters)
  const pem = () =>
    `-----BEGIN PRIVATE KEY-----\n${wrapped(randomBytes(2400).toString('base64'))}-----END PRIVATE KEY-----`
  const wrapped = (code: string) => code.replace(/.{1,64}/g, '$&\n')
  const listing = 'drwxr-xr-x 2 root root sk-1 lorem ipsum deadbeefdeadbeef\n'.repeat(18_000)

  const VALUES: [string, string[], string][] = [
    ['twenty keys that begin alike', Array.from({ length: 20 }, (_, at) => `sk-${'x'.repeat(40)}${at}`), listing],
    ['a value of 65,536 characters', [random(65_536)], listing],
    ['a hundred keys of several lines', Array.from({ length: 100 }, pem), listing],
    [
      'lines that begin alike',
      [Array.from({ length: 2400 }, (_, at) => `${'a'.repeat(24)}${at}`).join('\n')],
      'a'.repeat(1e6),
    ],
    ['a value that repeats itself', ['a'.repeat(5000)], `${'a'.repeat(4999)}b`.repeat(200)],
    ['its base64 as well', ['\0'.repeat(5000)], `${'A'.repeat(6000)}b`.repeat(160)],
    ['a value in the middle of others like it', [`${'a'.repeat(2500)}b${'a'.repeat(2500)}`], 'a'.repeat(1e6)],
  ]

  test.each(VALUES)('adding %s', (_name, values) => {
    expect(processorTime(() => createMask(values).mask('anything'))).toBeLessThan(values.length * 30 + 200)
  })

  test.each(VALUES)('a megabyte with %s', (_name, values, text) => {
    const mask = createMask(values)
    expect(leastProcessorTime(() => mask.mask(text))).toBeLessThan(600)
  })

  test.each(VALUES)('a thousand small pieces with %s', (_name, values, text) => {
    const stream = createMask(values).stream()
    const pieces = Array.from({ length: 1000 }, (_, at) => text.slice(at * 5, at * 5 + 5))
    expect(processorTime(() => pieces.map(piece => stream.push(piece)))).toBeLessThan(2000)
  })
})

test('a part of a code is hidden wherever it is cut out', () => {
  const value = 'correct horse battery staple, and a tail that is long enough'
  const mask = createMask([value])
  for (const code of [Buffer.from(value).toString('base64'), Buffer.from(value).toString('hex')]) {
    for (let at = 0; at + 16 <= code.length; at++) {
      expect(mask.mask(`at ${code.slice(at, at + 16)}.`)).toBe(`at ${HIDDEN}.`)
    }
  }
})

test('values that overlap are hidden together', () => {
  const mask = createMask(['zzabcdef', 'abcdefghijkl'])
  expect(mask.mask('a zzabcdefghijkl b')).toBe(`a ${HIDDEN} b`)
})

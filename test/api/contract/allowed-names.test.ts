import { describe, expect, test } from 'vitest'
import {
  ALLOWLIST_PRESETS,
  allowedNames,
  isAllowedName,
  nameText,
  PRESET_HOSTS,
  parseAllowedName,
  readAllowlist,
} from '../../../server/api/network-policy.ts'

const list = (...hosts: string[]) => allowedNames({ presets: [], hosts })

describe('an entry of an allowlist', () => {
  test.each([
    ['Example.COM.', 'example.com'],
    ['*.Example.com', '*.example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['github.com:22', 'github.com:22'],
    ['example.com:443', 'example.com:443'],
    [' 203.0.113.7 ', '203.0.113.7'],
    ['[2001:db8::7]:22', '[2001:db8::7]:22'],
  ])('%s is read as %s', (text, expected) => {
    const read = parseAllowedName(text)
    if ('problem' in read) throw new Error(read.problem)
    expect(nameText(read)).toBe(expected)
  })

  test.each([
    ['', 'shape'],
    ['*', 'shape'],
    ['a b', 'shape'],
    ['https://example.com', 'shape'],
    ['example.com/path', 'shape'],
    ['user@example.com', 'shape'],
    ['a|b.example', 'shape'],
    ['a..example', 'shape'],
    ['-a.example', 'shape'],
    [`${'a'.repeat(64)}.example`, 'shape'],
    ['*.*.example', 'shape'],
    ['x.*.example', 'shape'],
    ['example.com:0', 'port'],
    ['example.com:70000', 'port'],
    ['*.203.0.113.7', 'address'],
    ['localhost', 'localhost'],
    ['a.localhost', 'localhost'],
    ['*.com', 'wide'],
  ])('%s is none: %s', (text, problem) => {
    expect(parseAllowedName(text)).toMatchObject({ problem })
  })

  test('of every preset can be read, and stands in it once', () => {
    for (const preset of ALLOWLIST_PRESETS) {
      expect(allowedNames({ presets: [preset], hosts: [] }).map(nameText)).toEqual(PRESET_HOSTS[preset])
    }
  })
})

describe('a host is on the list', () => {
  test.each([
    [['example.com'], 'example.com', 443, true],
    [['example.com'], 'example.com', 8443, true],
    [['example.com'], 'example.com', 22, false],
    [['example.com'], 'a.example.com', 443, false],
    [['*.example.com'], 'example.com', 443, false],
    [['*.example.com'], 'b.a.example.com', 443, true],
    [['*.example.com'], 'aexample.com', 443, false],
    [['*.example.com'], 'example.com.evil', 443, false],
    [['github.com:22'], 'github.com', 22, true],
    [['github.com:22'], 'github.com', 443, false],
    [[], 'example.com', 443, false],
  ])('%j: %s:%i is %s', (hosts, host, port, expected) => {
    expect(isAllowedName(list(...hosts), host, port)).toBe(expected)
  })
})

test('what is stored and not understood allows nothing', () => {
  for (const value of [null, 7, 'x', [], {}, { presets: 'code', hosts: {} }, { presets: ['all'], hosts: [7] }]) {
    expect(readAllowlist(value)).toEqual({ presets: [], hosts: [] })
  }
  expect(list('https://example.com')).toEqual([])
})

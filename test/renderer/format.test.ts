import { afterEach, expect, test, vi } from 'vitest'
import {
  formatAge,
  formatAgo,
  formatBytes,
  formatCost,
  formatDuration,
  repositoryName,
} from '../../renderer/state/format.ts'
import { shortcutOf } from '../../renderer/state/shortcuts.ts'

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1_500, '1.5 kB'],
  [77_000_000, '77 MB'],
  [4_290_000_000, '4.3 GB'],
])('%d bytes are %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text))

test.each([
  [240, '0.2 s'],
  [41_900, '41 s'],
  [185_000, '3 min 5 s'],
  [7_440_000, '2 h 4 min'],
  [-5, '0.0 s'],
])('%d ms are %s', (time, text) => expect(formatDuration(time)).toBe(text))

test.each([
  [30_000, 'now'],
  [300_000, '5 min'],
  [3 * 3_600_000, '3 h'],
  [50 * 3_600_000, '2 d'],
])('%d ms ago is %s', (age, text) => expect(formatAge(1e12, 1e12 + age)).toBe(text))

test.each([
  [1_000, 'just now'],
  [300_000, '5 min ago'],
  [7_200_000, '2 h ago'],
])('in a sentence %d ms ago is %s', (age, text) => expect(formatAgo(1e12, 1e12 + age)).toBe(text))

test('a small cost is not rounded to nothing', () => {
  expect(formatCost(0)).toBe('$0.00')
  expect(formatCost(0.002)).toBe('< $0.01')
})

test.each([
  ['https://github.com/acme/shop.git', 'acme/shop'],
  ['git@github.com:acme/shop.git', 'acme/shop'],
  ['ssh://git@host:22/a/b/c', 'b/c'],
  ['acme/shop', 'acme/shop'],
  ['http://172.17.0.1:8080/shop.git', 'shop'],
])('%s is called %s', (address, name) => expect(repositoryName(address)).toBe(name))

// The files that come after it in the same process share what it has loaded.
afterEach(() => {
  vi.doUnmock('../../renderer/language/current.ts')
  vi.resetModules()
})

test.each([
  ['de-DE', ['1,5 kB', '77 MB', '0,2 s', '0,3 %', '1,50 $', '9.876', '1,2M']],
  ['fr-FR', ['1,5 ko', '77 Mo', '0,2 s', '0,3 %', '1,50 $', '9 876', '1,2M']],
  ['ja-JP', ['1.5 KB', '77 MB', '0.2 s', '0.3%', '$1.50', '9,876', '1.2M']],
])('numbers are written as in %s', async (LOCALE, expected) => {
  vi.resetModules()
  vi.doMock('../../renderer/language/current.ts', () => ({ LANGUAGE: 'en', LOCALE, DIRECTION: 'ltr' }))
  const format = await import('../../renderer/state/format.ts')
  const texts = [
    format.formatBytes(1_500),
    format.formatBytes(77_000_000),
    format.formatDuration(240),
    format.formatPercent(0.25),
    format.formatCost(1.5),
    format.formatTokens(9_876),
    format.formatTokens(1_200_000),
  ]
  expect(texts.map(text => text.replace(/\s/g, ' '))).toEqual(expected)
})

test('a shortcut is the same on every keyboard', () => {
  const none = { metaKey: false, ctrlKey: false, shiftKey: false, altKey: false }
  expect(shortcutOf({ ...none, key: 'K', metaKey: true })).toBe('Mod+k')
  expect(shortcutOf({ ...none, key: 'k', ctrlKey: true, shiftKey: true })).toBe('Mod+Shift+k')
  expect(shortcutOf({ ...none, key: 'Enter' })).toBe('Enter')
})

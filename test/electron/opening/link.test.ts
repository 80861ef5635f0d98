import { expect, test } from 'vitest'
import { linkRoute, MAX_LINK_CHARACTERS } from '../../../electron/opening/link.ts'

const ID = '0197c3a2-0000-7000-8000-000000000001'

/** The text as the page gets it. */
function textOf(route: string): unknown {
  return JSON.parse(new URL(route, 'http://x').searchParams.get('text') ?? 'null')
}

test.each(['Fix the failing test.', 'two\nlines\tand a tab', '42', '{"a": 1} & b=c #d', 'مرحبا 👩‍💻 ❤️ می‌خواهم'])(
  'a task is filled in as it was written: %j',
  text => {
    expect(textOf(linkRoute(`atelier://new?text=${encodeURIComponent(text)}`))).toBe(text)
  },
)

test('a link to begin a task with, and one to a conversation', () => {
  expect(linkRoute('atelier://new')).toBe('/')
  expect(linkRoute('atelier://new/?text=%20')).toBe('/')
  expect(linkRoute(`atelier://open?conversation=${ID}`)).toBe(`/conversations/${ID}`)
})

test.each([
  ['unknown', 'atelier:new?text=x'],
  ['unknown', 'atelier://run?text=x'],
  ['unknown', 'atelier://new/settings?text=x'],
  ['unknown', 'atelier://new?text=x&start=1'],
  ['unknown', 'atelier://new?text=x&text=y'],
  ['unknown', 'atelier://new?folder=/etc'],
  ['unknown', 'atelier://ada@new?text=x'],
  ['unknown', 'atelier://new:80?text=x'],
  ['unknown', 'atelier://new#text'],
  ['unknown', 'atelier://open'],
  ['unknown', `atelier://open?conversation=${ID}&seq=1`],
  ['unknown', 'atelier://open?conversation=../settings'],
  ['unknown', 'app://atelier/'],
  ['unknown', 'atelier://'],
  ['unknown', ''],
  ['hidden', 'atelier://new?text=a%00b'],
  ['hidden', `atelier://new?text=${encodeURIComponent('a\u202eb')}`],
  ['hidden', `atelier://new?text=${encodeURIComponent('a\u200bb')}`],
  ['hidden', `atelier://new?text=${encodeURIComponent('a\u{e0041}b')}`],
  ['hidden', `atelier://new?text=${encodeURIComponent('a\u{e0101}b')}`],
  ['hidden', `atelier://new?text=${encodeURIComponent('a\u001b[2Jb')}`],
  ['too_long', `atelier://new?text=${'x'.repeat(MAX_LINK_CHARACTERS)}`],
])('is refused as %s: %j', (problem, link) => {
  expect(linkRoute(link)).toBe(`/?link=${problem}`)
})

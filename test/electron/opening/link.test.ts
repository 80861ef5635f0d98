import { expect, test } from 'vitest'
import { linkRoute, MAX_LINK_CHARACTERS, MAX_TEXT_CHARACTERS } from '../../../electron/opening/link.ts'

const ID = '0197c3a2-0000-7000-8000-000000000001'

/** The text as the page gets it. */
function textOf(route: string): unknown {
  return JSON.parse(new URL(route, 'http://x').searchParams.get('text') ?? 'null')
}

test.each([
  'Fix the failing test.',
  'two\nlines\tand a tab',
  '42',
  '{"a": 1} & b=c #d',
  'مرحبا 👩‍💻 ❤️ ❤️‍🔥 می‌خواهم क्‍ष ✔︎',
  '任'.repeat(2_600),
  'x'.repeat(MAX_TEXT_CHARACTERS),
])('a task is filled in as it was written: %j', text => {
  expect(textOf(linkRoute(`atelier://new?text=${encodeURIComponent(text)}`))).toBe(text)
})

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
  ['elsewhere', 'app://atelier/'],
  ['elsewhere', 'sftp://server/srv'],
  ['elsewhere', 'trash:///'],
  ['unknown', 'atelier://'],
  ['unknown', ''],
  ['hidden', 'atelier://new?text=a%00b'],
  ['hidden', `atelier://new?text=${encodeURIComponent('a\u202eb')}`],
  ['hidden', `atelier://new?text=${encodeURIComponent('a\u200bb')}`],
  ['hidden', `atelier://new?text=${encodeURIComponent('a\u{e0041}b')}`],
  ['hidden', `atelier://new?text=${encodeURIComponent('a\u{e0101}b')}`],
  ['hidden', `atelier://new?text=${encodeURIComponent('a\u001b[2Jb')}`],
  ['too_long', `atelier://new?text=${'x'.repeat(MAX_TEXT_CHARACTERS + 1)}`],
  ['too_long', `atelier://new?text=${'%41'.repeat(MAX_LINK_CHARACTERS / 3)}`],
  // What the program `atelier` makes of a longer one.
  ['too_long', `atelier:${'0'.repeat(MAX_LINK_CHARACTERS)}`],
])('is refused as %s: %j', (problem, link) => {
  expect(linkRoute(link)).toBe(`/?link=${problem}`)
})

test.each([
  '\u034f',
  '\u115f',
  '\u1160',
  '\u17b4',
  '\u17b5',
  '\u180b',
  '\u180c',
  '\u180d',
  '\u2800',
  '\u3164',
  '\ufe00',
  '\ufe0d',
  '\uffa0',
])('a text with the invisible character %j is refused', character => {
  expect(linkRoute(`atelier://new?text=${encodeURIComponent(`a${character}b`)}`)).toBe('/?link=hidden')
})

test.each([
  ['two variation selectors', 'a\ufe0f\ufe0fb'],
  ['a variation selector at the start', '\ufe0fa'],
  ['a variation selector after a space', 'a \ufe0eb'],
  ['two joiners', 'a\u200d\u200db'],
  ['two kinds of joiners', 'a\u200c\u200db'],
  ['a joiner at the end', 'a\u200d'],
  ['a joiner after a space', 'a \u200cb'],
  ['a variation selector after a joiner', 'a\u200d\ufe0fb'],
])('%s is refused', (_, text) => {
  expect(linkRoute(`atelier://new?text=${encodeURIComponent(text)}`)).toBe('/?link=hidden')
})

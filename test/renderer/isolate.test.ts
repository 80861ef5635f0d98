import { expect, test } from 'vitest'
import { isolated } from '../../renderer/language/isolate.ts'

test('a text in a sentence is kept apart from it, so that what stands at its ends stays there', () => {
  expect(isolated('بواسطة {author}', { author: 'Ada <ada@example.invalid>' })).toEqual({
    author: '\u2068Ada <ada@example.invalid>\u2069',
  })
})

test('what a message only chooses by, and what is no text, stays as it is', () => {
  const message = '{state, select, on {{name}} other {{count}}}'
  expect(isolated(message, { state: 'on', name: '.git', count: 3 })).toEqual({
    state: 'on',
    name: '\u2068.git\u2069',
    count: 3,
  })
  expect(isolated('{state, select, on {yes} other {{state}}}', { state: 'on' })).toEqual({ state: 'on' })
})

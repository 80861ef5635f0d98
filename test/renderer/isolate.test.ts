import { expect, test, vi } from 'vitest'
import { isolated } from '../../renderer/language/isolate.ts'

test.afterEach(() => {
  vi.doUnmock('../../renderer/language/current.ts')
  vi.resetModules()
})

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

test('in Arabic every sentence is made so, and numbers choose its form as before', async () => {
  vi.doMock('../../renderer/language/current.ts', () => ({ LANGUAGE: 'ar', LOCALE: 'ar', DIRECTION: 'rtl' }))
  vi.resetModules()
  const { translator } = await import('../../renderer/language/translator.ts')
  const t = translator('conversationPanel')
  expect(t('commitAuthor', { name: 'Ada', email: 'ada@example.invalid' })).toMatch(
    /^\P{Script=Latin}+\u2068Ada\u2069 <\u2068ada@example\.invalid\u2069>$/u,
  )
  expect(t('pushQuestion', { count: 3, branch: 'main' })).toMatch(/3\P{Script=Latin}+\u2068main\u2069/u)
  expect(t('commit')).not.toContain('\u2068')
})

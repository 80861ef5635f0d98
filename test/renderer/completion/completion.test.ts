import { expect, test } from 'vitest'
import { completed, completionAt, fileMention } from '../../../renderer/state/completion/completion.ts'

const at = (text: string) => completionAt(text.replace('|', ''), text.indexOf('|'))

test('a file is completed after an at sign, wherever a word begins', () => {
  expect(at('@|')).toEqual({ kind: 'file', start: 0, query: '' })
  expect(at('Look at @src/pa| and')).toEqual({ kind: 'file', start: 8, query: 'src/pa' })
  expect(at('one\n(@a|')).toEqual({ kind: 'file', start: 5, query: 'a' })
  for (const text of ['me@example.org|', '@a b|', '@a |', 'a|', '|@a', '@"a|'])
    expect([text, at(text)]).toEqual([text, null])
})

test('a command is completed where nothing else is written', () => {
  expect(at('/|')).toEqual({ kind: 'command', start: 0, query: '' })
  expect(at('/fork| ')).toEqual({ kind: 'command', start: 0, query: 'fork' })
  for (const text of ['/|Fix the parser', '/fo|rk', 'a /fo|', '/fork |', '/etc/pa|', '|/fork', ' /fo|'])
    expect([text, at(text)]).toEqual([text, null])
})

test('the whole word takes the place of its part, and the caret stands behind it', () => {
  const text = 'Look at @src/pa and'
  const caret = 'Look at @src/pa'.length
  const completion = completionAt(text, caret)
  if (!completion) throw new Error('There is none.')
  expect(completed(text, completion, caret, '@src/parser.py')).toEqual({
    text: 'Look at @src/parser.py and',
    caret: 'Look at @src/parser.py '.length,
  })
  expect(completed('Look at @sr', { kind: 'file', start: 8, query: 'sr' }, 11, '@src/')).toEqual({
    text: 'Look at @src/',
    caret: 'Look at @src/'.length,
  })
  expect(completed('/fo', { kind: 'command', start: 0, query: 'fo' }, 3, '/fork')).toEqual({ text: '/fork ', caret: 6 })
})

test('a path with blanks stays one word', () => {
  expect(fileMention('src/a.ts')).toBe('@src/a.ts')
  expect(fileMention('my file".ts')).toBe('@"my file\\".ts"')
})

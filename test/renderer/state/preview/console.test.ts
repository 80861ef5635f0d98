import { expect, test } from 'vitest'
import { countErrors, errorsFor, fenced, withMessages } from '../../../../renderer/state/preview/console.ts'

const error = (text: string) => ({ level: 'error' as const, text, place: 'http://localhost:5173/a.js:4' })

test('what comes again and again stands once, with its number', () => {
  const messages = withMessages(withMessages([], [error('a'), error('a')]), [error('a'), error('b'), error('a')])
  expect(messages.map(({ text, times }) => [text, times])).toEqual([
    ['a', 3],
    ['b', 1],
    ['a', 1],
  ])
  expect(new Set(messages.map(({ id }) => id)).size).toBe(3)
  expect(countErrors(messages)).toBe(5)
})

test('many messages and long ones are bounded, the newest stay', () => {
  const many = Array.from({ length: 600 }, (_, index) => error(String(index)))
  const messages = withMessages([], [...many, error('x'.repeat(10_000))])
  expect(messages).toHaveLength(500)
  expect(messages.at(-2)?.text).toBe('599')
  expect(messages.at(-1)?.text).toHaveLength(4_000)
})

test('the agent gets the last errors, with their places, and nothing else', () => {
  const messages = withMessages(
    [],
    [
      { level: 'warning', text: 'almost', place: '' },
      ...Array.from({ length: 30 }, (_, index) => error(`broken ${index}`)),
      error('last'),
      error('last'),
    ],
  )
  const lines = errorsFor(messages).split('\n')
  expect(lines).toHaveLength(20)
  expect(lines.at(-1)).toBe('last (http://localhost:5173/a.js:4) ×2')
  expect(errorsFor([])).toBe('')
})

test('a text cannot end the block that it stands in', () => {
  expect(fenced('a')).toBe('```\na\n```')
  expect(fenced('a\n````\nb')).toBe('`````\na\n````\nb\n`````')
})

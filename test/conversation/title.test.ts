import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { titleFromMessage } from '../../server/agent/default-title.ts'
import { FIRST_LINE_CASES } from './data/first-line-cases.ts'

describe('the title that a first line makes', () => {
  it.each(FIRST_LINE_CASES)('of %j is %j', (message, title) => {
    expect(titleFromMessage(message)).toBe(title)
  })

  it('is one short line, or none where nothing was written', () => {
    const marks = fc.string({ unit: fc.constantFrom('*', '_', '`', '#', '[', ']', '(', ')', '~', 'a', ' ', '\n', '-') })
    fc.assert(
      fc.property(fc.oneof(marks, fc.string({ unit: 'grapheme' })), message => {
        const title = titleFromMessage(message)
        expect(title === null).toBe(message.trim() === '')
        expect(title?.length ?? 0).toBeLessThanOrEqual(50)
        expect(title ?? '').not.toContain('\n')
      }),
    )
  })

  it('is found at once in the longest line', () => {
    for (const line of ['*', '_a ', '`', '[', '**a', '- ', '[a]('].map(part => part.repeat(100_000 / part.length))) {
      const before = performance.now()
      titleFromMessage(line)
      expect(performance.now() - before).toBeLessThan(2_000)
    }
  })
})

import { describe, expect, test } from 'vitest'
import { recalled } from '../../../renderer/pages/conversation/composer/recall.ts'

const TEXTS = ['first', 'second\nof two lines', 'third']

describe('the arrow keys in the composer', () => {
  test('go through earlier messages and back to an empty draft', () => {
    expect(recalled(TEXTS, '', -1)).toBe('third')
    expect(recalled(TEXTS, 'third', -1)).toBe('second\nof two lines')
    expect(recalled(TEXTS, 'first', 1)).toBe('second\nof two lines')
    expect(recalled(TEXTS, 'third', 1)).toBe('')
  })

  test('leave a draft of the person alone, and stop at both ends', () => {
    expect(recalled(TEXTS, 'third, but better', -1)).toBeUndefined()
    expect(recalled(TEXTS, 'first', -1)).toBeUndefined()
    expect(recalled(TEXTS, '', 1)).toBeUndefined()
    expect(recalled([], '', -1)).toBeUndefined()
  })
})

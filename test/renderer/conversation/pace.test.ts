import { expect, test } from 'vitest'
import type { Input } from '../../../renderer/state/conversation/conversation.ts'
import { pauseBefore } from '../../../renderer/state/conversation/pace.ts'

const text: Input = {
  kind: 'frame',
  frame: { kind: 'StreamingDeltaEvent', id: '1', timestamp: '2026-01-01T00:00:00Z', source: 'agent', content: 'a' },
}

test('a text is shown less often the longer it is, but four times a second at least', () => {
  expect(pauseBefore(text, 0)).toBe(50)
  expect(pauseBefore(text, 2_000)).toBe(150)
  expect(pauseBefore(text, 100_000)).toBe(250)
})

test('whatever else happens does not wait for that', () => {
  expect(pauseBefore({ kind: 'error_dismissed' }, 100_000)).toBe(50)
})

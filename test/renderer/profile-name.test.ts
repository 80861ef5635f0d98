import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nameProblem, proposedName } from '../../renderer/state/settings/profile-name.ts'

test.each([
  ['fast', undefined],
  [' fast ', undefined],
  ['gpt-5.1_mini', undefined],
  ['', 'Give it a name.'],
  ['  ', 'Give it a name.'],
  ['two words', /Letters, digits/],
  ['-first', /Letters, digits/],
  ['../up', /Letters, digits/],
  ['x'.repeat(65), /64 at most/],
  ['taken', /of this name already/],
  [' taken ', /of this name already/],
])('the name %j of a saved model: %s', (name, problem) => {
  const found = nameProblem(name, ['taken'])
  if (problem === undefined) expect(found).toBeUndefined()
  else expect(found).toMatch(problem)
})

test.each([
  ['anthropic/claude-sonnet-4-5', 'claude-sonnet-4-5'],
  ['openai/qwen3:8b', 'qwen3-8b'],
  ['gpt-5', 'gpt-5-3'],
  ['openai/', ''],
])('for %s, %j is proposed', (model, name) => {
  expect(proposedName(model, ['gpt-5', 'gpt-5-2'])).toBe(name)
})

test('what is proposed always fits, or is nothing', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 300 }), fc.array(fc.constantFrom('a', 'a-2', 'b')), (model, taken) => {
      const name = proposedName(model, taken)
      if (name !== '') expect(nameProblem(name, taken)).toBeUndefined()
    }),
  )
})

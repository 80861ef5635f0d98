import { describe, expect, test } from 'vitest'
import {
  checkEdits,
  countEdits,
  fieldText,
  NO_EDITS,
  type SettingsEdits,
  withEdit,
} from '../../renderer/state/settings-form.ts'

const edits = (fields: SettingsEdits['fields'], key: SettingsEdits['key'] = { kind: 'keep' }) => ({ fields, key })

describe('only what was changed is sent', () => {
  test('nothing changed, nothing sent', () => {
    expect(checkEdits(NO_EDITS)).toEqual({ ok: true, patch: {} })
  })

  test('an emptied field is cleared, the others are not named', () => {
    expect(checkEdits(edits({ max_budget_per_task: '' }))).toEqual({ ok: true, patch: { max_budget_per_task: null } })
  })

  test('a field that is as stored again is no change', () => {
    const typed = withEdit(NO_EDITS, null, 'llm_model', 'a')
    expect(countEdits(typed)).toBe(1)
    expect(fieldText(typed, null, 'llm_model')).toBe('a')
    expect(countEdits(withEdit(typed, null, 'llm_model', ''))).toBe(0)
  })

  test('numbers and trimmed texts go out in their own types', () => {
    const checked = checkEdits(edits({ max_iterations: ' 40 ', llm_model: ' openai/gpt-5 ' }))
    expect(checked).toEqual({ ok: true, patch: { max_iterations: 40, llm_model: 'openai/gpt-5' } })
  })
})

describe('the stored key', () => {
  test('is kept when other fields are saved', () => {
    expect(checkEdits(edits({ llm_model: 'a' }))).toEqual({ ok: true, patch: { llm_model: 'a' } })
  })

  test('is cleared only on purpose', () => {
    expect(checkEdits(edits({}, { kind: 'clear' }))).toEqual({ ok: true, patch: { llm_api_key: '' } })
  })

  test.each(['', '   '])('is not cleared by an empty replacement %j', key => {
    expect(checkEdits(edits({}, { kind: 'replace', key }))).toMatchObject({ ok: false })
  })
})

describe('a value that does not fit', () => {
  test.each([
    ['max_iterations', '0'],
    ['max_iterations', 'many'],
    ['max_iterations', '1.5'],
    ['max_budget_per_task', '-1'],
    ['llm_base_url', 'localhost:8000'],
  ] as const)('%s = %s is refused at its field', (field, text) => {
    const checked = checkEdits(edits({ [field]: text }))
    expect(checked.ok ? {} : Object.keys(checked.errors)).toEqual([field])
  })
})

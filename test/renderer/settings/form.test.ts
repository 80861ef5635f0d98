import { describe, expect, test } from 'vitest'
import {
  checkEdits,
  countEdits,
  editedFields,
  fieldText,
  isOn,
  NO_EDITS,
  type SettingsEdits,
  withEdit,
  withKey,
  withSwitch,
} from '../../../renderer/state/settings/form.ts'
import { NO_SERVERS } from '../../../renderer/state/settings/tool-servers.ts'
import { KEY_FIELDS } from '../../../server/api/v1/settings/key-fields.ts'

const edits = (fields: SettingsEdits['fields']): SettingsEdits => ({ ...NO_EDITS, fields })

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

  test('a choice that is taken back is cleared', () => {
    expect(checkEdits(edits({ event_dialect: '2025' }))).toEqual({ ok: true, patch: { event_dialect: '2025' } })
    expect(checkEdits(edits({ event_dialect: '' }))).toEqual({ ok: true, patch: { event_dialect: null } })
    expect(checkEdits(edits({ event_dialect: '1999' }))).toMatchObject({
      ok: false,
      errors: { event_dialect: expect.any(String) },
    })
  })

  test('a switch shows its default, and is sent only when it differs', () => {
    expect(isOn(NO_EDITS, null, 'enable_default_condenser')).toBe(true)
    expect(isOn(NO_EDITS, null, 'confirmation_mode')).toBe(false)
    const off = withSwitch(NO_EDITS, null, 'enable_default_condenser', false)
    expect(checkEdits(off)).toEqual({ ok: true, patch: { enable_default_condenser: false } })
    expect(countEdits(withSwitch(off, null, 'enable_default_condenser', true))).toBe(0)
  })

  test('tool servers go as one field', () => {
    const changed = { ...NO_EDITS, servers: NO_SERVERS }
    expect(editedFields(changed)).toEqual(['mcp_config'])
    expect(checkEdits(changed)).toEqual({ ok: true, patch: { mcp_config: NO_SERVERS } })
  })
})

describe.each(KEY_FIELDS)('the stored %s', field => {
  test('is kept when other fields are saved', () => {
    expect(checkEdits(edits({ llm_model: 'a' }))).toEqual({ ok: true, patch: { llm_model: 'a' } })
  })

  test('is cleared only on purpose', () => {
    expect(checkEdits(withKey(NO_EDITS, field, { kind: 'clear' }))).toEqual({ ok: true, patch: { [field]: '' } })
  })

  test('is not named after all when it is kept again', () => {
    const kept = withKey(withKey(NO_EDITS, field, { kind: 'clear' }), field, { kind: 'keep' })
    expect(checkEdits(kept)).toEqual({ ok: true, patch: {} })
  })

  test.each(['', '   '])('is not cleared by an empty replacement %j', key => {
    expect(checkEdits(withKey(NO_EDITS, field, { kind: 'replace', key }))).toMatchObject({ ok: false })
  })
})

describe('a value that does not fit', () => {
  test.each([
    ['max_iterations', '0'],
    ['max_iterations', 'many'],
    ['max_iterations', '1.5'],
    ['max_budget_per_task', '-1'],
    ['condenser_max_size', '19'],
    ['llm_base_url', 'localhost:8000'],
    ['git_user_email', 'nobody'],
    ['email', 'a b@c'],
  ] as const)('%s = %s is refused at its field', (field, text) => {
    const checked = checkEdits(edits({ [field]: text }))
    expect(checked.ok ? {} : Object.keys(checked.errors)).toEqual([field])
  })
})

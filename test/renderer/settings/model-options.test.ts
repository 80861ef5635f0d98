import { describe, expect, test } from 'vitest'
import {
  checkEdits,
  countEdits,
  editedFields,
  NO_EDITS,
  type SettingsEdits,
  withEdit,
} from '../../../renderer/state/settings/form.ts'
import {
  OPTION_FIELDS,
  OPTION_WORDS,
  type OptionField,
  optionText,
  withOption,
} from '../../../renderer/state/settings/model-options.ts'
import type { SettingsReply } from '../../../server/api/v1/settings/settings.ts'

const STORED = { llm_options: { temperature: 0.5, input_cost_per_token: 0.00000015, top_k: 7 } } as SettingsReply

const typing = (edits: SettingsEdits, field: OptionField, text: string): SettingsEdits => ({
  ...edits,
  options: withOption(edits, STORED, field, text),
})

describe('how the model is asked', () => {
  test('is shown as it is stored, prices for a million tokens', () => {
    expect(optionText(NO_EDITS, STORED, 'temperature')).toBe('0.5')
    expect(optionText(NO_EDITS, STORED, 'input_cost_per_token')).toBe('0.15')
    expect(optionText(NO_EDITS, STORED, 'seed')).toBe('')
  })

  test('goes out as a whole, with what was not touched', () => {
    let edits = typing(NO_EDITS, 'temperature', '')
    edits = typing(edits, 'output_cost_per_token', ' 2.5 ')
    edits = typing(edits, 'reasoning_effort', 'low')
    expect(editedFields(edits)).toEqual(['llm_options'])
    expect(checkEdits(edits)).toEqual({
      ok: true,
      patch: {
        llm_options: {
          input_cost_per_token: 0.00000015,
          top_k: 7,
          output_cost_per_token: 0.0000025,
          reasoning_effort: 'low',
        },
      },
    })
  })

  test('is no change when it is as stored again', () => {
    const typed = typing(NO_EDITS, 'temperature', '1')
    expect(countEdits(typed)).toBe(1)
    expect(countEdits(typing(typed, 'temperature', '0.5'))).toBe(0)
  })

  test('begins anew with another model, also when that is typed after it', () => {
    const edits = withEdit(typing(NO_EDITS, 'seed', '3'), STORED, 'llm_model', 'openai/other')
    expect(optionText(edits, STORED, 'temperature')).toBe('')
    expect(checkEdits(edits)).toEqual({ ok: true, patch: { llm_model: 'openai/other', llm_options: { seed: 3 } } })
  })

  test.each(OPTION_FIELDS.map(field => [field, field === 'reasoning_effort' ? 'VERY MUCH' : 'much'] as const))(
    'says at the field what fits: %s',
    (field, text) => {
      const checked = checkEdits(typing(NO_EDITS, field, text))
      expect(checked).toMatchObject({ ok: false, errors: { [`llm_options.${field}`]: OPTION_WORDS[field] } })
    },
  )
})

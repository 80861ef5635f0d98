import type { ModelOptions } from '../../../server/api/model-options.ts'
import type { SettingsReply } from '../../../server/api/v1/settings/settings.ts'
import { t } from './text.ts'

/** How the model is asked, as far as the settings page edits it, as text; '' is "as the provider has it". */
export const OPTION_FIELDS = [
  'temperature',
  'top_p',
  'top_k',
  'seed',
  'reasoning_effort',
  'max_output_tokens',
  'max_input_tokens',
  'timeout',
  'num_retries',
  'input_cost_per_token',
  'output_cost_per_token',
] as const
export type OptionField = (typeof OPTION_FIELDS)[number]

/** What was typed, and all that was stored then: the service takes the options as one field. */
export interface OptionEdits {
  before: ModelOptions
  texts: Partial<Record<OptionField, string>>
}

/** What of the page's edits matters here. */
interface Edits {
  fields: { llm_model?: string }
  options: OptionEdits | null
}

/** What is wrong with a value that does not fit, and what fits. */
export const OPTION_WORDS: Readonly<Record<OptionField, string>> = {
  temperature: t('temperatureProblem'),
  top_p: t('topPProblem'),
  top_k: t('giveNumberFromZero'),
  seed: t('giveAnyWholeNumber'),
  reasoning_effort: t('giveEffort'),
  max_output_tokens: t('giveWholeNumber'),
  max_input_tokens: t('giveContextWindow'),
  timeout: t('giveTimeOut'),
  num_retries: t('giveAttempts'),
  input_cost_per_token: t('giveAmountFromZero'),
  output_cost_per_token: t('giveAmountFromZero'),
}

/** Prices are given for a million tokens, as providers do, and stored for one. */
const MILLION = 1_000_000
const isPrice = (field: OptionField) => field.endsWith('_cost_per_token')

/** What a field shows: the typed text, else the stored value. Another model begins without any. */
export function optionText(edits: Edits, stored: SettingsReply | null, field: OptionField): string {
  return edits.options?.texts[field] ?? storedText(storedOptions(edits, stored), field)
}

/** The edits after typing; a field that is as stored again is no edit. */
export function withOption(
  edits: Edits,
  stored: SettingsReply | null,
  field: OptionField,
  text: string,
): OptionEdits | null {
  const before = stored?.llm_options ?? {}
  const { [field]: _, ...others } = edits.options?.texts ?? {}
  const texts = text === storedText(storedOptions(edits, stored), field) ? others : { ...others, [field]: text }
  return Object.keys(texts).length > 0 ? { before, texts } : null
}

/** All options as they are to be stored, not checked yet. Another model begins without any. */
export function optionsPatch({ before, texts }: OptionEdits, isOtherModel: boolean): Record<string, unknown> {
  const typed = OPTION_FIELDS.flatMap(field =>
    texts[field] === undefined ? [] : [[field, numberOrText(field, texts[field])]],
  )
  const all = { ...(isOtherModel ? {} : before), ...Object.fromEntries(typed) }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null))
}

function storedOptions({ fields }: Edits, stored: SettingsReply | null): ModelOptions {
  return fields.llm_model === undefined ? (stored?.llm_options ?? {}) : {}
}

function storedText(options: ModelOptions, field: OptionField): string {
  const value = options[field]
  if (value === undefined) return ''
  return isPrice(field) ? String(Number((Number(value) * MILLION).toPrecision(12))) : String(value)
}

/** null is "not set". */
function numberOrText(field: OptionField, text: string): string | number | null {
  const trimmed = text.trim()
  if (trimmed === '') return null
  if (field === 'reasoning_effort') return trimmed
  return isPrice(field) ? Number((Number(trimmed) / MILLION).toPrecision(12)) : Number(trimmed)
}

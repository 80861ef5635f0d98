import type { SettingsReply } from '../api/v1/settings/settings.ts'
import { isAppError } from '../domain/errors.ts'
import { isPriceKnown } from '../llm/cost.ts'

type Fields = Pick<SettingsReply, 'llm_model' | 'llm_base_url' | 'llm_options' | 'max_budget_per_task'>

/** Whether the price of the model of the settings is known; null without a model. */
export function modelPriceKnown({ llm_model, llm_base_url, llm_options }: Fields): boolean | null {
  if (!llm_model) return null
  const choice = { model: llm_model, baseUrl: llm_base_url || null, apiKey: null, options: llm_options }
  return priceKnownOf(choice)
}

/** false too for a model that cannot be asked. */
export function priceKnownOf(choice: Omit<Parameters<typeof isPriceKnown>[0], 'namedBy'>): boolean {
  try {
    return isPriceKnown({ ...choice, namedBy: 'person' })
  } catch (error) {
    if (isAppError(error)) return false
    throw error
  }
}

/** What is stored and cannot be kept, in words. */
export function settingsWarnings(settings: Fields): string[] {
  if (settings.max_budget_per_task === null || modelPriceKnown(settings) !== false) return []
  return [
    `max_budget_per_task: the price of ${settings.llm_model} is not known, so the budget does not stop it unless its server reports what an answer costs. Give input_cost_per_token and output_cost_per_token as llm_options of /api/v1/settings, or set max_iterations.`,
  ]
}

import { z } from 'zod'

export const llmPriceKnown = z
  .boolean()
  .nullable()
  .describe(
    'Whether the price of the model is known, so that `max_budget_per_task` can be kept; null without a model. Prices of your own are given in `llm_options`.',
  )

export const settingsStored = z.object({
  message: z.string().describe('That the settings were stored, in words.'),
  warnings: z
    .array(z.string())
    .optional()
    .describe(
      'What was stored and cannot be kept, such as a budget for a model without a known price; absent for none.',
    ),
})

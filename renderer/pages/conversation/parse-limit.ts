import { updateAppConversation } from '../../../server/api/v1/conversation/conversations.ts'

export type Limit = 'max_iterations' | 'max_budget_per_task'

/** The number in a limit's field as the service takes it; null when it does not. */
export function parseLimit(limit: Limit, text: string): number | null {
  if (text.trim() === '') return null
  const parsed = updateAppConversation.body.safeParse({ [limit]: Number(text.replace(',', '.')) })
  return parsed.success ? (parsed.data[limit] ?? null) : null
}

import type { START_TASK_SORT_ORDERS } from '../api/start-tasks.ts'
import { parseConversationId } from '../ids.ts'
import type { StartTaskFilter, StartTaskOrder } from '../store/start-tasks.ts'

export type StartTaskSortOrder = (typeof START_TASK_SORT_ORDERS)[number]

export const SQL_ORDER: Record<StartTaskSortOrder, StartTaskOrder> = {
  CREATED_AT: 'created_at ASC',
  CREATED_AT_DESC: 'created_at DESC',
  UPDATED_AT: 'updated_at ASC',
  UPDATED_AT_DESC: 'updated_at DESC',
}

export function dashless({ conversationId, createdFrom }: StartTaskFilter): StartTaskFilter {
  return { conversationId: conversationId && parseConversationId(conversationId), createdFrom }
}

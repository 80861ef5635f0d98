import type { START_TASK_SORT_ORDERS } from '../../api/v1/conversation/start-tasks.ts'
import { parseConversationId } from '../../domain/ids.ts'
import type { StartTaskFilter, StartTaskOrder } from '../../store/conversation/start-tasks.ts'

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

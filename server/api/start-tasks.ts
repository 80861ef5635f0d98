import { z } from 'zod'
import { appConversationStartTask } from './app-conversations.ts'
import { dateTime, page, pageQuery, success } from './page.ts'
import { route } from './route.ts'

const tag = 'App conversations'

export const START_TASK_SORT_ORDERS = ['CREATED_AT', 'CREATED_AT_DESC', 'UPDATED_AT', 'UPDATED_AT_DESC'] as const
const taskFilters = { conversation_id__eq: z.string().nullish(), created_at__gte: dateTime.nullish() }

export const batchGetStartTasks = route({
  method: 'get',
  path: '/api/v1/app-conversations/start-tasks',
  summary: 'Get start tasks by id; null for unknown ones',
  tag,
  query: z.object({ ids: z.array(z.string()).min(1).max(100) }),
  failures: ['invalid_id'],
  reply: z.array(appConversationStartTask.nullable()),
})

export const searchStartTasks = route({
  method: 'get',
  path: '/api/v1/app-conversations/start-tasks/search',
  summary: 'Search start tasks',
  tag,
  query: z.object({
    ...pageQuery.shape,
    ...taskFilters,
    sort_order: z.enum(START_TASK_SORT_ORDERS).default('CREATED_AT_DESC'),
  }),
  failures: ['invalid_id'],
  reply: page(appConversationStartTask),
})

export const countStartTasks = route({
  method: 'get',
  path: '/api/v1/app-conversations/start-tasks/count',
  summary: 'Count start tasks',
  tag,
  query: z.object(taskFilters),
  failures: ['invalid_id'],
  reply: z.int(),
})

/** Cancels a start that goes on: the task ends with ERROR and detail "Cancelled.", its sandbox is removed. */
export const cancelStartTask = route({
  method: 'post',
  path: '/api/v1/app-conversations/start-tasks/{task_id}/cancel',
  summary: 'Cancel a start',
  tag,
  params: z.object({ task_id: z.string() }),
  failures: ['not_found', 'conflict'],
  reply: success,
})

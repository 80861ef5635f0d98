import { z } from 'zod'
import { dateTime, page, pageQuery, success } from '../../contract/page.ts'
import { route } from '../../contract/route.ts'
import { appConversationStartTask } from './starts.ts'

const tag = 'App conversations'

export const START_TASK_SORT_ORDERS = ['CREATED_AT', 'CREATED_AT_DESC', 'UPDATED_AT', 'UPDATED_AT_DESC'] as const
const taskFilters = {
  conversation_id__eq: z.string().nullish().describe('Only the start of this conversation.'),
  created_at__gte: dateTime.nullish().describe('Only starts of this time or later.'),
}

export const batchGetStartTasks = route({
  method: 'get',
  path: '/api/v1/app-conversations/start-tasks',
  summary: 'Get start tasks by id; null for unknown ones',
  description: 'Reads start tasks by id. The reply has the order of the ids, with null for those that are unknown.',
  tag,
  query: z.object({
    ids: z.array(z.string()).min(1).max(100).describe('Ids of starts, up to 100; the reply has their order.'),
  }),
  failures: ['invalid_id'],
  reply: z.array(appConversationStartTask.nullable()),
})

export const searchStartTasks = route({
  method: 'get',
  path: '/api/v1/app-conversations/start-tasks/search',
  summary: 'Search start tasks',
  description: 'Lists the starts that fit all filters, a page at a time.',
  tag,
  query: z.object({
    ...pageQuery.shape,
    ...taskFilters,
    sort_order: z.enum(START_TASK_SORT_ORDERS).default('CREATED_AT_DESC').describe('Newest first, or oldest first.'),
  }),
  failures: ['invalid_id'],
  reply: page(appConversationStartTask),
})

export const countStartTasks = route({
  method: 'get',
  path: '/api/v1/app-conversations/start-tasks/count',
  summary: 'Count start tasks',
  description: 'Counts the starts that fit all filters.',
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
  description:
    'Ends a start that goes on: its task becomes ERROR with the detail "Cancelled." and its sandbox is removed. 409 when it has ended already, or its conversation is there before it can be cancelled.',
  tag,
  params: z.object({ task_id: z.string().describe('Id of the start.') }),
  failures: ['not_found', 'conflict'],
  reply: success,
})

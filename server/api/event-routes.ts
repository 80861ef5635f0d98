import { z } from 'zod'
import { event } from './events.ts'
import { IN_CONVERSATION } from './failures.ts'
import { dateTime, page, pageQuery } from './page.ts'
import { route } from './route.ts'

export const EVENT_SORT_ORDERS = ['TIMESTAMP', 'TIMESTAMP_DESC'] as const

const eventFilters = {
  kind__eq: z.string().nullish(),
  timestamp__gte: dateTime.nullish(),
  timestamp__lt: dateTime.nullish(),
}
const sorted = { sort_order: z.enum(EVENT_SORT_ORDERS).default('TIMESTAMP') }
const byConversation = { conversation_id__eq: z.string() }
const conversationParams = z.object({ conversation_id: z.string() })
const tag = 'Events'

export const searchEvents = route({
  method: 'get',
  path: '/api/v1/events/search',
  summary: "Search a conversation's events",
  tag,
  query: z.object({ ...pageQuery.shape, ...byConversation, ...eventFilters, ...sorted }),
  failures: IN_CONVERSATION,
  reply: page(event),
})

export const countEvents = route({
  method: 'get',
  path: '/api/v1/events/count',
  summary: "Count a conversation's events",
  tag,
  query: z.object({ ...byConversation, ...eventFilters }),
  failures: IN_CONVERSATION,
  reply: z.int(),
})

const byId = { id: z.array(z.string()).min(1).max(100) }

export const batchGetEvents = route({
  method: 'get',
  path: '/api/v1/events',
  summary: 'Events of any conversation by id, in the order asked for; null for unknown ones',
  tag,
  query: z.object(byId),
  reply: z.array(event.nullable()),
})

export const batchGetConversationEvents = route({
  method: 'get',
  path: '/api/v1/conversation/{conversation_id}/events',
  summary: 'Events of one conversation by id, in the order asked for; null for unknown ones',
  tag,
  params: conversationParams,
  query: z.object(byId),
  failures: IN_CONVERSATION,
  reply: z.array(event.nullable()),
})

export const searchConversationEvents = route({
  method: 'get',
  path: '/api/v1/conversation/{conversation_id}/events/search',
  summary: "Search a conversation's events",
  tag,
  params: conversationParams,
  query: z.object({ ...pageQuery.shape, ...eventFilters, ...sorted }),
  failures: IN_CONVERSATION,
  reply: page(event),
})

export const countConversationEvents = route({
  method: 'get',
  path: '/api/v1/conversation/{conversation_id}/events/count',
  summary: "Count a conversation's events",
  tag,
  params: conversationParams,
  query: z.object(eventFilters),
  failures: IN_CONVERSATION,
  reply: z.int(),
})

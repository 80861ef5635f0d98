import { z } from 'zod'
import { IN_CONVERSATION } from '../../contract/failures.ts'
import { dateTime, page, pageQuery } from '../../contract/page.ts'
import { route } from '../../contract/route.ts'
import { event } from '../../event/events.ts'
import { askedDialect, eventOf2025 } from '../../event-dialects.ts'
import { conversationParams } from './params.ts'

export const EVENT_SORT_ORDERS = ['TIMESTAMP', 'TIMESTAMP_DESC'] as const

const eventFilters = {
  kind__eq: z.string().nullish().describe('Only events of this kind, such as `MessageEvent`.'),
  timestamp__gte: dateTime.nullish().describe('Only events of this time or later.'),
  timestamp__lt: dateTime.nullish().describe('Only events before this time.'),
}
const sorted = {
  sort_order: z
    .enum(EVENT_SORT_ORDERS)
    .default('TIMESTAMP')
    .describe('`TIMESTAMP` is oldest first, `TIMESTAMP_DESC` newest first.'),
}
/** Who asks for no dialect gets events of this version alone, and that is what the type says. */
const eventPage = page(z.union([event, eventOf2025]) as unknown as typeof event)

const byConversation = {
  conversation_id__eq: z.string().describe('Conversation whose events are meant, as a UUID with or without hyphens.'),
}
const tag = 'Events'

export const searchEvents = route({
  method: 'get',
  path: '/api/v1/events/search',
  summary: "Search a conversation's events",
  description: 'Lists the events of one conversation that fit all filters, a page at a time.',
  tag,
  query: z.object({ ...pageQuery.shape, ...byConversation, ...eventFilters, ...askedDialect, ...sorted }),
  failures: IN_CONVERSATION,
  reply: eventPage,
})

export const countEvents = route({
  method: 'get',
  path: '/api/v1/events/count',
  summary: "Count a conversation's events",
  description: 'Counts the events of one conversation that fit all filters.',
  tag,
  query: z.object({ ...byConversation, ...eventFilters }),
  failures: IN_CONVERSATION,
  reply: z.int(),
})

const byId = {
  id: z.array(z.string()).min(1).max(100).describe('Ids of events, up to 100; the reply has their order.'),
}

export const batchGetEvents = route({
  method: 'get',
  path: '/api/v1/events',
  summary: 'Events of any conversation by id, in the order asked for',
  description:
    'Reads events of any conversation by id. The reply has the order of the ids, with null for those that are unknown.',
  tag,
  query: z.object(byId),
  reply: z.array(event.nullable()),
})

export const batchGetConversationEvents = route({
  method: 'get',
  path: '/api/v1/conversation/{conversation_id}/events',
  summary: 'Events of one conversation by id, in the order asked for',
  description:
    'Reads events of one conversation by id. The reply has the order of the ids, with null for those that are unknown there.',
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
  description: 'Lists the events of the conversation that fit all filters, a page at a time.',
  tag,
  params: conversationParams,
  query: z.object({ ...pageQuery.shape, ...eventFilters, ...askedDialect, ...sorted }),
  failures: IN_CONVERSATION,
  reply: eventPage,
})

export const countConversationEvents = route({
  method: 'get',
  path: '/api/v1/conversation/{conversation_id}/events/count',
  summary: "Count a conversation's events",
  description: 'Counts the events of the conversation that fit all filters.',
  tag,
  params: conversationParams,
  query: z.object(eventFilters),
  failures: IN_CONVERSATION,
  reply: z.int(),
})

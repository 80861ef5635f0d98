import { z } from 'zod'
import { page, success } from '../contract/page.ts'
import { route } from '../contract/route.ts'
import { CANNED_REASONS } from '../event/rejection-reasons.ts'
import { askedDialect } from '../event-dialects.ts'
import { clientToolResult } from '../v1/conversation/client-tools.ts'
import { conversationParams } from './conversations.ts'
import { gatewayMessage } from './start-request.ts'

/** An event as clients of agent servers read it: without empty fields, with the field names of both dialects. */
export const wireEvent = z.looseObject({
  kind: z.string().describe('Kind of the event, such as `MessageEvent`; its other fields depend on it.'),
  id: z.string().describe('Id of the event, unique in its conversation.'),
  timestamp: z.string().describe('When it was written to the log: local time without an offset.'),
  source: z.string().describe('Who caused it: `agent`, `user`, `environment` or `hook`.'),
})
export type WireEvent = z.output<typeof wireEvent>

/** With or without an offset; without one it is local time. */
export const wireTime = z.iso.datetime({ offset: true, local: true })

const filters = {
  kind: z.string().nullish().describe('Only events of this kind: the bare class name or the path of the class.'),
  source: z.enum(['agent', 'user', 'environment', 'hook']).nullish().describe('Only events that this one caused.'),
  body: z.string().nullish().describe('Only messages whose text has this part.'),
  timestamp__gte: wireTime.nullish().describe('Only events of this time or later; without an offset it is local time.'),
  timestamp__lt: wireTime.nullish().describe('Only events before this time; without an offset it is local time.'),
}
const tag = 'Events'
const path = '/api/conversations/{conversation_id}/events' as const

export const searchGatewayEvents = route({
  method: 'get',
  path: `${path}/search`,
  summary: 'Search the events',
  description: 'Lists the events of the conversation that fit all filters, a page at a time.',
  tag,
  params: conversationParams,
  query: z.object({
    ...filters,
    ...askedDialect,
    page_id: z
      .string()
      .nullish()
      .describe('Id of the first event of the page: `next_page_id` of the page before. Absent is the first page.'),
    limit: z.int().min(1).max(100).default(100).describe('How many events a page has at most.'),
    sort_order: z
      .enum(['TIMESTAMP', 'TIMESTAMP_DESC'])
      .default('TIMESTAMP')
      .describe('`TIMESTAMP` is oldest first, `TIMESTAMP_DESC` newest first.'),
  }),
  failures: ['conversation_not_found'],
  reply: page(wireEvent),
})

export const countGatewayEvents = route({
  method: 'get',
  path: `${path}/count`,
  summary: 'Count the events',
  description: 'Counts the events of the conversation that fit all filters.',
  tag,
  params: conversationParams,
  query: z.object(filters),
  failures: ['conversation_not_found'],
  reply: z.int(),
})

export const getGatewayEvent = route({
  method: 'get',
  path: `${path}/{event_id}`,
  summary: 'Get an event',
  description: 'Reads one event of the conversation.',
  tag,
  params: z.object({ ...conversationParams.shape, event_id: z.string().describe('Id of the event.') }),
  query: z.object(askedDialect),
  failures: ['conversation_not_found', 'event_not_found'],
  reply: wireEvent,
})

export const batchGetGatewayEvents = route({
  method: 'get',
  path,
  summary: 'Get events by id, with the ids as a JSON array in the body',
  description:
    'Reads events by id, with the ids as a JSON array in the body, as existing clients send them. The reply has their order, with null for those that are unknown.',
  tag,
  params: conversationParams,
  query: z.object(askedDialect),
  body: z.array(z.string()).max(1000),
  failures: ['conversation_not_found'],
  reply: z.array(wireEvent.nullable()),
})

export const sendGatewayMessage = route({
  method: 'post',
  path,
  summary: 'Send a message; a run that goes on picks it up',
  description:
    'Adds a message to the conversation. A run that goes on reads it before its next step; otherwise `run` starts one.',
  tag,
  params: conversationParams,
  body: gatewayMessage,
  failures: ['conversation_not_found', 'conversation_elsewhere', 'bad_request'],
  reply: success,
})

export const respondToConfirmation = route({
  method: 'post',
  path: `${path}/respond_to_confirmation`,
  summary: 'Accept or reject what waits; 409 when nothing waits',
  description:
    'Lets the agent carry out the actions that wait for a person, or rejects them with a reason that the model reads. 409 when nothing waits.',
  tag,
  params: conversationParams,
  body: z.object({
    accept: z.boolean().describe('Whether the actions that wait are carried out (true) or rejected (false).'),
    reason: z
      .string()
      .default(CANNED_REASONS.rejected)
      .describe('Why they are rejected, for the model to read; ignored when they are accepted.'),
  }),
  failures: ['conversation_not_found', 'conversation_elsewhere', 'not_waiting'],
  reply: success,
})

/** For tools that await it. 409 when the call has a result already, was not accepted yet, or the agent is not at work. */
export const answerClientTool = route({
  method: 'post',
  path: `${path}/client_tool_result`,
  summary: "Tell what came of a call of the client's own tool",
  description:
    'Gives the result of a call of a tool that the client carries out. 404 when there is no such call, 409 when it has its result.',
  tag,
  params: conversationParams,
  body: clientToolResult,
  failures: ['conversation_not_found', 'conversation_elsewhere', 'not_found', 'conflict'],
  reply: success,
})

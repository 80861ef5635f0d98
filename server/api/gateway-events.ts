import { z } from 'zod'
import { clientToolResult } from './client-tools.ts'
import { conversationParams, gatewayMessage } from './gateway-conversations.ts'
import { page, success } from './page.ts'
import { route } from './route.ts'

/** An event as clients of agent servers read it: without empty fields, with the field names of both dialects. */
export const wireEvent = z.looseObject({
  kind: z.string(),
  id: z.string(),
  /** Local time without an offset. */
  timestamp: z.string(),
  source: z.string(),
})
export type WireEvent = z.output<typeof wireEvent>

/** With or without an offset; without one it is local time. */
export const wireTime = z.iso.datetime({ offset: true, local: true })

const filters = {
  /** The bare class name or the path of the class. */
  kind: z.string().nullish(),
  source: z.enum(['agent', 'user', 'environment', 'hook']).nullish(),
  /** Part of a message's text. */
  body: z.string().nullish(),
  timestamp__gte: wireTime.nullish(),
  timestamp__lt: wireTime.nullish(),
}
const tag = 'Events'
const path = '/api/conversations/{conversation_id}/events' as const

export const searchGatewayEvents = route({
  method: 'get',
  path: `${path}/search`,
  summary: 'Search the events; a page_id is the id of the first event of the page',
  tag,
  params: conversationParams,
  query: z.object({
    ...filters,
    page_id: z.string().nullish(),
    limit: z.int().min(1).max(100).default(100),
    sort_order: z.enum(['TIMESTAMP', 'TIMESTAMP_DESC']).default('TIMESTAMP'),
  }),
  failures: ['conversation_not_found'],
  reply: page(wireEvent),
})

export const countGatewayEvents = route({
  method: 'get',
  path: `${path}/count`,
  summary: 'Count the events',
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
  tag,
  params: z.object({ ...conversationParams.shape, event_id: z.string() }),
  failures: ['conversation_not_found', 'event_not_found'],
  reply: wireEvent,
})

export const batchGetGatewayEvents = route({
  method: 'get',
  path,
  summary: 'Get events by id, with the ids as a JSON array in the body; null for unknown ones',
  tag,
  params: conversationParams,
  body: z.array(z.string()).max(1000),
  failures: ['conversation_not_found'],
  reply: z.array(wireEvent.nullable()),
})

export const sendGatewayMessage = route({
  method: 'post',
  path,
  summary: 'Send a message; a run that goes on picks it up',
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
  tag,
  params: conversationParams,
  body: z.object({ accept: z.boolean(), reason: z.string().default('User rejected the action.') }),
  failures: ['conversation_not_found', 'conversation_elsewhere', 'not_waiting'],
  reply: success,
})

/** For tools that await it. 409 when the call has a result already, was not accepted yet, or the agent is not at work. */
export const answerClientTool = route({
  method: 'post',
  path: `${path}/client_tool_result`,
  summary: "Tell what came of a call of the client's own tool",
  tag,
  params: conversationParams,
  body: clientToolResult,
  failures: ['conversation_not_found', 'conversation_elsewhere', 'not_found', 'conflict'],
  reply: success,
})

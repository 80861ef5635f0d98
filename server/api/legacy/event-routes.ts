import { z } from 'zod'
import { IN_CONVERSATION, IN_OWN_CONVERSATION } from '../contract/failures.ts'
import { route } from '../contract/route.ts'
import { conversationParams } from '../v1/conversation/params.ts'
import { clientAction, legacyEvent } from './events.ts'

const tag = 'Conversations'

const MAX_EVENTS = 100

/** `query` is looked for in the event's text. */
const eventFilters = {
  exclude_hidden: z.boolean().default(false).describe('Whether events that are not shown are left out.'),
  query: z.string().nullish().describe('Only events that have this text.'),
  source: z.string().nullish().describe('Only events that this one caused: `agent`, `user` or `environment`.'),
  start_date: z.string().nullish().describe('Only events of this time or later, in ISO 8601.'),
  end_date: z.string().nullish().describe('Only events of this time or earlier, in ISO 8601.'),
  include_types: z.array(z.string()).nullish().describe('Only these kinds of actions and observations.'),
  exclude_types: z.array(z.string()).nullish().describe('All but these kinds of actions and observations.'),
}

export const legacyEventFilter = z.object(eventFilters)
export type LegacyEventFilter = z.output<typeof legacyEventFilter>

export const getLegacyEvents = route({
  method: 'get',
  path: '/api/conversations/{conversation_id}/events',
  summary: 'Events in the legacy form. The filter may also come as a JSON body',
  description:
    'Reads events in the words of the legacy generation, by their place in the log. A filter may also come as a JSON body, which existing clients send with GET.',
  tag,
  params: conversationParams,
  query: z.object({
    start_id: z.int().default(0).describe('Id of the first event, from 0.'),
    end_id: z.int().nullish().describe('Id of the last event; absent is the newest.'),
    reverse: z.boolean().default(false).describe('Whether the newest comes first.'),
    limit: z.int().default(20).describe('How many events at most, 0 to 100; anything else is answered with 400.'),
    ...eventFilters,
  }),
  body: legacyEventFilter.nullish(),
  failures: [...IN_CONVERSATION, 'bad_request'],
  reply: z.object({
    events: z.array(legacyEvent).max(MAX_EVENTS).describe('Events of this page.'),
    has_more: z.boolean().describe('Whether there are further ones.'),
  }),
})

const posted = z.object({ success: z.literal(true) })

export const postLegacyEvent = route({
  method: 'post',
  path: '/api/conversations/{conversation_id}/events',
  summary: 'Send an action: a message, or a change of what the agent does',
  description: 'Sends an action to the conversation: a message for the agent, or a change of what the agent does.',
  tag,
  params: conversationParams,
  body: clientAction,
  failures: [...IN_OWN_CONVERSATION, 'bad_request', 'not_waiting', 'conversation_running'],
  reply: posted,
})

export const postLegacyMessage = route({
  method: 'post',
  path: '/api/conversations/{conversation_id}/message',
  summary: 'Send a message to the agent',
  description: 'Sends a message to the agent, which starts to work if it does not already.',
  tag,
  params: conversationParams,
  body: z.object({ message: z.string().describe('Text of the message.') }),
  failures: [...IN_OWN_CONVERSATION, 'bad_request'],
  reply: posted,
})

export const getTrajectory = route({
  method: 'get',
  path: '/api/conversations/{conversation_id}/trajectory',
  summary: 'Everything that happened, in the legacy form',
  description:
    'Reads all events from the first one on, as a stream. `replay_json` of a new conversation takes the reply as it is.',
  tag,
  params: conversationParams,
  failures: IN_CONVERSATION,
  reply: z.object({ trajectory: z.array(legacyEvent).describe('All events, oldest first.') }),
})

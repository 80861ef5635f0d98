import { z } from 'zod'
import { IN_CONVERSATION, IN_OWN_CONVERSATION } from '../../contract/failures.ts'
import { dateTime } from '../../contract/page.ts'
import { route } from '../../contract/route.ts'
import { content } from '../../event/content.ts'
import { ROLES } from '../../event/events.ts'
import { conversationParams } from './params.ts'

const tag = 'Pending messages'
/** The id of a conversation that starts or exists, of its start task, or `task-` and that. */

/** How many wait for one conversation at most; beyond that 429. */
export const MAX_PENDING_MESSAGES = 10

export const pendingMessage = z.object({
  id: z.string().describe('Id of the message.'),
  conversation_id: z.string().describe('Conversation, or start of one, that it waits for.'),
  role: z.enum(ROLES).describe('Who speaks; a person is `user`.'),
  content: z.array(content).describe('Text and images in their order.'),
  created_at: dateTime.describe('When it was sent.'),
})
export type PendingMessage = z.output<typeof pendingMessage>

/** Delivered in their order when the start is ready, and run; dropped when it fails, since there is no conversation then. */
export const queuePendingMessage = route({
  method: 'post',
  path: '/api/v1/conversations/{conversation_id}/pending-messages',
  summary: 'Say something to a conversation that is still starting',
  description:
    'Sends a message to a conversation that is still starting, or to its start task. It is delivered when the conversation is ready; one that is ready gets it at once.',
  tag,
  status: 201,
  params: conversationParams,
  body: z.object({
    role: z.enum(ROLES).default('user').describe('Who speaks; a person is `user`.'),
    content: z.array(content).min(1).describe('Text and images in their order.'),
  }),
  failures: [...IN_OWN_CONVERSATION, 'bad_request', 'too_many_requests'],
  reply: z.object({
    id: z.string().describe('Id of the message.'),
    queued: z.boolean().describe('Whether it waits; false when it was delivered at once.'),
    position: z.int().describe('Its place among those that wait, from 1; 0 for what was delivered.'),
  }),
})

export const listPendingMessages = route({
  method: 'get',
  path: '/api/v1/conversations/{conversation_id}/pending-messages',
  summary: 'What waits for a conversation to start, in the order of its delivery',
  description: 'Lists the messages that wait for a conversation to start, in the order of their delivery.',
  tag,
  params: conversationParams,
  failures: IN_CONVERSATION,
  reply: z.array(pendingMessage),
})

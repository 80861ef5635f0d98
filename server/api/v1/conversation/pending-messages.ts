import { z } from 'zod'
import { IN_CONVERSATION, IN_OWN_CONVERSATION } from '../../contract/failures.ts'
import { dateTime, success } from '../../contract/page.ts'
import { route } from '../../contract/route.ts'
import { content } from '../../event/content.ts'
import { ROLES } from '../../event/events.ts'
import { conversationParams } from './params.ts'

const tag = 'Pending messages'
const path = '/api/v1/conversations/{conversation_id}/pending-messages' as const

/** How many wait for one conversation at most; beyond that 429. */
export const MAX_PENDING_MESSAGES = 10

const waitsFor = z.enum(['start', 'agent']).default('start')

export const pendingMessage = z.object({
  id: z.string().describe('Id of the message.'),
  conversation_id: z.string().describe('Conversation, or start of one, that it waits for.'),
  role: z.enum(ROLES).describe('Who speaks; a person is `user`.'),
  content: z.array(content).describe('Text and images in their order.'),
  created_at: dateTime.describe('When it was sent.'),
  waits_for: waitsFor.describe('What it waits for: that the conversation has started, or that its agent has finished.'),
})
export type PendingMessage = z.output<typeof pendingMessage>

const said = z.array(content).min(1).describe('Text and images in their order.')
const messageParams = conversationParams.extend({ message_id: z.string().describe('Id of the message.') })

/**
 * The conversation may be named by the id of its start task, or `task-` and that. Those for a start are delivered in their
 * order when it is ready, and run; they are dropped when it fails, since there is no conversation then. Those for an agent are
 * delivered one by one, each when the agent has finished; one that was stopped, or failed, has not.
 */
export const queuePendingMessage = route({
  method: 'post',
  path,
  summary: 'Say something to a conversation that is still starting, or once its agent has finished',
  description:
    'Sends a message to a conversation that is still starting, or to its start task. It is delivered when the conversation is ready; one that is ready gets it at once. Where the start makes several attempts, each of them gets it, after its task. With `waits_for: agent` it waits while the agent works, and is delivered when the agent has finished.',
  tag,
  status: 201,
  params: conversationParams,
  body: z.object({
    role: z.enum(ROLES).default('user').describe('Who speaks; a person is `user`.'),
    content: said,
    waits_for: waitsFor.describe('`agent`: that the agent of a conversation that has started finishes what it does.'),
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
  path,
  summary: 'What waits for a conversation, in the order of its delivery',
  description:
    'Lists the messages that wait for a conversation to start, or for its agent to finish, in the order of their delivery.',
  tag,
  params: conversationParams,
  failures: IN_CONVERSATION,
  reply: z.array(pendingMessage),
})

export const changePendingMessage = route({
  method: 'patch',
  path: `${path}/{message_id}`,
  summary: 'Change a message that waits or its place, or send it now',
  description:
    'Changes what is said in a message that waits or its place among those that wait, or sends it now, also while the agent works.',
  tag,
  params: messageParams,
  body: z.object({
    content: said.optional(),
    position: z
      .int()
      .min(1)
      .optional()
      .describe('Its place among those that wait, from 1; beyond the last it is the last.'),
    send_now: z
      .boolean()
      .optional()
      .describe('Whether a conversation that has started gets it at once, also while its agent works.'),
  }),
  failures: [...IN_OWN_CONVERSATION, 'bad_request', 'not_found'],
  reply: z.array(pendingMessage),
})

export const withdrawPendingMessage = route({
  method: 'delete',
  path: `${path}/{message_id}`,
  summary: 'Withdraw a message that waits',
  description: 'Withdraws a message that has not been delivered.',
  tag,
  params: messageParams,
  failures: [...IN_CONVERSATION, 'not_found'],
  reply: success,
})

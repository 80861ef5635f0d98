import { z } from 'zod'
import { content } from './content.ts'
import { ROLES } from './events.ts'
import { IN_CONVERSATION, IN_OWN_CONVERSATION } from './failures.ts'
import { dateTime } from './page.ts'
import { route } from './route.ts'

const tag = 'Pending messages'
/** The id of a conversation that starts or exists, of its start task, or `task-` and that. */
const params = z.object({ conversation_id: z.string() })

/** How many wait for one conversation at most; beyond that 429. */
export const MAX_PENDING_MESSAGES = 10

export const pendingMessage = z.object({
  id: z.string(),
  conversation_id: z.string(),
  role: z.enum(ROLES),
  content: z.array(content),
  created_at: dateTime,
})
export type PendingMessage = z.output<typeof pendingMessage>

/** Delivered in their order when the start is ready, and run; dropped when it fails, since there is no conversation then. */
export const queuePendingMessage = route({
  method: 'post',
  path: '/api/v1/conversations/{conversation_id}/pending-messages',
  summary: 'Say something to a conversation that is still starting; one that exists gets it at once',
  tag,
  status: 201,
  params,
  body: z.object({ role: z.enum(ROLES).default('user'), content: z.array(content).min(1) }),
  failures: [...IN_OWN_CONVERSATION, 'bad_request', 'too_many_requests'],
  reply: z.object({
    id: z.string(),
    /** false: it was delivered at once. */
    queued: z.boolean(),
    /** From 1; 0 for what was delivered. */
    position: z.int(),
  }),
})

export const listPendingMessages = route({
  method: 'get',
  path: '/api/v1/conversations/{conversation_id}/pending-messages',
  summary: 'What waits for a conversation to start, in the order of its delivery',
  tag,
  params,
  failures: IN_CONVERSATION,
  reply: z.array(pendingMessage),
})

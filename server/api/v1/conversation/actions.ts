import { z } from 'zod'
import { IN_CONVERSATION, IN_OWN_CONVERSATION, IN_VAULT, OF_MODEL } from '../../contract/failures.ts'
import { success } from '../../contract/page.ts'
import { route } from '../../contract/route.ts'
import { CANNED_REASONS } from '../../event/rejection-reasons.ts'
import { appConversation } from './conversations.ts'
import { conversationParams, conversationTitle } from './params.ts'

const path = (action: string): `/${string}` => `/api/v1/app-conversations/{conversation_id}/${action}`
const tag = 'App conversations'

export const respondToConfirmationRequest = z.object({
  accept: z.boolean().describe('Whether the actions that wait are carried out (true) or rejected (false).'),
  reason: z
    .string()
    .max(10_000)
    .default(CANNED_REASONS.rejected)
    .describe('Why they are rejected, for the model to read; ignored when they are accepted.'),
  action_ids: z
    .array(z.string())
    .max(1_000)
    .optional()
    .describe(
      'Ids of the actions that are answered: 409 `not_waiting` where other ones wait by then. Without it, whatever waits.',
    ),
  always_allow: z
    .boolean()
    .default(false)
    .describe(
      'With `accept`: actions of these kinds do not wait again in this conversation, whatever their arguments are.',
    ),
})
export type RespondToConfirmationRequest = z.output<typeof respondToConfirmationRequest>

/** Accepting runs the waiting actions; rejecting answers each of them with the reason and leaves the conversation idle. */
export const respondToConfirmation = route({
  method: 'post',
  path: path('respond-to-confirmation'),
  summary: 'Accept or reject the actions that wait for confirmation',
  description:
    'Lets the agent carry out the actions that wait for a person, or rejects them with a reason that the model reads. 409 when nothing waits.',
  tag,
  params: conversationParams,
  body: respondToConfirmationRequest,
  failures: [...IN_OWN_CONVERSATION, 'not_waiting'],
  reply: success,
})

/** Copies the log; the sandbox and its files are shared with the original. */
export const forkConversation = route({
  method: 'post',
  path: path('fork'),
  summary: 'Begin a new conversation from an event of this one',
  description: 'Copies the events up to this one into a new conversation, which works in the same sandbox.',
  tag,
  params: conversationParams,
  body: z.object({
    conversation_id: z
      .string()
      .nullish()
      .describe(
        'Id for the fork, as a UUID with or without hyphens; absent lets the service choose. 409 when it is taken.',
      ),
    title: conversationTitle.nullish().describe('Title of the fork; absent takes the title of the original.'),
    from_event_id: z.string().nullish().describe('Last event to copy; absent copies all.'),
  }),
  failures: [...IN_OWN_CONVERSATION, 'conversation_exists', 'not_found'],
  reply: appConversation,
})

/** Nothing is deleted: going forward again is navigating to a later event. Files in the sandbox stay as they are. */
export const navigateConversation = route({
  method: 'post',
  path: path('navigate'),
  summary: 'Go on after an earlier event; null is the beginning',
  description:
    'Lets the conversation go on after an earlier event: what came after it stays in the log, but the model does not read it any more. 409 while the agent works.',
  tag,
  params: conversationParams,
  body: z.object({
    event_id: z.string().nullable().describe('Event after which the conversation goes on; null is its beginning.'),
  }),
  failures: [...IN_OWN_CONVERSATION, 'conversation_running', 'not_found'],
  reply: appConversation,
})

export const condenseConversation = route({
  method: 'post',
  path: path('condense'),
  summary: 'Sum up earlier steps, before the next step at the latest',
  description:
    'Asks for a summary of earlier steps, which takes their place for the model before its next step at the latest.',
  tag,
  params: conversationParams,
  failures: IN_OWN_CONVERSATION,
  reply: success,
})

/** While the model is silent, or its next try is waited for: what was streamed of its answer is void. */
export const retryModel = route({
  method: 'post',
  path: path('retry-model'),
  summary: 'Ask a silent model again at once',
  description: 'Asks a model that says nothing once more, without waiting longer. 409 when no model is waited for.',
  tag,
  params: conversationParams,
  failures: [...IN_OWN_CONVERSATION, 'not_waiting'],
  reply: success,
})

export const askAgent = route({
  method: 'post',
  path: path('ask-agent'),
  summary: 'Ask a side question; it is not written to the log',
  description:
    'Asks the model a question about the conversation. Neither the question nor the answer is written to the log, and the agent goes on undisturbed.',
  tag,
  params: conversationParams,
  body: z.object({
    question: z
      .string()
      .trim()
      .min(1)
      .max(100_000)
      .describe('Question about the conversation; neither it nor the answer is written to the log.'),
  }),
  failures: [...IN_OWN_CONVERSATION, ...OF_MODEL, ...IN_VAULT],
  reply: z.object({ response: z.string().describe("The model's answer.") }),
})

export const getFinalResponse = route({
  method: 'get',
  path: path('final-response'),
  summary: "The agent's last word; empty when there is none",
  description: 'Reads the last message of the agent. It is empty while there is none.',
  tag,
  params: conversationParams,
  failures: IN_CONVERSATION,
  reply: z.object({ response: z.string().describe("The agent's last message; empty when there is none.") }),
})

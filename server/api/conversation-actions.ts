import { z } from 'zod'
import { appConversation } from './app-conversations.ts'
import { IN_CONVERSATION, IN_OWN_CONVERSATION, IN_VAULT, OF_MODEL } from './failures.ts'
import { success } from './page.ts'
import { route } from './route.ts'

const path = (action: string): `/${string}` => `/api/v1/app-conversations/{conversation_id}/${action}`
const params = z.object({ conversation_id: z.string() })
const tag = 'App conversations'

export const respondToConfirmationRequest = z.object({
  accept: z.boolean(),
  /** The model reads it when the actions are rejected. */
  reason: z.string().max(10_000).default('User rejected the action.'),
  /** With `accept`: actions of these kinds do not wait again in this conversation, whatever their arguments are. */
  always_allow: z.boolean().default(false),
})
export type RespondToConfirmationRequest = z.output<typeof respondToConfirmationRequest>

/** Accepting runs the waiting actions; rejecting answers each of them with the reason and leaves the conversation idle. */
export const respondToConfirmation = route({
  method: 'post',
  path: path('respond-to-confirmation'),
  summary: 'Accept or reject the actions that wait for confirmation',
  tag,
  params,
  body: respondToConfirmationRequest,
  failures: [...IN_OWN_CONVERSATION, 'not_waiting'],
  reply: success,
})

/** Copies the log; the sandbox and its files are shared with the original. */
export const forkConversation = route({
  method: 'post',
  path: path('fork'),
  summary: 'Begin a new conversation from an event of this one',
  tag,
  params,
  body: z.object({
    conversation_id: z.string().nullish(),
    title: z.string().trim().min(1).max(200).nullish(),
    /** The last event to copy; the newest when absent. */
    from_event_id: z.string().nullish(),
  }),
  failures: [...IN_OWN_CONVERSATION, 'conversation_exists', 'not_found'],
  reply: appConversation,
})

/** Nothing is deleted: going forward again is navigating to a later event. Files in the sandbox stay as they are. */
export const navigateConversation = route({
  method: 'post',
  path: path('navigate'),
  summary: 'Go on after an earlier event; null is the beginning',
  tag,
  params,
  body: z.object({ event_id: z.string().nullable() }),
  failures: [...IN_OWN_CONVERSATION, 'conversation_running', 'not_found'],
  reply: appConversation,
})

export const condenseConversation = route({
  method: 'post',
  path: path('condense'),
  summary: 'Sum up earlier steps, before the next step at the latest',
  tag,
  params,
  failures: IN_OWN_CONVERSATION,
  reply: success,
})

/** While the model is silent, or its next try is waited for: what was streamed of its answer is void. */
export const retryModel = route({
  method: 'post',
  path: path('retry-model'),
  summary: 'Ask a silent model again at once',
  tag,
  params,
  failures: [...IN_OWN_CONVERSATION, 'not_waiting'],
  reply: success,
})

export const askAgent = route({
  method: 'post',
  path: path('ask-agent'),
  summary: 'Ask a side question; it is not written to the log',
  tag,
  params,
  body: z.object({ question: z.string().trim().min(1).max(100_000) }),
  failures: [...IN_OWN_CONVERSATION, ...OF_MODEL, ...IN_VAULT],
  reply: z.object({ response: z.string() }),
})

export const getFinalResponse = route({
  method: 'get',
  path: path('final-response'),
  summary: "The agent's last word; empty when there is none",
  tag,
  params,
  failures: IN_CONVERSATION,
  reply: z.object({ response: z.string() }),
})

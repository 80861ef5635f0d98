import { z } from 'zod'
import { IN_VAULT, OF_MODEL } from '../contract/failures.ts'
import { success } from '../contract/page.ts'
import { route } from '../contract/route.ts'
import { conversationTitle, uuid } from '../v1/conversation/params.ts'
import { conversationInfo, conversationParams } from './conversations.ts'
import { tags } from './start-request.ts'

const tag = 'Conversations'
const base = { method: 'post', tag, params: conversationParams } as const
const path = (action: string): `/${string}` => `/api/conversations/{conversation_id}/${action}`

export const askGatewayAgent = route({
  ...base,
  path: path('ask_agent'),
  summary: 'Ask a side question; it is not written to the log',
  description:
    'Asks the model a question about the conversation. Neither the question nor the answer is written to the log, and the agent goes on undisturbed.',
  body: z.object({
    question: z
      .string()
      .trim()
      .min(1)
      .max(100_000)
      .describe('Question about the conversation; neither it nor the answer is written to the log.'),
  }),
  failures: ['conversation_not_found', 'conversation_elsewhere', ...OF_MODEL, ...IN_VAULT],
  reply: z.object({ response: z.string().describe("The model's answer.") }),
})

export const condenseGatewayConversation = route({
  ...base,
  path: path('condense'),
  summary: 'Sum up earlier steps, before the next step at the latest',
  description:
    'Asks for a summary of earlier steps, which takes their place for the model before its next step at the latest.',
  failures: ['conversation_not_found', 'conversation_elsewhere'],
  reply: success,
})

/** 201. `reset_metrics` false: what the original has cost counts for the fork too, and for its limits. */
export const forkGatewayConversation = route({
  ...base,
  path: path('fork'),
  summary: 'Begin a new conversation from an event of this one, in the same sandbox',
  description: 'Copies the events up to this one into a new conversation, which works in the same sandbox.',
  status: 201,
  body: z
    .object({
      id: uuid.nullish().describe('Id for the fork; absent lets the service choose. 409 when it is taken.'),
      title: conversationTitle.nullish().describe('Title of the fork; absent takes the title of the original.'),
      tags: tags.nullish().describe('Tags of the fork; absent is none.'),
      reset_metrics: z.boolean().default(true).describe('Whether the fork counts tokens and cost from 0.'),
      from_event_id: z.string().max(200).nullish().describe('Last event to copy; absent copies all.'),
    })
    .default({ reset_metrics: true }),
  failures: ['conversation_not_found', 'conversation_elsewhere', 'conversation_exists', 'not_found'],
  reply: conversationInfo,
})

export const navigateGatewayConversation = route({
  ...base,
  path: path('navigate'),
  summary: 'Go on after an earlier event; null is the beginning',
  description:
    'Lets the conversation go on after an earlier event: what came after it stays in the log, but the model does not read it any more. 409 while the agent works.',
  body: z.object({
    event_id: z
      .string()
      .max(200)
      .nullable()
      .default(null)
      .describe('Event after which the conversation goes on; null is its beginning.'),
  }),
  failures: ['conversation_not_found', 'conversation_elsewhere', 'conversation_running', 'not_found'],
  reply: conversationInfo,
})

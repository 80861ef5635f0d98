import { z } from 'zod'
import { IN_VAULT, OF_MODEL } from './failures.ts'
import { conversationInfo, conversationParams, tags, uuid } from './gateway-conversations.ts'
import { success } from './page.ts'
import { route } from './route.ts'

const tag = 'Conversations'
const base = { method: 'post', tag, params: conversationParams } as const
const path = (action: string): `/${string}` => `/api/conversations/{conversation_id}/${action}`

export const askGatewayAgent = route({
  ...base,
  path: path('ask_agent'),
  summary: 'Ask a side question; it is not written to the log',
  body: z.object({ question: z.string().trim().min(1).max(100_000) }),
  failures: ['conversation_not_found', 'conversation_elsewhere', ...OF_MODEL, ...IN_VAULT],
  reply: z.object({ response: z.string() }),
})

export const condenseGatewayConversation = route({
  ...base,
  path: path('condense'),
  summary: 'Sum up earlier steps, before the next step at the latest',
  failures: ['conversation_not_found', 'conversation_elsewhere'],
  reply: success,
})

/** 201. `reset_metrics` false: what the original has cost counts for the fork too, and for its limits. */
export const forkGatewayConversation = route({
  ...base,
  path: path('fork'),
  summary: 'Begin a new conversation from an event of this one, in the same sandbox',
  status: 201,
  body: z
    .object({
      id: uuid.nullish(),
      title: z.string().trim().min(1).max(200).nullish(),
      tags: tags.nullish(),
      reset_metrics: z.boolean().default(true),
      from_event_id: z.string().max(200).nullish(),
    })
    .default({ reset_metrics: true }),
  failures: ['conversation_not_found', 'conversation_elsewhere', 'conversation_exists', 'not_found'],
  reply: conversationInfo,
})

export const navigateGatewayConversation = route({
  ...base,
  path: path('navigate'),
  summary: 'Go on after an earlier event; null is the beginning',
  body: z.object({ event_id: z.string().max(200).nullable().default(null) }),
  failures: ['conversation_not_found', 'conversation_elsewhere', 'conversation_running', 'not_found'],
  reply: conversationInfo,
})

import { z } from 'zod'
import { conversationSecrets } from './conversation-secrets.ts'
import { IN_VAULT } from './failures.ts'
import { confirmationPolicy, conversationParams, gatewayLlm } from './gateway-conversations.ts'
import { success } from './page.ts'
import { route } from './route.ts'

const tag = 'Conversations'

export const setConfirmationPolicy = route({
  method: 'post',
  path: '/api/conversations/{conversation_id}/confirmation_policy',
  summary: 'Choose when the agent asks before it acts',
  tag,
  params: conversationParams,
  body: z.object({ policy: confirmationPolicy }),
  failures: ['conversation_not_found', 'conversation_elsewhere', 'bad_request'],
  reply: success,
})

export const setSecurityAnalyzer = route({
  method: 'post',
  path: '/api/conversations/{conversation_id}/security_analyzer',
  summary: 'Choose who rates the risk of actions: nobody, the model, or rules',
  tag,
  params: conversationParams,
  body: z.object({ security_analyzer: z.looseObject({ kind: z.string() }).nullable() }),
  failures: ['conversation_not_found', 'conversation_elsewhere', 'not_supported'],
  reply: success,
})

/** Added to those that it has, or put in their place. Told to nobody; each command gets those that it names. */
export const setGatewaySecrets = route({
  method: 'post',
  path: '/api/conversations/{conversation_id}/secrets',
  summary: 'Give secrets to this conversation alone; they go to the keychain and are deleted with it',
  tag,
  params: conversationParams,
  body: z.object({ secrets: conversationSecrets }),
  failures: ['conversation_not_found', 'conversation_elsewhere', 'bad_request', ...IN_VAULT],
  reply: success,
})

export const switchLlm = route({
  method: 'post',
  path: '/api/conversations/{conversation_id}/switch_llm',
  summary: 'Go on with another model, from the next step on',
  tag,
  params: conversationParams,
  body: z.object({ llm: gatewayLlm }),
  failures: ['conversation_not_found', 'conversation_elsewhere', 'bad_request', 'llm_unknown_model', 'llm_bad_request'],
  reply: success,
})

export const getAgentFinalResponse = route({
  method: 'get',
  path: '/api/conversations/{conversation_id}/agent_final_response',
  summary: "The agent's last word; empty when there is none",
  tag,
  params: conversationParams,
  failures: ['conversation_not_found'],
  reply: z.object({ response: z.string() }),
})

export const generateTitle = route({
  method: 'post',
  path: '/api/conversations/{conversation_id}/generate_title',
  summary: 'A title made of the first message',
  tag,
  params: conversationParams,
  body: z.object({ max_length: z.int().min(1).max(200).default(50) }).default({ max_length: 50 }),
  failures: ['conversation_not_found', 'bad_request'],
  reply: z.object({ title: z.string() }),
})

import { z } from 'zod'
import { IN_VAULT } from '../contract/failures.ts'
import { success } from '../contract/page.ts'
import { route } from '../contract/route.ts'
import { conversationSecrets } from '../v1/conversation/secrets.ts'
import { gatewayAnalyzer } from './analyzers.ts'
import { conversationParams } from './conversations.ts'
import { gatewayLlm } from './llm.ts'
import { confirmationPolicy } from './start-request.ts'

const tag = 'Conversations'

export const setConfirmationPolicy = route({
  method: 'post',
  path: '/api/conversations/{conversation_id}/confirmation_policy',
  summary: 'Choose when the agent asks before it acts',
  description: 'Chooses when the agent of this conversation asks before it acts. 400 for a policy that does not exist.',
  tag,
  params: conversationParams,
  body: z.object({ policy: confirmationPolicy.describe('When the agent asks before it acts.') }),
  failures: ['conversation_not_found', 'conversation_elsewhere', 'bad_request'],
  reply: success,
})

export const setSecurityAnalyzer = route({
  method: 'post',
  path: '/api/conversations/{conversation_id}/security_analyzer',
  summary: 'Choose who rates the risk of actions: nobody, the model, or rules',
  description:
    'Chooses who rates the risk of actions in this conversation: nobody, the model, or rules. 501 for an analyzer that Atelier does not have.',
  tag,
  params: conversationParams,
  body: z.object({
    security_analyzer: gatewayAnalyzer.nullable().describe('What rates the risk of actions; null is nothing.'),
  }),
  failures: ['conversation_not_found', 'conversation_elsewhere', 'not_supported'],
  reply: success,
})

/** Added to those that it has, or put in their place. Told to nobody; each command gets those that it names. */
export const setGatewaySecrets = route({
  method: 'post',
  path: '/api/conversations/{conversation_id}/secrets',
  summary: 'Give secrets to this conversation alone',
  description:
    'Gives secrets to this conversation alone. They go to the keychain and are deleted with the conversation.',
  tag,
  params: conversationParams,
  body: z.object({
    secrets: conversationSecrets.describe(
      'Secrets by the name of their variable; they are added to those that the conversation has.',
    ),
  }),
  failures: ['conversation_not_found', 'conversation_elsewhere', 'bad_request', ...IN_VAULT],
  reply: success,
})

export const switchLlm = route({
  method: 'post',
  path: '/api/conversations/{conversation_id}/switch_llm',
  summary: 'Go on with another model, from the next step on',
  description: 'Lets the conversation go on with another model from its next step on. 400 when the model is not named.',
  tag,
  params: conversationParams,
  body: z.object({ llm: gatewayLlm.describe('Model to go on with.') }),
  failures: ['conversation_not_found', 'conversation_elsewhere', 'bad_request', 'llm_unknown_model', 'llm_bad_request'],
  reply: success,
})

export const getAgentFinalResponse = route({
  method: 'get',
  path: '/api/conversations/{conversation_id}/agent_final_response',
  summary: "The agent's last word; empty when there is none",
  description: 'Reads the last message of the agent. It is empty while there is none.',
  tag,
  params: conversationParams,
  failures: ['conversation_not_found'],
  reply: z.object({ response: z.string().describe("The agent's last message; empty when there is none.") }),
})

export const generateTitle = route({
  method: 'post',
  path: '/api/conversations/{conversation_id}/generate_title',
  summary: 'A title made of the first message',
  description: 'Makes a title of the first message and gives it to the conversation. 400 while there is no message.',
  tag,
  params: conversationParams,
  body: z
    .object({ max_length: z.int().min(1).max(200).default(50).describe('Characters that the title may have.') })
    .default({ max_length: 50 }),
  failures: ['conversation_not_found', 'bad_request'],
  reply: z.object({ title: z.string().describe('Title made of the first message.') }),
})

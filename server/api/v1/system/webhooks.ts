import { z } from 'zod'
import { IN_VAULT } from '../../contract/failures.ts'
import { success } from '../../contract/page.ts'
import { route } from '../../contract/route.ts'
import { executionStatus } from '../../event/events.ts'
import { conversationParams } from '../conversation/params.ts'

/**
 * What agent servers that run elsewhere report of their conversations. The key is the sandbox's own, in the header
 * X-Session-API-Key: the app's key opens nothing here, since it does not say which sandbox reports.
 */
const tag = 'Webhooks'
const sandbox = { sandbox_id: z.string().describe('Id of the sandbox that reports, which the key must be of.') }

/** Of an agent server's ConversationInfo, what is kept; whatever else it holds is left alone. */
export const reportedConversation = z.looseObject({
  id: z.string().describe('Id of the conversation, as a UUID with or without hyphens.'),
  title: z.string().max(1000).nullish().describe('Title for people; absent keeps what is known.'),
  execution_status: executionStatus.nullish().describe('What its agent is doing; absent keeps what is known.'),
  max_iterations: z.int().min(1).nullish().describe('Steps that its agent may take; absent keeps what is known.'),
  parent_conversation_id: z.string().nullish().describe('Conversation that it was started from; absent for none.'),
  agent: z
    .looseObject({
      llm: z
        .looseObject({ model: z.string().nullish().describe('Name of the model, as `provider/model`.') })
        .nullish()
        .describe("The agent's model."),
    })
    .nullish()
    .describe("The agent, of which the model's name is kept."),
  workspace: z
    .looseObject({ working_dir: z.string().nullish().describe('Absolute path of the folder in the sandbox.') })
    .nullish()
    .describe('Folder that the agent works in.'),
})
export type ReportedConversation = z.output<typeof reportedConversation>

/** An event of any dialect. What Atelier has no kind for is kept as a state update named after its kind. */
export const reportedEvent = z.looseObject({
  id: z.string().min(1).max(200).describe('Id of the event; one that came before is left out.'),
  kind: z.string().min(1).max(200).describe('Kind of the event; its other fields depend on it.'),
})
export type ReportedEvent = z.output<typeof reportedEvent>
const reportedEvents = z.array(reportedEvent).max(1000)

export const reportConversation = route({
  method: 'post',
  path: '/api/v1/webhooks/conversations',
  summary: 'Make a conversation of another agent server known, or change what is known of it',
  description:
    "Makes a conversation known that another agent server runs in this sandbox, or changes what is known of it. The key is the sandbox's own.",
  tag,
  key: 'sandbox',
  body: reportedConversation,
  failures: ['unauthorized', 'invalid_id', 'conflict'],
  reply: success,
})

export const reportConversationOfSandbox = route({
  method: 'post',
  path: '/api/v1/webhooks/{sandbox_id}/conversations',
  summary: 'The same, with the sandbox in the path, which the key must be of',
  description:
    'Makes a conversation known that another agent server runs, with the sandbox in the path, which the key must be of.',
  tag,
  key: 'sandbox',
  params: z.object(sandbox),
  body: reportedConversation,
  failures: ['unauthorized', 'invalid_id', 'conflict'],
  reply: success,
})

export const reportEvents = route({
  method: 'post',
  path: '/api/v1/webhooks/events/{conversation_id}',
  summary: 'Store events of another agent server in their order',
  description:
    'Stores events of a conversation that another agent server runs, in their order. An event that came before is left out.',
  tag,
  key: 'sandbox',
  params: conversationParams,
  body: reportedEvents,
  failures: ['unauthorized', 'invalid_id', 'conflict'],
  reply: success,
})

export const reportEventsOfSandbox = route({
  method: 'post',
  path: '/api/v1/webhooks/{sandbox_id}/events/{conversation_id}',
  summary: 'The same, with the sandbox in the path, which the key must be of',
  description:
    'Stores events of a conversation that another agent server runs, with the sandbox in the path, which the key must be of.',
  tag,
  key: 'sandbox',
  params: z.object({ ...sandbox, ...conversationParams.shape }),
  body: reportedEvents,
  failures: ['unauthorized', 'invalid_id', 'conflict'],
  reply: success,
})

const secretsPath = '/api/v1/sandboxes/{sandbox_id}/settings/secrets' as const

export const listSandboxSecrets = route({
  method: 'get',
  path: secretsPath,
  summary:
    'Names of the secrets that were given for a conversation of this sandbox, or that one of its commands has named',
  description:
    'Lists the secrets that were given for a conversation of this sandbox, or that one of its commands has named; values are not in the reply.',
  tag,
  key: 'sandbox',
  params: z.object(sandbox),
  reply: z.object({
    secrets: z
      .array(
        z.object({
          name: z.string().describe('Name of the variable.'),
          description: z.string().describe('What the secret is for; empty when nothing was said.'),
        }),
      )
      .describe("Secrets of the sandbox's conversations, without their values."),
  }),
})

/** What a LookupSecret of an agent server reads: the value alone, as text. */
export const getSandboxSecret = route({
  method: 'get',
  path: `${secretsPath}/{secret_name}`,
  summary: 'The value of one of them, as plain text',
  description: "Reads the value of one of the sandbox's secrets, as plain text. The key is the sandbox's own.",
  tag,
  key: 'sandbox',
  params: z.object({ ...sandbox, secret_name: z.string().describe('Name of the variable.') }),
  failures: ['secret_not_found', ...IN_VAULT],
  reply: z.string(),
  media: { reply: 'text/plain' },
})

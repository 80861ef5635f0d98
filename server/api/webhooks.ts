import { z } from 'zod'
import { executionStatus } from './events.ts'
import { IN_VAULT } from './failures.ts'
import { success } from './page.ts'
import { route } from './route.ts'

/**
 * What agent servers that run elsewhere report of their conversations. The key is the sandbox's own, in the header
 * X-Session-API-Key: the app's key opens nothing here, since it does not say which sandbox reports.
 */
const tag = 'Webhooks'
const sandbox = { sandbox_id: z.string() }
const conversation = { conversation_id: z.string() }

/** Of an agent server's ConversationInfo, what is kept; whatever else it holds is left alone. */
export const reportedConversation = z.looseObject({
  id: z.string(),
  title: z.string().max(1000).nullish(),
  execution_status: executionStatus.nullish(),
  max_iterations: z.int().min(1).nullish(),
  parent_conversation_id: z.string().nullish(),
  agent: z.looseObject({ llm: z.looseObject({ model: z.string().nullish() }).nullish() }).nullish(),
  workspace: z.looseObject({ working_dir: z.string().nullish() }).nullish(),
})
export type ReportedConversation = z.output<typeof reportedConversation>

/** An event of any dialect. What Atelier has no kind for is kept as a state update named after its kind. */
export const reportedEvent = z.looseObject({ id: z.string().min(1).max(200), kind: z.string().min(1).max(200) })
export type ReportedEvent = z.output<typeof reportedEvent>
const reportedEvents = z.array(reportedEvent).max(1000)

export const reportConversation = route({
  method: 'post',
  path: '/api/v1/webhooks/conversations',
  summary: 'Make a conversation of another agent server known, or change what is known of it',
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
  summary: 'Store events of another agent server in their order; one that came before is left out',
  tag,
  key: 'sandbox',
  params: z.object(conversation),
  body: reportedEvents,
  failures: ['unauthorized', 'invalid_id', 'conflict'],
  reply: success,
})

export const reportEventsOfSandbox = route({
  method: 'post',
  path: '/api/v1/webhooks/{sandbox_id}/events/{conversation_id}',
  summary: 'The same, with the sandbox in the path, which the key must be of',
  tag,
  key: 'sandbox',
  params: z.object({ ...sandbox, ...conversation }),
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
  tag,
  key: 'sandbox',
  params: z.object(sandbox),
  reply: z.object({ secrets: z.array(z.object({ name: z.string(), description: z.string() })) }),
})

/** What a LookupSecret of an agent server reads: the value alone, as text. */
export const getSandboxSecret = route({
  method: 'get',
  path: `${secretsPath}/{secret_name}`,
  summary: 'The value of one of them, as plain text',
  tag,
  key: 'sandbox',
  params: z.object({ ...sandbox, secret_name: z.string() }),
  failures: ['secret_not_found', ...IN_VAULT],
  reply: z.string(),
  media: { reply: 'text/plain' },
})

import { z } from 'zod'
import { gitProvider } from './app-conversations.ts'
import { IN_VAULT } from './failures.ts'
import { mcpConfigInput } from './mcp.ts'
import { route } from './route.ts'

export const CONVERSATION_STATUSES = ['STARTING', 'RUNNING', 'STOPPED'] as const

export const suggestedTask = z.object({
  repo: z.string(),
  issue_number: z.int(),
  title: z.string(),
  git_provider: gitProvider.nullish(),
  task_type: z
    .enum(['MERGE_CONFLICTS', 'FAILING_CHECKS', 'UNRESOLVED_COMMENTS', 'OPEN_ISSUE', 'OPEN_PR', 'CREATE_MICROAGENT'])
    .nullish(),
})

export type SuggestedTask = z.output<typeof suggestedTask>

export const createMicroagent = z.object({
  repo: z.string(),
  git_provider: gitProvider.nullish(),
  title: z.string().nullish(),
})

/** The specification's table 2.3. Unknown fields are refused. */
export const newConversationRequest = z.strictObject({
  repository: z.string().nullish(),
  git_provider: gitProvider.nullish(),
  selected_branch: z.string().nullish(),
  initial_user_msg: z.string().nullish(),
  image_urls: z.array(z.string()).nullish(),
  replay_json: z.string().nullish(),
  suggested_task: suggestedTask.nullish(),
  create_microagent: createMicroagent.nullish(),
  conversation_instructions: z.string().nullish(),
  mcp_config: mcpConfigInput.nullish(),
  conversation_id: z.string().optional(),
})
export type NewConversationRequest = z.output<typeof newConversationRequest>

/** The specification's table 2.4. */
export const newConversationReply = z.object({
  status: z.string(),
  conversation_id: z.string(),
  message: z.string().nullable(),
  conversation_status: z.enum(CONVERSATION_STATUSES).nullable(),
})
export type NewConversationReply = z.output<typeof newConversationReply>

export const newConversation = route({
  method: 'post',
  path: '/api/conversations',
  summary: 'New Conversation',
  tag: 'Conversations',
  body: newConversationRequest,
  failures: [
    'bad_request',
    'invalid_id',
    'unauthorized',
    'conversation_exists',
    'trajectory_invalid',
    'model_not_set',
    'llm_unknown_model',
    { code: 'settings_not_found', status: 400 },
    { code: 'llm_authentication', status: 400 },
    ...IN_VAULT,
  ],
  reply: newConversationReply,
})

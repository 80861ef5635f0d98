import { z } from 'zod'
import { IN_VAULT } from '../contract/failures.ts'
import { MAX_MESSAGE_CHARACTERS } from '../contract/limits.ts'
import { route } from '../contract/route.ts'
import { lineText } from '../input-text.ts'
import { gitProvider } from '../v1/conversation/conversations.ts'
import { suggestedTask } from '../v1/git/data.ts'
import { mcpConfigInput } from '../v1/settings/mcp.ts'

export const CONVERSATION_STATUSES = ['STARTING', 'RUNNING', 'STOPPED'] as const

export const createMicroagent = z.object({
  repo: lineText(2000).describe('Repository that the instructions are for, as `owner/name`.'),
  git_provider: gitProvider.nullish().describe('Where the repository lies; absent is github.'),
  title: z.string().nullish().describe('What the instructions are about; absent leaves it to the agent.'),
})

/** The specification's table 2.3. Unknown fields are refused. */
export const newConversationRequest = z.strictObject({
  repository: lineText(2000)
    .nullish()
    .describe('Repository to clone, as `owner/name` or as a git URL; null starts with an empty folder.'),
  git_provider: gitProvider.nullish().describe('Where `owner/name` lies; null is github.'),
  selected_branch: lineText(500).nullish().describe("Branch to check out; null is the repository's default branch."),
  initial_user_msg: z
    .string()
    .max(MAX_MESSAGE_CHARACTERS)
    .nullish()
    .describe('First message to the agent; null starts without one.'),
  image_urls: z
    .array(z.string())
    .nullish()
    .describe('Images that belong to the first message, as `data:` URLs or addresses that begin with https://.'),
  replay_json: z
    .string()
    .nullish()
    .describe('JSON text of a recorded trajectory that is carried out anew instead of asking a model.'),
  suggested_task: suggestedTask.nullish().describe('Task that the agent is given as its first message.'),
  create_microagent: createMicroagent
    .nullish()
    .describe('Asks the agent to write instructions for agents into a repository.'),
  conversation_instructions: z
    .string()
    .nullish()
    .describe('Instructions for the agent beside the first message; null for none.'),
  mcp_config: mcpConfigInput
    .nullish()
    .describe('Tool servers of this conversation, in place of those of the settings.'),
  conversation_id: z
    .string()
    .optional()
    .describe(
      'UUID or name for the new conversation: up to 100 characters, without slashes. Absent lets the service choose; 409 when it is taken.',
    ),
})
export type NewConversationRequest = z.output<typeof newConversationRequest>

/** The specification's table 2.4. */
export const newConversationReply = z.object({
  status: z.string().describe('`ok` when the conversation was created.'),
  conversation_id: z.string().describe('Id of the new conversation.'),
  message: z.string().nullable().describe('What went wrong, in words; null when nothing did.'),
  conversation_status: z
    .enum(CONVERSATION_STATUSES)
    .nullable()
    .describe('State of the new conversation, usually STARTING.'),
})
export type NewConversationReply = z.output<typeof newConversationReply>

export const newConversation = route({
  method: 'post',
  path: '/api/conversations',
  summary: 'New Conversation',
  description:
    'Starts a conversation and answers at once, while its sandbox is still starting; its events come over Socket.IO. Fields that are not known are refused with 422.',
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

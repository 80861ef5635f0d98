import { z } from 'zod'
import { MAX_ATTACHED } from '../../contract/limits.ts'
import { dateTime } from '../../contract/page.ts'
import { route } from '../../contract/route.ts'
import { sendMessageRequest } from '../../event/events.ts'
import { lineText } from '../../input-text.ts'
import { devContainer } from '../sandbox/dev-containers.ts'
import { networkPolicy } from '../sandbox/network.ts'
import { attachment } from './attachments.ts'
import { attemptChoice } from './attempts.ts'
import { confirmationPolicy, securityAnalyzer } from './confirmation.ts'
import { agentType, gitProvider, trigger } from './conversations.ts'
import { folderSource } from './folder/folders.ts'
import { conversationSecrets } from './secrets.ts'

const tag = 'App conversations'

export const appConversationStartRequest = z.object({
  sandbox_id: lineText(500)
    .nullish()
    .describe('Sandbox to work in, shared with the conversations that are there; absent starts a new one.'),
  sandbox_spec_id: lineText(500)
    .nullish()
    .describe('Spec that a new sandbox is started from; absent is the default spec.'),
  network_policy: networkPolicy
    .nullish()
    .describe('What a new sandbox reaches, in place of what its spec says. A sandbox that is there keeps its own.'),
  dev_container: devContainer
    .nullish()
    .describe(
      'Dev container of the repository or folder that a new sandbox is made as; `POST /api/v1/dev-containers/look` says which there are. Absent makes it as the spec says.',
    ),
  conversation_id: z
    .string()
    .nullish()
    .describe(
      'Id for the new conversation, as a UUID with or without hyphens; absent lets the service choose. 409 when it is taken.',
    ),
  initial_message: sendMessageRequest
    .nullish()
    .describe('First message; absent starts without one, and the agent waits.'),
  attachments: z
    .array(attachment)
    .max(MAX_ATTACHED)
    .nullish()
    .describe(
      'Files that go with the first message: they are put into the sandbox, and the message says where. Another start cannot use them meanwhile; one that fails keeps them for another.',
    ),
  attempts: attemptChoice
    .nullish()
    .describe(
      'Several attempts at the first message: once everything is prepared, each begins in a copy of the sandbox, and the message goes to them in place of this conversation. 409 `too_many_sandboxes` where more are asked for than may run at once. Absent sends it here.',
    ),
  llm_model: lineText(500)
    .nullish()
    .describe('Model for this conversation, as `provider/model`; absent is the model of the settings.'),
  profile: lineText(500)
    .nullish()
    .describe(
      'Name of a saved model that the conversation is held with, in place of `llm_model`; absent is none. 404 when there is none of this name.',
    ),
  selected_repository: lineText(2000)
    .nullish()
    .describe(
      'Repository to clone: a git URL, or `owner/name` at the git provider. Absent starts with an empty folder.',
    ),
  source: folderSource
    .nullish()
    .describe(
      'Folder of this computer to work on, instead of a repository; `POST /api/v1/folders/inspect` says beforehand what is copied.',
    ),
  selected_branch: lineText(500).nullish().describe("Branch to check out; absent is the repository's default branch."),
  git_provider: gitProvider.nullish().describe('Where `owner/name` lies; absent is github.'),
  title: z
    .string()
    .max(32_768)
    .nullish()
    .describe('Title for people, cut to 200 characters; absent lets the model write one.'),
  trigger: trigger.nullish().describe("What started it, for the client's own use."),
  pr_number: z
    .array(z.int())
    .default([])
    .describe("Numbers of the pull requests that it belongs to, for the client's own use."),
  parent_conversation_id: z
    .string()
    .nullish()
    .describe(
      'Conversation that this one belongs to; its sandbox, repository and model are taken unless others are named. 404 when there is none.',
    ),
  forked_from_conversation_id: z
    .string()
    .nullish()
    .describe(
      'Conversation that this one goes on from, in a copy of its sandbox, or in a new one where it was imported without: with its log, files, model, secrets and limits, unless others are named. 404 when there is none.',
    ),
  forked_from_event_id: z
    .string()
    .nullish()
    .describe(
      'Last event of that conversation to begin with; the files are made what they were then, where they were kept. Absent goes on from where it stands.',
    ),
  agent_type: agentType
    .default('default')
    .describe('`plan` reads, and writes nothing but its plan; `default` does everything.'),
  confirmation_policy: confirmationPolicy
    .nullish()
    .describe('When the agent asks a person before it acts; absent is what the settings say.'),
  security_analyzer: securityAnalyzer
    .nullish()
    .describe('What rates the risk of actions; absent is what the settings say.'),
  max_iterations: z
    .int()
    .min(1)
    .nullish()
    .describe('Steps that the agent may take before it pauses; absent is what the settings say.'),
  max_budget_per_task: z
    .number()
    .positive()
    .nullish()
    .describe('US dollars that it may cost before the agent pauses; absent is what the settings say.'),
})
export type AppConversationStartRequest = z.output<typeof appConversationStartRequest>

/** What is kept of a request holds no secret. */
export const newAppConversation = appConversationStartRequest.extend({
  secrets: conversationSecrets
    .nullish()
    .describe(
      'Secrets for this conversation alone, by the name of their variable; they go to the keychain and are deleted with it.',
    ),
})
export type NewAppConversation = z.output<typeof newAppConversation>

export const START_TASK_STATUSES = [
  'WORKING',
  'WAITING_FOR_SANDBOX',
  'PREPARING_REPOSITORY',
  'RUNNING_SETUP_SCRIPT',
  'SETTING_UP_GIT_HOOKS',
  'STARTING_CONVERSATION',
  'READY',
  'ERROR',
] as const

export const startTaskStatus = z.enum(START_TASK_STATUSES)
export type StartTaskStatus = z.output<typeof startTaskStatus>

/** One step of a start: `finished_at` null while it goes on; `detail` is its newest line (a pull's bytes, git's progress). */
export const startStep = z.object({
  status: startTaskStatus.describe('What this step of the start does.'),
  started_at: dateTime.describe('When the step began.'),
  finished_at: dateTime.nullable().describe('When it ended; null while it goes on.'),
  detail: z.string().nullable().describe("Its newest line for people, such as git's progress; null for none."),
  progress: z
    .object({
      done: z.number().describe('How much is done, in bytes for the pull of an image.'),
      total: z.number().describe('How much there is to do, in the same unit.'),
    })
    .nullable()
    .describe('How far it is; null where that cannot be told.'),
})
export type StartStep = z.output<typeof startStep>

export const appConversationStartTask = z.object({
  id: z.string().describe("Id of the start: 32 hexadecimal digits. It is not the conversation's."),
  created_by_user_id: z.string().nullable().describe('Always null, as there are no accounts.'),
  status: startTaskStatus.describe('What the start does now; READY and ERROR are its ends.'),
  detail: z
    .string()
    .nullable()
    .describe(
      'What went wrong, in words, at ERROR; what the start waits for while others, or the engine, come first; else null.',
    ),
  app_conversation_id: z.string().nullable().describe('The conversation that came of it; null before READY.'),
  sandbox_id: z.string().nullable().describe('Its sandbox; null before there is one.'),
  agent_server_url: z.string().nullable().describe('Address of the gateway; null before there is a sandbox.'),
  request: appConversationStartRequest.describe('What was asked for, without secrets.'),
  steps: z.array(startStep).describe('Steps of the start so far, in their order.'),
  created_at: dateTime.describe('When the start was asked for.'),
  updated_at: dateTime.describe('When it last changed.'),
})
export type AppConversationStartTask = z.output<typeof appConversationStartTask>

export const createAppConversation = route({
  method: 'post',
  path: '/api/v1/app-conversations',
  summary: 'Create an app conversation',
  description:
    'Begins to start a conversation and answers at once with its start task. Follow that at `/api/v1/app-conversations/start-tasks` or over the socket `/sockets/updates`; at READY it names the conversation.',
  tag,
  body: newAppConversation,
  failures: [
    'bad_request',
    'invalid_id',
    'conversation_exists',
    'conversation_not_found',
    'not_found',
    'conflict',
    'model_not_set',
  ],
  reply: appConversationStartTask,
})

export const streamStart = route({
  method: 'post',
  path: '/api/v1/app-conversations/stream-start',
  summary: 'Create an app conversation and follow its start',
  description:
    'Begins to start a conversation and sends its start task each time that it changes, as the elements of one JSON array that ends with the start.',
  tag,
  body: newAppConversation,
  failures: [
    'bad_request',
    'invalid_id',
    'conversation_exists',
    'conversation_not_found',
    'not_found',
    'conflict',
    'model_not_set',
  ],
  reply: z.array(appConversationStartTask),
})

/** Starts the bundled demonstration: a recorded trajectory with real commands in a real sandbox, without a model. */
export const startDemonstration = route({
  method: 'post',
  path: '/api/v1/demonstration',
  summary: 'Start the demonstration',
  description:
    'Starts the demonstration that comes with Atelier: a recorded conversation with real commands in a real sandbox, for which no model is needed.',
  tag,
  failures: ['unavailable'],
  reply: appConversationStartTask,
})

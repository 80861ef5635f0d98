import { z } from 'zod'
import * as actions from './actions.ts'
import * as appConversationStarts from './app-conversation-starts.ts'
import * as appConversations from './app-conversations.ts'
import type { SocketContract } from './asyncapi.ts'
import * as browser from './browser.ts'
import * as config from './config.ts'
import * as confirmation from './confirmation.ts'
import * as content from './content.ts'
import * as conversationActions from './conversation-actions.ts'
import * as conversationWorkspace from './conversation-workspace.ts'
import * as conversations from './conversations.ts'
import * as engineStorage from './engine-storage.ts'
import * as errors from './errors.ts'
import * as eventFrames from './event-frames.ts'
import * as eventRoutes from './event-routes.ts'
import * as events from './events.ts'
import * as gitChanges from './git-changes.ts'
import * as legacyConversations from './legacy-conversations.ts'
import * as legacyEventRoutes from './legacy-event-routes.ts'
import * as legacyEvents from './legacy-events.ts'
import * as legacyWorkspace from './legacy-workspace.ts'
import * as llmProfiles from './llm-profiles.ts'
import * as localApiKey from './local-api-key.ts'
import * as logins from './logins.ts'
import * as mcpSignIn from './mcp-sign-in.ts'
import * as mcpStates from './mcp-states.ts'
import * as metrics from './metrics.ts'
import * as observations from './observations.ts'
import { APP_DESCRIPTION, type Contract } from './openapi.ts'
import * as options from './options.ts'
import * as pendingMessages from './pending-messages.ts'
import * as replays from './replays.ts'
import * as repositoryTrust from './repository-trust.ts'
import type { Route } from './route.ts'
import * as sandboxSpecs from './sandbox-specs.ts'
import * as sandboxes from './sandboxes.ts'
import * as secrets from './secrets.ts'
import * as settings from './settings.ts'
import * as skills from './skills.ts'
import { APP_CHANNELS } from './socket-channels.ts'
import * as startTasks from './start-tasks.ts'
import * as storage from './storage.ts'
import * as system from './system.ts'
import * as usage from './usage.ts'
import * as user from './user.ts'
import * as webhooks from './webhooks.ts'

const MODULES: readonly object[] = [
  settings,
  conversations,
  legacyConversations,
  legacyEvents,
  legacyEventRoutes,
  legacyWorkspace,
  appConversations,
  appConversationStarts,
  replays,
  startTasks,
  conversationActions,
  conversationWorkspace,
  pendingMessages,
  skills,
  repositoryTrust,
  browser,
  content,
  actions,
  observations,
  metrics,
  mcpStates,
  mcpSignIn,
  confirmation,
  events,
  eventFrames,
  eventRoutes,
  gitChanges,
  sandboxes,
  sandboxSpecs,
  secrets,
  llmProfiles,
  storage,
  engineStorage,
  system,
  localApiKey,
  logins,
  config,
  options,
  usage,
  user,
  webhooks,
  errors,
]

const EXPORTS: readonly (readonly [string, unknown])[] = MODULES.flatMap(module => Object.entries(module))

/** Every operation of the contract by its name, which is its operation id too. */
export const OPERATIONS: ReadonlyMap<string, Route> = new Map(
  EXPORTS.filter((entry): entry is [string, Route] => isRoute(entry[1])),
)

export const ROUTES: readonly Route[] = [...OPERATIONS.values()]

/** Every named schema of the contract, for the document's components. */
export const SCHEMAS: ReadonlyMap<string, z.ZodType> = new Map(
  EXPORTS.filter((entry): entry is [string, z.ZodType] => entry[1] instanceof z.ZodType),
)

export const APP_CONTRACT: Contract = {
  title: 'Atelier',
  description: APP_DESCRIPTION,
  operations: OPERATIONS,
  schemas: SCHEMAS,
  errorBodyOf: ({ path }) => (errors.isOlder(path) ? errors.olderErrorBody : errors.errorBody),
  unsupported: [],
}

export const APP_SOCKETS: SocketContract = {
  title: 'Atelier',
  description: 'What happens in conversations and to other resources, as it happens.',
  channels: APP_CHANNELS,
  schemas: SCHEMAS,
}

function isRoute(value: unknown): value is Route {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'reply' in value
}

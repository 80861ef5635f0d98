import { z } from 'zod'
import * as actions from '../event/actions.ts'
import * as content from '../event/content.ts'
import * as events from '../event/events.ts'
import * as eventFrames from '../event/frames.ts'
import * as metrics from '../event/metrics.ts'
import * as observations from '../event/observations.ts'
import * as legacyConversations from '../legacy/conversation-routes.ts'
import * as conversations from '../legacy/conversations.ts'
import * as legacyEventRoutes from '../legacy/event-routes.ts'
import * as legacyEvents from '../legacy/events.ts'
import * as options from '../legacy/options.ts'
import * as user from '../legacy/user.ts'
import * as legacyWorkspace from '../legacy/workspace.ts'
import * as conversationActions from '../v1/conversation/actions.ts'
import * as attachments from '../v1/conversation/attachments.ts'
import * as attempts from '../v1/conversation/attempts.ts'
import * as browser from '../v1/conversation/browser.ts'
import * as checkpoints from '../v1/conversation/checkpoints.ts'
import * as comparisons from '../v1/conversation/comparisons.ts'
import * as confirmation from '../v1/conversation/confirmation.ts'
import * as appConversations from '../v1/conversation/conversations.ts'
import * as eventRoutes from '../v1/conversation/event-routes.ts'
import * as folderApply from '../v1/conversation/folder/apply.ts'
import * as folderBranch from '../v1/conversation/folder/branch.ts'
import * as folders from '../v1/conversation/folder/folders.ts'
import * as gitChanges from '../v1/conversation/git-changes.ts'
import * as pendingMessages from '../v1/conversation/pending-messages.ts'
import * as replays from '../v1/conversation/replays.ts'
import * as repositoryTrust from '../v1/conversation/repository-trust.ts'
import * as review from '../v1/conversation/review.ts'
import * as skills from '../v1/conversation/skills.ts'
import * as startTasks from '../v1/conversation/start-tasks.ts'
import * as appConversationStarts from '../v1/conversation/starts.ts'
import * as conversationWorkspace from '../v1/conversation/workspace.ts'
import * as gitCommits from '../v1/git/commits.ts'
import * as gitData from '../v1/git/data.ts'
import * as gitDrafts from '../v1/git/drafts.ts'
import * as gitPullRequestStatus from '../v1/git/pull-request-status.ts'
import * as gitPullRequests from '../v1/git/pull-requests.ts'
import * as gitDataRoutes from '../v1/git/routes.ts'
import * as gitSignIns from '../v1/git/sign-ins.ts'
import * as specBuilds from '../v1/sandbox/builds.ts'
import * as devContainers from '../v1/sandbox/dev-containers.ts'
import * as engineStorage from '../v1/sandbox/engine-storage.ts'
import * as conversationFiles from '../v1/sandbox/files.ts'
import * as sandboxLogs from '../v1/sandbox/logs.ts'
import * as sandboxNetworks from '../v1/sandbox/network.ts'
import * as ports from '../v1/sandbox/ports.ts'
import * as removable from '../v1/sandbox/removable.ts'
import * as sandboxes from '../v1/sandbox/sandboxes.ts'
import * as sandboxServices from '../v1/sandbox/services.ts'
import * as specFiles from '../v1/sandbox/spec-files.ts'
import * as sandboxSpecs from '../v1/sandbox/specs.ts'
import * as terminalFrames from '../v1/sandbox/terminal-frames.ts'
import * as terminals from '../v1/sandbox/terminals.ts'
import * as config from '../v1/settings/config.ts'
import * as llmProfiles from '../v1/settings/llm-profiles.ts'
import * as mcpSignIn from '../v1/settings/mcp-sign-in.ts'
import * as mcpStates from '../v1/settings/mcp-states.ts'
import * as secrets from '../v1/settings/secrets.ts'
import * as settings from '../v1/settings/settings.ts'
import * as diagnosis from '../v1/system/diagnosis.ts'
import * as engines from '../v1/system/engines.ts'
import * as localApiKey from '../v1/system/local-api-key.ts'
import * as log from '../v1/system/log.ts'
import * as logins from '../v1/system/logins.ts'
import * as retention from '../v1/system/retention.ts'
import * as search from '../v1/system/search.ts'
import * as storage from '../v1/system/storage.ts'
import * as system from '../v1/system/system.ts'
import * as usage from '../v1/system/usage.ts'
import * as webhooks from '../v1/system/webhooks.ts'
import * as dataExports from '../v1/transfer/exports.ts'
import * as dataImports from '../v1/transfer/imports.ts'
import * as userInstructions from '../v1/transfer/instructions.ts'
import type { SocketContract } from './asyncapi.ts'
import * as errors from './errors.ts'
import { APP_DESCRIPTION, type Contract } from './openapi.ts'
import type { Route } from './route.ts'
import { APP_CHANNELS } from './socket-channels.ts'

const MODULES: readonly object[] = [
  settings,
  conversations,
  legacyConversations,
  legacyEvents,
  legacyEventRoutes,
  legacyWorkspace,
  appConversations,
  appConversationStarts,
  folderApply,
  folderBranch,
  folders,
  replays,
  attachments,
  startTasks,
  conversationActions,
  conversationFiles,
  conversationWorkspace,
  checkpoints,
  attempts,
  comparisons,
  review,
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
  search,
  gitChanges,
  sandboxes,
  devContainers,
  sandboxSpecs,
  specBuilds,
  specFiles,
  terminals,
  sandboxNetworks,
  sandboxLogs,
  sandboxServices,
  ports,
  terminalFrames,
  secrets,
  llmProfiles,
  retention,
  storage,
  dataExports,
  dataImports,
  userInstructions,
  engineStorage,
  removable,
  engines,
  system,
  diagnosis,
  log,
  localApiKey,
  logins,
  config,
  options,
  usage,
  gitCommits,
  gitData,
  gitDataRoutes,
  gitDrafts,
  gitPullRequestStatus,
  gitPullRequests,
  gitSignIns,
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
const SCHEMAS: ReadonlyMap<string, z.ZodType> = new Map(
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

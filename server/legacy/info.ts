import { defaultTitle } from '../agent/default-title.ts'
import type { ConversationInfo, RuntimeStatus } from '../api/legacy/conversation-routes.ts'
import type { AppConversation } from '../api/v1/conversation/conversations.ts'
import type { AppConversationStartTask, StartTaskStatus } from '../api/v1/conversation/starts.ts'
import type { SandboxInfo } from '../api/v1/sandbox/sandboxes.ts'
import type { ConversationId } from '../domain/ids.ts'

const STATUS: Record<SandboxInfo['status'], ConversationInfo['status']> = {
  RUNNING: 'RUNNING',
  STARTING: 'STARTING',
  PAUSED: 'STOPPED',
  ERROR: 'STOPPED',
  MISSING: 'STOPPED',
}

/** How clients of the legacy generation know a conversation. */
export interface LegacyIdentity {
  /** A client of the legacy generation created it, so that it is to be shown with that generation's events. */
  isLegacy: boolean
  name: string
}

/**
 * A conversation of either generation as the legacy generation shows it. With one of the newer, clients are to speak
 * at its agent server, with its sandbox's key.
 */
export function toConversationInfo(
  conversation: AppConversation,
  { isLegacy, name }: LegacyIdentity,
  connections: number,
): ConversationInfo {
  const status = STATUS[conversation.sandbox_status]
  return {
    conversation_id: name,
    title: conversation.title ?? defaultTitle(conversation.id as ConversationId),
    last_updated_at: conversation.updated_at,
    status,
    runtime_status: runtimeStatus(conversation),
    selected_repository: conversation.selected_repository,
    selected_branch: conversation.selected_branch,
    git_provider: conversation.git_provider,
    trigger: conversation.trigger,
    num_connections: connections,
    url: status !== 'RUNNING' ? null : isLegacy ? `/api/conversations/${name}` : conversation.conversation_url,
    session_api_key: isLegacy ? null : conversation.session_api_key,
    created_at: conversation.created_at,
    pr_number: conversation.pr_number,
    conversation_version: isLegacy ? 'V0' : 'V1',
    sub_conversation_ids: conversation.sub_conversation_ids,
  }
}

function runtimeStatus({ sandbox_status, execution_status }: AppConversation): RuntimeStatus | null {
  if (sandbox_status === 'ERROR') return 'STATUS$ERROR'
  if (sandbox_status !== 'RUNNING') return null
  return execution_status === 'error' || execution_status === 'stuck' ? 'STATUS$ERROR' : 'STATUS$READY'
}

export const START_STATUS: Record<StartTaskStatus, RuntimeStatus> = {
  WORKING: 'STATUS$STARTING_RUNTIME',
  WAITING_FOR_SANDBOX: 'STATUS$STARTING_RUNTIME',
  PREPARING_REPOSITORY: 'STATUS$SETTING_UP_WORKSPACE',
  RUNNING_SETUP_SCRIPT: 'STATUS$SETTING_UP_WORKSPACE',
  SETTING_UP_GIT_HOOKS: 'STATUS$SETTING_UP_GIT_HOOKS',
  STARTING_CONVERSATION: 'STATUS$READY',
  READY: 'STATUS$READY',
  ERROR: 'STATUS$ERROR',
}

/** What will be a conversation, or failed to become one. */
export function toStartingInfo(
  id: ConversationId,
  { isLegacy, name }: LegacyIdentity,
  task: AppConversationStartTask,
): ConversationInfo {
  const { request } = task
  return {
    conversation_id: name,
    title: request.title ?? defaultTitle(id),
    last_updated_at: task.updated_at,
    status: task.status === 'ERROR' ? 'STOPPED' : 'STARTING',
    runtime_status: START_STATUS[task.status],
    selected_repository: request.selected_repository ?? null,
    selected_branch: request.selected_branch ?? null,
    git_provider: request.git_provider ?? null,
    trigger: request.trigger ?? 'gui',
    num_connections: 0,
    url: null,
    session_api_key: null,
    created_at: task.created_at,
    pr_number: request.pr_number,
    conversation_version: isLegacy ? 'V0' : 'V1',
    sub_conversation_ids: [],
  }
}

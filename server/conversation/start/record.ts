import { defaultPolicy } from '../../agent/confirmation.ts'
import { defaultTitle } from '../../agent/default-title.ts'
import { NO_STATS } from '../../agent/limits.ts'
import { DEFAULT_SETTINGS } from '../../api/v1/settings/settings.ts'
import type { ConversationId } from '../../domain/ids.ts'
import type { StartPlan } from '../../domain/start-plan.ts'
import type { Settings } from '../../settings/service.ts'
import type { Conversation, ConversationTable } from '../../store/conversation/conversations.ts'

export type StoreConversation = (conversation: Conversation) => Promise<void>

/** Existing clients send instructions as a title. */
export const MAX_TITLE = 200

/** A new conversation as it is stored: what its start asked for, else what the settings say. */
export function conversationOf(
  plan: StartPlan,
  settings: Settings,
  place: { sandboxId: string; workingDir: string; mountedFolder: string | null },
): Conversation {
  const { request, source, conversationId, instructions, replay, askedAt } = plan
  const title = request.title?.slice(0, MAX_TITLE)
  const isFolder = source.kind === 'copied_folder' || source.kind === 'mounted_folder'
  return {
    id: conversationId,
    created_at: askedAt,
    updated_at: new Date().toISOString(),
    title: title || defaultTitle(conversationId),
    title_is_default: !title,
    sandbox_id: place.sandboxId,
    working_dir: place.workingDir,
    selected_repository: request.selected_repository ?? null,
    selected_branch: request.selected_branch ?? null,
    git_provider: request.git_provider ?? null,
    source_folder: isFolder ? source.path : null,
    folder_mode: source.kind === 'mounted_folder' ? source.mode : isFolder ? 'copy' : null,
    mounted_folder: place.mountedFolder,
    trigger: request.trigger ?? 'gui',
    pr_number: request.pr_number,
    llm_model: modelOf(plan, settings),
    instructions,
    parent_conversation_id: request.parent_conversation_id ?? null,
    execution_status: 'idle',
    limit_reached: null,
    max_iterations: request.max_iterations ?? settings.max_iterations ?? DEFAULT_SETTINGS.max_iterations,
    max_budget_per_task: request.max_budget_per_task ?? settings.max_budget_per_task,
    stats: NO_STATS,
    replay,
    agent_type: request.agent_type,
    ...policiesOf(plan, settings),
    always_allowed: [],
    stuck_detection: true,
    forked_from_conversation_id: null,
    forked_from_event_id: null,
    pinned_at: null,
    archived_at: null,
    listed_at: null,
  }
}

export function modelOf({ request }: StartPlan, settings: Settings): string | null {
  return request.llm_model ?? settings.llm_model
}

export function policiesOf(
  { request }: StartPlan,
  settings: Settings,
): Pick<Conversation, 'confirmation_policy' | 'security_analyzer'> {
  const { confirmation_policy, security_analyzer } = request
  const { policy, analyzer } = defaultPolicy(settings)
  return {
    confirmation_policy: confirmation_policy ?? policy,
    security_analyzer: security_analyzer === undefined ? analyzer : security_analyzer,
  }
}

/** The parent, where the conversation is to work in its sandbox. */
export function parentInSandbox(
  { request: { parent_conversation_id, sandbox_id } }: StartPlan,
  conversations: Pick<ConversationTable, 'get'>,
): Conversation | undefined {
  const parent = parent_conversation_id ? conversations.get(parent_conversation_id as ConversationId) : undefined
  // Two that have none do not share one.
  return parent?.sandbox_id && parent.sandbox_id === sandbox_id ? parent : undefined
}

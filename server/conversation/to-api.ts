import { agentMetrics } from '../agent/limits.ts'
import type { AppConversation } from '../api/v1/conversation/conversations.ts'
import type { SandboxInfo } from '../api/v1/sandbox/sandboxes.ts'
import type { Conversation } from '../store/conversation/conversations.ts'
import { allowedKinds } from './files/changes.ts'

/** A conversation as clients see it. `sandbox` is undefined when it is missing. */
export function toAppConversation(
  conversation: Conversation,
  live: { sandbox: SandboxInfo | undefined; subConversationIds: string[]; priceKnown: boolean },
): AppConversation {
  const agentServer = live.sandbox?.exposed_urls?.find(({ name }) => name === 'AGENT_SERVER')
  return {
    id: conversation.id,
    created_by_user_id: null,
    sandbox_id: conversation.sandbox_id,
    selected_repository: conversation.selected_repository,
    selected_branch: conversation.selected_branch,
    git_provider: conversation.git_provider,
    title: conversation.title,
    trigger: conversation.trigger,
    pr_number: conversation.pr_number,
    llm_model: conversation.llm_model,
    metrics: agentMetrics(conversation.stats),
    parent_conversation_id: conversation.parent_conversation_id,
    sub_conversation_ids: live.subConversationIds,
    created_at: conversation.created_at,
    updated_at: conversation.updated_at,
    sandbox_status: live.sandbox?.status ?? 'MISSING',
    sandbox_unreachable: live.sandbox?.unreachable ?? false,
    execution_status: conversation.execution_status,
    conversation_url: agentServer ? `${agentServer.url}/api/conversations/${conversation.id}` : null,
    session_api_key: live.sandbox?.session_api_key ?? null,
    max_iterations: conversation.max_iterations,
    max_budget_per_task: conversation.max_budget_per_task,
    limit_reached: conversation.limit_reached,
    steps: conversation.stats.steps,
    cost_unknown: conversation.stats.cost_unknown,
    price_known: live.priceKnown,
    confirmation_policy: conversation.confirmation_policy,
    security_analyzer: conversation.security_analyzer,
    always_allowed: allowedKinds(conversation),
    agent_type: conversation.agent_type,
    forked_from_conversation_id: conversation.forked_from_conversation_id,
    forked_from_event_id: conversation.forked_from_event_id,
    source_folder: conversation.source_folder,
    folder_mode: conversation.folder_mode,
    mounted_folder: conversation.mounted_folder,
    pinned_at: conversation.pinned_at,
    archived_at: conversation.archived_at,
  }
}

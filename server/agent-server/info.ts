import { agentMetrics } from '../agent/limits.ts'
import type { ConversationInfo } from '../api/agent-server/conversations.ts'
import { KEY_MASK } from '../api/contract/hidden-values.ts'
import type { ConversationStats, MetricsSnapshot } from '../api/event/metrics.ts'
import { namesOfClientTools } from '../conversation/tools/client-tools.ts'
import type { Conversation } from '../store/conversation/conversations.ts'
import type { ConversationOptions } from '../store/conversation/options.ts'
import type { SecretMetadata } from '../store/conversation/secrets.ts'
import { describeAgent } from './agent-info.ts'
import type { LogFacts } from './event/log-facts.ts'
import { dashed, localTime } from './event/wire.ts'
import { withSnakeKeys } from './hook-config.ts'

/** What a conversation's row does not say. */
export interface ConversationContext {
  asked: ConversationOptions | undefined
  log: LogFacts
  /** The model of the settings, for a conversation that names none. */
  defaultModel: string | null
  hasOwnKey: boolean
  secrets: readonly SecretMetadata[]
  lastUserMessageId: string | null
  leafEventId: string | null
  subConversationIds: string[]
}

export function toConversationInfo(conversation: Conversation, around: ConversationContext): ConversationInfo {
  const { asked } = around
  const model = conversation.llm_model ?? around.defaultModel ?? ''
  return {
    id: dashed(conversation.id),
    agent: describeAgent(model, around),
    workspace: { kind: 'LocalWorkspace', working_dir: conversation.working_dir },
    persistence_dir: null,
    max_iterations: conversation.max_iterations,
    stuck_detection: conversation.stuck_detection,
    execution_status: conversation.execution_status,
    confirmation_policy: conversation.confirmation_policy,
    security_analyzer: asked?.security_analyzer ? { kind: asked.security_analyzer } : null,
    activated_knowledge_skills: around.log.activatedSkills,
    invoked_skills: around.log.invokedSkills,
    blocked_actions: around.log.blockedActions,
    blocked_messages: around.log.blockedMessages,
    last_user_message_id: around.lastUserMessageId,
    leaf_event_id: around.leafEventId,
    stats: statsOf(conversation.stats, around.log),
    secret_registry: { secret_sources: sourcesOf(around.secrets) },
    agent_state: {},
    hook_config: asked?.hook_config ? withSnakeKeys(asked.hook_config) : null,
    title: conversation.title,
    metrics: withKnownCost(agentMetrics(conversation.stats), conversation.stats),
    created_at: localTime(conversation.created_at),
    updated_at: localTime(conversation.updated_at),
    forked_from_conversation_id:
      conversation.forked_from_conversation_id && dashed(conversation.forked_from_conversation_id),
    forked_from_event_id: conversation.forked_from_event_id,
    parent_conversation_id: conversation.parent_conversation_id && dashed(conversation.parent_conversation_id),
    sub_conversation_ids: around.subConversationIds.map(dashed),
    tags: asked?.tags ?? {},
    current_model_id: null,
    available_models: [],
    supports_runtime_model_switch: false,
    launched_agent_profile: null,
    client_tools: clientToolsOf(asked?.client_tools ?? []),
  }
}

/** With the name by which the agent calls each. */
function clientToolsOf(tools: ConversationOptions['client_tools']): ConversationInfo['client_tools'] {
  const names = namesOfClientTools(tools)
  return tools.map((tool, index) => ({ ...tool, agent_tool_name: names[index] ?? tool.name }))
}

/** The source of a value is not returned: an address may carry a key. */
function sourcesOf(secrets: readonly SecretMetadata[]): Record<string, unknown> {
  const hidden = { StaticSecret: { value: KEY_MASK }, LookupSecret: { url: KEY_MASK, headers: {} } }
  return Object.fromEntries(
    secrets.map(({ name, kind, description }) => [name, { kind, description: description || null, ...hidden[kind] }]),
  )
}

/** Nothing is known of a cost of 0 where some price is not known. */
function withKnownCost<M extends MetricsSnapshot | null>(metrics: M, { cost_unknown }: ConversationStats) {
  return metrics?.accumulated_cost === 0 && cost_unknown ? { ...metrics, accumulated_cost: null } : metrics
}

function statsOf(stats: ConversationStats, log: LogFacts): ConversationInfo['stats'] {
  const entries = Object.entries(stats.usage_to_metrics).map(
    ([usage, metrics]): [string, ConversationInfo['stats']['usage_to_metrics'][string]] => [
      usage,
      { ...withKnownCost(metrics, stats), ...log.answersFor(usage) },
    ],
  )
  return { usage_to_metrics: Object.fromEntries(entries) }
}

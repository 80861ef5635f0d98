import type { ConversationInfo } from '../api/agent-server/conversations.ts'
import { DEFAULT_TOOLS } from '../api/agent-tools.ts'
import { KEY_MASK } from '../api/contract/hidden-values.ts'
import { OWN_TOOLS } from '../api/event/own-tools.ts'
import { type AgentOptions, NO_AGENT_OPTIONS } from '../domain/agent-options.ts'
import type { ConversationOptions } from '../store/conversation/options.ts'

/** The agent as its client has described it, without its keys; what it did not say is null. Skills are left out. */
export function describeAgent(
  model: string,
  { asked, hasOwnKey }: { asked: ConversationOptions | undefined; hasOwnKey: boolean },
): ConversationInfo['agent'] {
  const options = asked?.agent ?? NO_AGENT_OPTIONS
  const names = options.tools ?? OWN_TOOLS.filter(name => name !== 'finish' && name !== 'think')
  return {
    kind: 'Agent',
    llm: {
      usage_id: 'default',
      ...asked?.llm_options,
      model,
      base_url: asked?.llm?.base_url ?? null,
      api_key: hasOwnKey ? KEY_MASK : null,
    },
    tools: names.map(name => ({ name, params: {} })),
    include_default_tools: defaultTools(options),
    mcp_config: {},
    agent_context: contextOf(options),
    filter_tools_regex: options.toolPattern,
    system_prompt: options.systemPrompt,
    condenser: condenserOf(options),
    critic: null,
    tool_concurrency_limit: 1,
  }
}

function defaultTools({ defaultTools: chosen }: AgentOptions): string[] {
  return Object.entries(DEFAULT_TOOLS).flatMap(([name, tool]) => (!chosen || chosen.includes(tool) ? [name] : []))
}

function contextOf(options: AgentOptions) {
  const context = {
    system_message_suffix: options.systemSuffix,
    user_message_suffix: options.userSuffix,
    current_datetime: options.date,
  }
  const says = Object.values(context).some(value => value !== null) || options.disabledSkills.length > 0
  return says ? { skills: [], ...context, disabled_skills: options.disabledSkills } : null
}

function condenserOf({ condenser }: AgentOptions) {
  if (!condenser) return null
  if (condenser.kind === 'off') return { kind: 'NoOpCondenser' }
  const { maxEvents, keepFirst, maxTokens } = condenser
  const kind = 'LLMSummarizingCondenser'
  return { kind, enabled: maxEvents !== null, max_size: maxEvents, keep_first: keepFirst, max_tokens: maxTokens }
}

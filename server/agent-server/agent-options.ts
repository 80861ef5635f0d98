import { DEFAULT_MAX_EVENTS } from '../agent/condenser.ts'
import type { AgentCondenser, AgentSource } from '../api/agent-server/agent.ts'
import type { StartConversationRequest } from '../api/agent-server/start-request.ts'
import { agentToolOf, DEFAULT_TOOLS } from '../api/agent-tools.ts'
import type { AgentOptions } from '../domain/agent-options.ts'
import { AppError } from '../domain/errors.ts'
import { patternProblem } from '../domain/hook-matcher.ts'

/** @throws AppError bad_request with `details.field` for a regular expression that is not taken */
export function toAgentOptions(
  source: AgentSource,
  { agent_launch_additions: additions, autotitle, title_llm_profile: titleProfile, agent }: StartConversationRequest,
): AgentOptions {
  const { agent_context: context, filter_tools_regex: pattern, include_default_tools: defaults } = source
  const problem = pattern ? patternProblem(pattern) : null
  if (problem) {
    const field = `${agent ? 'agent' : 'agent_settings'}.filter_tools_regex`
    throw new AppError('bad_request', `it ${problem}`, { details: { field } })
  }
  return {
    tools: source.tools?.flatMap(({ name }) => agentToolOf(name) ?? []) ?? null,
    toolPattern: pattern || null,
    defaultTools: defaults?.map(name => DEFAULT_TOOLS[name]) ?? null,
    systemPrompt: source.system_prompt?.trim() || null,
    systemSuffix: joined(context?.system_message_suffix, additions?.system_message_suffix_append),
    userSuffix: context?.user_message_suffix?.trim() || null,
    date: context?.current_datetime?.trim() || null,
    condenser: source.condenser ? condenserOf(source.condenser) : null,
    loadsProjectSkills: context?.load_project_skills ?? true,
    loadsUserSkills: context?.load_user_skills ?? true,
    disabledSkills: context?.disabled_skills ?? [],
    loadsMemory: context?.load_memory ?? true,
    memory: context?.memory_context?.trim() || null,
    titles: autotitle,
    titleProfile: titleProfile?.trim() || null,
  }
}

function joined(...texts: (string | null | undefined)[]): string | null {
  return texts.flatMap(text => text?.trim() || []).join('\n\n') || null
}

function condenserOf(given: AgentCondenser): AgentOptions['condenser'] {
  const { kind, enabled, max_size, keep_first, max_tokens } = given
  if (kind === 'NoOpCondenser') return { kind: 'off', maxEvents: null, keepFirst: null, maxTokens: null }
  const isAsked = [enabled, max_size, keep_first, max_tokens].some(value => value !== undefined && value !== null)
  if (!isAsked) return null
  return {
    kind: 'on',
    maxEvents: enabled === false ? null : (max_size ?? DEFAULT_MAX_EVENTS),
    keepFirst: keep_first ?? null,
    maxTokens: max_tokens ?? null,
  }
}

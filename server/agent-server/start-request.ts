import type { GatewayAnalyzer } from '../api/agent-server/analyzers.ts'
import type {
  ConfirmationPolicy as GatewayPolicy,
  StartConversationRequest,
} from '../api/agent-server/start-request.ts'
import { optionsIn } from '../api/model-options.ts'
import {
  type ConfirmationPolicy,
  confirmationPolicy,
  type SecurityAnalyzer,
} from '../api/v1/conversation/confirmation.ts'
import type { ConversationSecretsInput } from '../api/v1/conversation/secrets.ts'
import type { McpConfig } from '../api/v1/settings/mcp.ts'
import { AppError, messageOf } from '../domain/errors.ts'
import { type HooksConfig, isEmpty, matcherProblems, missingIn, parseHooks } from '../domain/hooks-config.ts'
import type { ConversationOptions } from '../store/conversation/options.ts'
import { toAgentOptions } from './agent-options.ts'
import { toSkills } from './client-skills.ts'
import { toSubAgents } from './sub-agents.ts'

/** Refuses what the agent cannot do yet, rather than to start without it. @throws AppError not_supported, not_found */
export function checkStartRequest(request: StartConversationRequest): void {
  const source = request.agent ?? request.agent_settings
  if (!source) throw new AppError('not_found', 'There are no agent profiles. Give the agent, or agent_settings.')
  if (source.kind === 'ACPAgent' || source.agent_kind === 'acp') {
    throw unsupported('agents that speak the Agent Client Protocol')
  }
  toPolicy(request.confirmation_policy)
  toAnalyzer(request.security_analyzer?.kind)
  if (request.secrets_encrypted) throw unsupported('secrets that another server has encrypted')
  if (request.plugins?.length) throw unsupported('plugins')
  if (request.worktree) throw unsupported('a worktree of its own for each conversation')
}

/** `type` and its short names are what some clients send. @throws AppError bad_request for an unknown kind */
export function toPolicy(given: GatewayPolicy | null | undefined): ConfirmationPolicy {
  const name = given?.kind ?? given?.type ?? 'NeverConfirm'
  const parsed = confirmationPolicy.safeParse({ ...given, kind: SHORT_NAMES[name] ?? name })
  if (parsed.success) return parsed.data
  throw new AppError(
    'bad_request',
    'The confirmation policy is not one of NeverConfirm, AlwaysConfirm and ConfirmRisky with a threshold of LOW, MEDIUM or HIGH.',
  )
}

const SHORT_NAMES: Partial<Record<string, string>> = {
  never: 'NeverConfirm',
  always: 'AlwaysConfirm',
  risky: 'ConfirmRisky',
}

/** @throws AppError not_supported for analyzers that are services of others */
export function toAnalyzer(kind: GatewayAnalyzer['kind'] | null | undefined): SecurityAnalyzer | null {
  if (!kind) return null
  const analyzer = ANALYZERS[kind]
  if (!analyzer) throw unsupported('this security analyzer')
  return analyzer
}

const ANALYZERS: Record<GatewayAnalyzer['kind'], SecurityAnalyzer | null> = {
  LLMSecurityAnalyzer: 'llm',
  EnsembleSecurityAnalyzer: 'llm',
  PatternSecurityAnalyzer: 'local',
  PolicyRailSecurityAnalyzer: 'local',
  GraySwanAnalyzer: null,
  ToolShieldLLM: null,
}

function unsupported(what: string): AppError {
  return new AppError('not_supported', `Atelier's agent does not have this yet: ${what}. Leave it out.`)
}

/** Servers that a client names take the place of those of the settings. */
export const NO_SERVERS: McpConfig = { stdio_servers: [], sse_servers: [], shttp_servers: [] }

/** @param defaultModel of the settings */
export function toConversationOptions(
  request: StartConversationRequest,
  llm: ConversationOptions['llm'],
  defaultModel: string | null,
): ConversationOptions {
  const source = request.agent ?? request.agent_settings ?? {}
  return {
    llm,
    llm_options: optionsIn(source.llm ?? {}),
    llm_options_for: llm?.model ?? defaultModel,
    tags: request.tags ?? {},
    security_analyzer: request.security_analyzer?.kind ?? null,
    client_tools: request.client_tools ?? [],
    hook_config: hooksOf(request.hook_config),
    sub_agents: toSubAgents(request.agent_definitions ?? []),
    skills: toSkills(source.agent_context?.skills ?? [], request.workspace.working_dir),
    agent: toAgentOptions(source, request),
  }
}

/** @throws AppError bad_request */
function hooksOf(given: unknown): HooksConfig | null {
  if (given === null || given === undefined) return null
  try {
    const config = parseHooks(given)
    const [missing] = missingIn(config)
    if (missing) throw new Error(`a hook without a ${missing} cannot be run`)
    const [problem] = matcherProblems(config)
    if (problem) throw new Error(problem)
    return isEmpty(config) ? null : config
  } catch (error) {
    throw new AppError('bad_request', `hook_config is not understood: ${messageOf(error).slice(0, 500)}.`)
  }
}

/** Those of the agent's context too, where some clients put them. */
export function secretsOf({ secrets, agent, agent_settings }: StartConversationRequest): ConversationSecretsInput {
  return { ...(agent ?? agent_settings)?.agent_context?.secrets, ...secrets }
}

/** @throws AppError bad_request */
export function absolute(folder: string): string {
  if (folder.startsWith('/') && !folder.includes('\0')) return folder
  throw new AppError('bad_request', 'workspace.working_dir is not an absolute path. Name one in the sandbox.')
}

import type { ConfirmationPolicy, StartConversationRequest } from '../api/gateway-conversations.ts'
import { AppError } from '../errors.ts'

/** Refuses what the agent cannot do yet, rather than to start without it. @throws AppError not_supported, not_found */
export function checkStartRequest(request: StartConversationRequest): void {
  const source = request.agent ?? request.agent_settings
  if (!source) throw new AppError('not_found', 'There are no agent profiles. Give the agent, or agent_settings.')
  if (source.kind === 'ACPAgent' || source.agent_kind === 'acp') {
    throw unsupported('agents that speak the Agent Client Protocol')
  }
  checkPolicy(request.confirmation_policy)
  checkAnalyzer(request.security_analyzer?.kind)
  if (Object.keys(request.secrets ?? {}).length > 0) throw unsupported('secrets of a single conversation')
  if (request.client_tools?.length) throw unsupported('tools that a client carries out')
  if (request.plugins?.length) throw unsupported('plugins')
  if (request.hook_config && Object.values(request.hook_config).some(isSet)) throw unsupported('hooks')
}

/** @throws AppError not_supported for everything but NeverConfirm */
export function checkPolicy(policy: ConfirmationPolicy | null | undefined): void {
  const kind = policy?.kind ?? policy?.type ?? 'NeverConfirm'
  if (kind === 'NeverConfirm' || kind === 'never') return
  throw unsupported('waiting for a confirmation; it acts at once, in its sandbox')
}

/** The model's own rating comes with every action. @throws AppError not_supported for other analyzers */
export function checkAnalyzer(kind: string | null | undefined): void {
  if (kind && kind !== 'LLMSecurityAnalyzer') throw unsupported('this security analyzer')
}

function unsupported(what: string): AppError {
  return new AppError('not_supported', `Atelier's agent does not have this yet: ${what}. Leave it out.`)
}

function isSet(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== null && value !== undefined
}

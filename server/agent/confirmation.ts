import type { ConfirmationPolicy, SecurityAnalyzer, SecurityRisk } from '../api/confirmation.ts'
import type { EventOf } from '../api/events.ts'

type Call = EventOf<'ActionEvent'>

/**
 * Whether the agent waits for a person before it carries out the calls of one answer: one decision for all of them.
 * `allowed` are the kinds (see `kindOf`) that the person lets pass in this conversation. `finish` and `think` never wait and
 * never make others wait; a call that could not be understood is answered with an error, so there is nothing to allow.
 */
export function needsConfirmation(
  policy: ConfirmationPolicy,
  calls: readonly Call[],
  allowed: readonly string[],
): boolean {
  if (policy.kind === 'NeverConfirm') return false
  return calls.some(call => acts(call) && isRisky(policy, call.security_risk) && !allowed.includes(kindOf(call)))
}

function acts({ action }: Call): boolean {
  return action !== null && action.kind !== 'FinishAction' && action.kind !== 'ThinkAction'
}

function isRisky(policy: Exclude<ConfirmationPolicy, { kind: 'NeverConfirm' }>, risk: SecurityRisk): boolean {
  if (policy.kind === 'AlwaysConfirm') return true
  if (risk === 'UNKNOWN') return policy.confirm_unknown
  return RANK[risk] >= RANK[policy.threshold]
}

const RANK = { UNKNOWN: 0, LOW: 1, MEDIUM: 2, HIGH: 3 } as const satisfies Record<SecurityRisk, number>

/** The stable key of "always allow this kind in this conversation". */
export function kindOf(call: Call): string {
  return `exact:${call.tool_name}:${call.tool_call.arguments}`
}

/** Words for a key of `kindOf`, as they follow "Always allow". */
export function describeKind(key: string): string {
  const [, tool = '', call = ''] = /^exact:([^:]*):(.*)$/s.exec(key) ?? []
  return `Exactly this call of ${tool}: \`${call}\``
}

/** What the settings say, as policy and analyzer. Names of analyzers that other programs offer count as `local`. */
export function defaultPolicy(settings: { confirmation_mode: boolean | null; security_analyzer: string | null }): {
  policy: ConfirmationPolicy
  analyzer: SecurityAnalyzer | null
} {
  const name = settings.security_analyzer?.trim().toLowerCase() ?? ''
  const analyzer = name === '' || name === 'none' ? null : name === 'llm' ? 'llm' : 'local'
  return { policy: policyFor(settings.confirmation_mode === true, analyzer), analyzer }
}

function policyFor(asks: boolean, analyzer: SecurityAnalyzer | null): ConfirmationPolicy {
  if (!asks) return { kind: 'NeverConfirm' }
  return analyzer ? { kind: 'ConfirmRisky', threshold: 'HIGH', confirm_unknown: true } : { kind: 'AlwaysConfirm' }
}

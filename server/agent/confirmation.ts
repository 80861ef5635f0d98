import type { EventOf } from '../api/event/events.ts'
import { publishCallOf } from '../api/event/publish.ts'
import { answerCallOf } from '../api/event/review-comments.ts'
import type { ConfirmationPolicy, SecurityAnalyzer, SecurityRisk } from '../api/v1/conversation/confirmation.ts'
import { higherRisk, RANK } from '../domain/security-risk.ts'
import { clipEnd } from '../text/clip.ts'
import { type CallKind, covers, kindOfAction, readKind, writeKind } from './confirmation/call-kind.ts'
import { rateAction } from './risk.ts'

type Call = EventOf<'ActionEvent'>

/**
 * Whether the agent waits for a person before it carries out the calls of one answer: one decision for all of them.
 * `allowed` are the kinds (see `kindOf`) that the person lets pass in this conversation; calls of `alwaysAsked` tools wait
 * under every policy. `finish`, `think` and answers to a review never wait and never make others wait; a call that could not be understood is
 * answered with an error, so there is nothing to allow.
 */
export function needsConfirmation(
  policy: ConfirmationPolicy,
  calls: readonly Call[],
  { allowed, alwaysAsked = [] }: { allowed: readonly string[]; alwaysAsked?: readonly string[] },
): boolean {
  if (calls.some(call => hasEffects(call) && alwaysAsked.includes(call.tool_name))) return true
  if (policy.kind === 'NeverConfirm') return false
  return calls.some(call => hasEffects(call) && isRisky(policy, call.security_risk) && !isAllowed(call, allowed))
}

function hasEffects(call: Call): boolean {
  const { action } = call
  if (action === null || action.kind === 'FinishAction' || action.kind === 'ThinkAction') return false
  return answerCallOf(call) === null
}

function isRisky(policy: Exclude<ConfirmationPolicy, { kind: 'NeverConfirm' }>, risk: SecurityRisk): boolean {
  if (policy.kind === 'AlwaysConfirm') return true
  if (risk === 'UNKNOWN') return policy.confirm_unknown
  return RANK[risk] >= RANK[policy.threshold]
}

function isAllowed(call: Call, allowed: readonly string[]): boolean {
  if (allowed.length === 0) return false
  const kind = callKind(call)
  return allowed.some(key => {
    const other = readKind(key)
    return other !== null && covers(other, kind)
  })
}

/**
 * The stable key of "always allow this kind in this conversation".
 *
 * RULE: a kind is a group of calls only where its words say what every call of it does: programs with their subcommand
 * (`npm test`, `git add`), a tool, a folder, a host. A compound command is of the kind that names all its parts. Each
 * group has a level: allowing it at LOW lets no call pass that is rated MEDIUM. What is rated HIGH, what hides anything
 * (variables, substitutions, files it writes, interpreters, other programs inside) and what is typed into a running
 * program is a kind of its own: only the very same call is allowed again. A call without a rating is rated here, as if
 * no folder were the agent's own.
 */
export function kindOf(call: Call): string {
  return writeKind(callKind(call))
}

/** Of the calls that need not be asked about again; a publishing one is asked about each time. */
export function allowableKinds(calls: readonly Call[]): string[] {
  return calls.filter(call => publishCallOf(call) === null).map(kindOf)
}

function callKind(call: Call): CallKind {
  const { action, tool_name, tool_call, security_risk } = call
  if (!action) return { scope: 'exact', tool: tool_name, of: `text:${clipEnd(tool_call.arguments, 200)}` }
  return kindOfAction(tool_name, action, levelOf(call, security_risk))
}

/** Whoever rated a call LOW or MEDIUM knew its working directory; that it is HIGH is seen without it, too. */
function levelOf({ action }: Call, risk: SecurityRisk): SecurityRisk {
  if (!action) return 'HIGH'
  const own = rateAction(action, { workingDir: '' }).risk
  if (risk === 'UNKNOWN') return own
  return action.kind === 'TerminalAction' && own === 'HIGH' ? 'HIGH' : higherRisk(risk, 'LOW')
}

/** Words for a key of `kindOf`: what will be allowed. */
export function describeKind(key: string): string {
  const kind = readKind(key)
  if (!kind) return 'Calls of an unknown kind'
  if (kind.scope === 'exact')
    return `Only this very call of ${kind.tool}: ${quote(kind.of.replace(/^(text|hash:\w+):/, ''))}`
  if (kind.of === '') return `All calls of ${kind.tool}`
  if (kind.tool === 'terminal') return describeCommands(kind.of.split(' | '))
  if (kind.of === 'view') return 'Looking at files'
  if (kind.of === 'edit') return 'Edits of files in the working directory'
  if (kind.of.startsWith('edit in ')) return `Edits of files in ${quote(kind.of.slice('edit in '.length))}`
  return `Calls of ${kind.tool} for ${quote(kind.of)}`
}

function describeCommands(prefixes: readonly string[]): string {
  if (prefixes.length === 1) return `Commands that start with ${quote(prefixes[0] ?? '')}`
  const all = prefixes.map(quote)
  return `Commands made of ${all.slice(0, -1).join(', ')} and ${all.at(-1)}`
}

function quote(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be shown as they are
  return `\`${clipEnd(text.replace(/[\u0000-\u001F\u007F\u200B-\u200F\u202A-\u202E\u2060-\u2069]+/g, ' '), 120)}\``
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

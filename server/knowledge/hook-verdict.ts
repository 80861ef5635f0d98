import type { NewEvent } from '../api/event/events.ts'
import type { HookEventType } from '../domain/hooks-config.ts'
import { isRecord } from '../domain/is-record.ts'
import { clipEnd } from '../text/clip.ts'

/** The input of a hook. */
export interface HookInput {
  event_type: HookEventType
  tool_name: string | null
  tool_input: unknown
  tool_response: unknown
  message: string | null
  session_id: string
  working_dir: string
  metadata: Record<string, unknown>
}

export interface HookResult {
  event: Extract<NewEvent, { kind: 'HookExecutionEvent' }>
  blocked: string | null
  context: string | null
}

/** One moment at which one hook is asked. */
export interface HookCall {
  input: HookInput
  about: { action_id?: string; message_id?: string }
  mask: (text: string) => string
  signal: AbortSignal
}

const BLOCKS = 2
const MAX_CHARACTERS = 10_000
const MAX_STRING_LENGTH = 100_000

export interface Outcome {
  exit_code?: number
  stdout?: string
  stderr?: string
  error?: string
}

/** Exit code 2 blocks, and so does a `decision` of `deny`; any other failure is reported and lets everything go on. */
export function judge(
  call: HookCall,
  command: string,
  outcome: Outcome & { stdout: string; stderr: string },
): HookResult {
  const said = statementOn(outcome.stdout)
  const additional = outcome.exit_code === 0 ? said.additionalContext : undefined
  const denied = outcome.exit_code === BLOCKS || (outcome.exit_code === 0 && denies(said, call.input.event_type))
  if (!denied) return ran(call, command, outcome, { ...(additional && { additional_context: additional }) })
  const reason = said.reason || outcome.stderr.trim() || `The hook \`${clip(command)}\` does not allow it.`
  return ran(call, command, outcome, { blocked: true, reason, ...(additional && { additional_context: additional }) })
}

/** What a model has answered. One that has not decided lets everything go on. */
export function judgeAnswer(call: HookCall, label: string, answer: string): HookResult {
  const said = statementOn(/\{[\s\S]*\}/.exec(answer)?.[0] ?? '')
  const stdout = clip(call.mask(answer))
  if (said.decision === '') return ran(call, label, { stdout, error: 'The answer holds no decision.' })
  const additional = said.additionalContext && { additional_context: call.mask(said.additionalContext) }
  if (!denies(said, call.input.event_type)) return ran(call, label, { stdout }, { ...additional })
  const reason = call.mask(said.reason ?? `The hook \`${label}\` does not allow it.`)
  return ran(call, label, { stdout }, { blocked: true, reason, ...additional })
}

/** The end of an agent is blocked by `deny` alone: `continue: false` there says that it need not go on. */
function denies({ decision, goesOn }: HookStatement, type: HookEventType): boolean {
  return decision === 'deny' || decision === 'block' || (!goesOn && type !== 'Stop')
}

interface HookStatement {
  decision: string
  reason: string | undefined
  additionalContext: string | undefined
  goesOn: boolean
}

/** What is no JSON object is mere output. */
function statementOn(stdout: string): HookStatement {
  const given = jsonObject(stdout)
  const text = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined)
  const plain = given.ok === true ? 'allow' : given.ok === false ? 'deny' : ''
  return {
    decision: text(given.decision)?.toLowerCase() ?? plain,
    reason: text(given.reason),
    additionalContext: text(given.additionalContext),
    goesOn: given.continue !== false,
  }
}

function jsonObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}

export function ran(
  { input, about }: HookCall,
  command: string,
  outcome: Outcome,
  verdict: { blocked?: boolean; reason?: string; additional_context?: string } = {},
): HookResult {
  const { blocked = false, reason, additional_context } = verdict
  const failed = outcome.error !== undefined || (outcome.exit_code !== undefined && outcome.exit_code !== 0)
  const shown = Object.fromEntries(Object.entries({ ...outcome, ...about }).filter(([, value]) => value !== ''))
  return {
    event: {
      kind: 'HookExecutionEvent',
      source: 'hook',
      hook_event_type: input.event_type,
      hook_command: clip(command),
      ...(input.tool_name !== null && { tool_name: input.tool_name }),
      success: !failed,
      blocked,
      ...shown,
      ...(reason !== undefined && { reason }),
      ...(additional_context !== undefined && { additional_context }),
    },
    blocked: blocked ? (reason ?? '') : null,
    context: additional_context ?? null,
  }
}

export function clip(text: string): string {
  return clipEnd(text, MAX_CHARACTERS)
}

/** Screenshots and large outputs are no business of a hook. */
export function bounded(value: unknown): unknown {
  if (typeof value === 'string') return clipEnd(value, MAX_STRING_LENGTH)
  if (Array.isArray(value)) return value.map(bounded)
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, bounded(each)]))
}

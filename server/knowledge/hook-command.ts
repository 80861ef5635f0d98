import type { NewEvent } from '../api/events.ts'
import { isAppError, messageOf } from '../errors.ts'
import type { SandboxHandle } from '../sandbox/handle.ts'
import { isRecord } from './front-matter.ts'
import type { HookDefinition, HookEventType } from './hooks-config.ts'

/** What a hook is told on its standard input. */
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

interface HookCall {
  sandbox: SandboxHandle
  input: HookInput
  about: { action_id?: string; message_id?: string }
  mask: (text: string) => string
  signal: AbortSignal
}

const BLOCKS = 2
const MOST_BYTES = 64 * 1024
const MOST_CHARACTERS = 10_000
const LONGEST_STRING = 100_000

/**
 * Runs one hook inside the sandbox. Exit code 2 blocks, and so does a `decision` of `deny` on its output; any other
 * failure is told and lets everything go on.
 * @throws the signal's reason; AppError when the sandbox cannot serve
 */
export async function runHook(hook: HookDefinition, call: HookCall): Promise<HookResult> {
  const command = hook.command ?? ''
  try {
    const result = await call.sandbox.exec({
      argv: ['/bin/sh', '-c', command],
      cwd: call.input.working_dir,
      env: environmentOf(call.input),
      stdin: JSON.stringify(bounded(call.input)),
      timeoutMs: hook.timeout * 1000,
      maxBytes: MOST_BYTES,
      signal: call.signal,
    })
    const shown = { stdout: clip(call.mask(result.stdout)), stderr: clip(call.mask(result.stderr)) }
    if (result.timedOut) return ran(call, command, { ...shown, error: `It was ended after ${hook.timeout} seconds.` })
    return judge(call, command, { exit_code: result.exitCode, ...shown })
  } catch (error) {
    call.signal.throwIfAborted()
    if (isAppError(error) && CANNOT_SERVE.has(error.code)) throw error
    return ran(call, command, { error: call.mask(messageOf(error)) })
  }
}

const CANNOT_SERVE: ReadonlySet<string> = new Set(['engine_unavailable', 'sandbox_not_found', 'sandbox_not_running'])

/** A hook that nobody waits for. @param signal ends it */
export function startHook(hook: HookDefinition, call: HookCall): { result: HookResult; ended: Promise<void> } {
  const ended = runHook(hook, call).then(
    () => {},
    () => {},
  )
  return { result: ran(call, hook.command ?? '', {}), ended }
}

function environmentOf(input: HookInput): Record<string, string> {
  return {
    OPENHANDS_PROJECT_DIR: input.working_dir,
    OPENHANDS_SESSION_ID: input.session_id,
    OPENHANDS_EVENT_TYPE: input.event_type,
    ...(input.tool_name !== null && { OPENHANDS_TOOL_NAME: input.tool_name }),
  }
}

interface Outcome {
  exit_code?: number
  stdout?: string
  stderr?: string
  error?: string
}

function judge(call: HookCall, command: string, outcome: Outcome & { stdout: string; stderr: string }): HookResult {
  const said = saidOn(outcome.stdout)
  const additional = outcome.exit_code === 0 ? said.additionalContext : undefined
  const denied = outcome.exit_code === BLOCKS || (outcome.exit_code === 0 && denies(said, call.input.event_type))
  if (!denied) return ran(call, command, outcome, { ...(additional && { additional_context: additional }) })
  const reason = said.reason || outcome.stderr.trim() || `The hook \`${clip(command)}\` does not allow it.`
  return ran(call, command, outcome, { blocked: true, reason, ...(additional && { additional_context: additional }) })
}

/** The end of an agent is blocked by `deny` alone: `continue: false` there says that it need not go on. */
function denies({ decision, goesOn }: Said, type: HookEventType): boolean {
  return decision === 'deny' || decision === 'block' || (!goesOn && type !== 'Stop')
}

interface Said {
  decision: string
  reason: string | undefined
  additionalContext: string | undefined
  goesOn: boolean
}

/** What is no JSON object is mere output. */
function saidOn(stdout: string): Said {
  const given = jsonObject(stdout)
  const text = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined)
  return {
    decision: text(given.decision)?.toLowerCase() ?? '',
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

function ran(
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

function clip(text: string): string {
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text
}

/** Screenshots and large outputs are no business of a hook. */
function bounded(value: unknown): unknown {
  if (typeof value === 'string') return value.length > LONGEST_STRING ? `${value.slice(0, LONGEST_STRING)}…` : value
  if (Array.isArray(value)) return value.map(bounded)
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, bounded(each)]))
}

import { isAppError, messageOf } from '../domain/errors.ts'
import type { HookDefinition } from '../domain/hooks-config.ts'
import type { SandboxHandle } from '../domain/sandbox-handle.ts'
import { bounded, clip, type HookCall, type HookInput, type HookResult, judge, ran } from './hook-verdict.ts'

const MAX_BYTES = 64 * 1024

/**
 * Runs one hook inside the sandbox, which tells it what happens on its standard input.
 * @throws the signal's reason; AppError when the sandbox cannot serve
 */
export async function runCommand(hook: HookDefinition, sandbox: SandboxHandle, call: HookCall): Promise<HookResult> {
  const command = hook.command ?? ''
  try {
    const result = await sandbox.exec({
      argv: ['/bin/sh', '-c', command],
      cwd: call.input.working_dir,
      env: environmentOf(call.input),
      stdin: JSON.stringify(bounded(call.input)),
      timeoutMs: hook.timeout * 1000,
      maxBytes: MAX_BYTES,
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

function environmentOf(input: HookInput): Record<string, string> {
  return {
    OPENHANDS_PROJECT_DIR: input.working_dir,
    OPENHANDS_SESSION_ID: input.session_id,
    OPENHANDS_EVENT_TYPE: input.event_type,
    ...(input.tool_name !== null && { OPENHANDS_TOOL_NAME: input.tool_name }),
  }
}

import type { EventOf } from '../api/event/events.ts'
import type { Observation } from '../api/event/observations.ts'
import { matchesTool } from '../domain/hook-matcher.ts'
import type { AgentHooks, HookOutcome, LoggedCall } from '../domain/hooks.ts'
import { HOOKS_FILE, type HookDefinition, type HookEventType, type HooksConfig, isRun } from '../domain/hooks-config.ts'
import type { SandboxHandle } from '../domain/sandbox-handle.ts'
import { textOf } from '../event/model-messages.ts'
import { runCommand } from './hook-command.ts'
import { type HookJudge, labelOf, runPromptHook } from './hook-question.ts'
import { type HookCall, type HookInput, type HookResult, ran } from './hook-verdict.ts'

interface Dependencies {
  /** Asked at each moment: the file may change between runs. */
  config: () => HooksConfig | null
  problems: () => readonly string[]
  /** Resumes a paused one; only asked when there is something to run. */
  sandbox: () => Promise<SandboxHandle>
  sessionId: string
  workingDir: string
  mask: (text: string) => string
}

type Moment = Partial<Pick<HookInput, 'tool_name' | 'tool_input' | 'tool_response' | 'message'>> & {
  about?: { action_id?: string; message_id?: string }
}

/** The hooks of one conversation's repository: its commands, run in its sandbox without any key, and its questions. */
export class Hooks implements AgentHooks {
  readonly #dependencies: Dependencies
  readonly #background = new AbortController()
  readonly #running = new Set<Promise<void>>()
  #judge: HookJudge | null = null

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  /** Who answers the questions from now on; null is nobody. */
  judgedBy(judge: HookJudge | null): void {
    this.#judge = judge
  }

  async sessionStart(signal: AbortSignal): Promise<HookOutcome> {
    const outcome = await this.#at('SessionStart', {}, signal)
    const problems = this.#dependencies.problems()
    return problems.length === 0 ? outcome : { ...outcome, events: [problemEvent(problems), ...outcome.events] }
  }

  userPromptSubmit(message: EventOf<'MessageEvent'>, signal: AbortSignal): Promise<HookOutcome> {
    const text = textOf(message.llm_message.content)
    return this.#at('UserPromptSubmit', { message: text, about: { message_id: message.id } }, signal)
  }

  preToolUse(call: LoggedCall, signal: AbortSignal): Promise<HookOutcome> {
    return this.#at('PreToolUse', ofCall(call), signal)
  }

  postToolUse(call: LoggedCall, observation: Observation, signal: AbortSignal): Promise<HookOutcome> {
    const { kind: _kind, ...tool_response } = observation
    return this.#at('PostToolUse', { ...ofCall(call), tool_response }, signal)
  }

  stop(signal: AbortSignal): Promise<HookOutcome> {
    return this.#at('Stop', {}, signal)
  }

  async sessionEnd(signal: AbortSignal): Promise<HookOutcome> {
    const outcome = await this.#at('SessionEnd', {}, signal)
    return { ...outcome, blocked: null }
  }

  /** Ends what runs in the background. */
  async close(): Promise<void> {
    this.#background.abort(new Error('The conversation was closed.'))
    await Promise.allSettled(this.#running)
  }

  /** One after the other; the first that blocks is the last. */
  async #at(type: HookEventType, moment: Moment, signal: AbortSignal): Promise<HookOutcome> {
    const hooks = this.#matching(type, moment.tool_name ?? null)
    const outcome: HookOutcome = { events: [], blocked: null, context: null }
    if (hooks.length === 0) return outcome
    const contexts: string[] = []
    for (const hook of hooks) {
      const { mask } = this.#dependencies
      const result = await this.#run(hook, {
        input: this.#input(type, moment),
        about: moment.about ?? {},
        mask,
        signal,
      })
      outcome.events.push(result.event)
      if (result.context !== null) contexts.push(result.context)
      outcome.blocked = result.blocked
      if (result.blocked !== null) break
    }
    outcome.context = contexts.length > 0 ? contexts.join('\n\n') : null
    return outcome
  }

  async #run(hook: HookDefinition, call: HookCall): Promise<HookResult> {
    if (!hook.async) return this.#ask(hook, call)
    const ended = this.#ask(hook, { ...call, signal: this.#background.signal }).then(
      () => {},
      () => {},
    )
    this.#running.add(ended)
    void ended.then(() => this.#running.delete(ended))
    return ran(call, labelOf(hook), {})
  }

  async #ask(hook: HookDefinition, call: HookCall): Promise<HookResult> {
    if (hook.type !== 'command') return runPromptHook(hook, this.#judge, call)
    return runCommand(hook, await this.#dependencies.sandbox(), call)
  }

  #matching(type: HookEventType, tool: string | null): HookDefinition[] {
    const matchers = this.#dependencies.config()?.[type] ?? []
    return matchers
      .filter(({ matcher }) => tool === null || matchesTool(matcher, tool))
      .flatMap(({ hooks }) => hooks)
      .filter(isRun)
  }

  #input(type: HookEventType, moment: Moment): HookInput {
    const { sessionId, workingDir } = this.#dependencies
    const { tool_name = null, tool_input = null, tool_response = null, message = null } = moment
    return {
      event_type: type,
      tool_name,
      tool_input,
      tool_response,
      message,
      session_id: sessionId,
      working_dir: workingDir,
      metadata: {},
    }
  }
}

function ofCall(call: LoggedCall): Moment {
  const { kind: _kind, ...tool_input } = call.action
  return { tool_name: call.tool_name, tool_input, about: { action_id: call.id } }
}

/** Who relies on hooks must see that they do not run. */
function problemEvent(problems: readonly string[]): HookOutcome['events'][number] {
  return {
    kind: 'HookExecutionEvent',
    source: 'hook',
    hook_event_type: 'SessionStart',
    hook_command: HOOKS_FILE,
    success: false,
    blocked: false,
    error: problems.join('\n'),
  }
}

import type { Event } from '../api/event/events.ts'
import { AppError, isAppError, messageOf } from '../domain/errors.ts'
import { IncrementalView, openCalls } from '../event/model-messages.ts'
import type { Completion } from '../llm/completion.ts'
import { agentError, agentMessage, nudge, stateUpdate, toActions } from './answer.ts'
import { needsConfirmation } from './confirmation.ts'
import { executeCalls } from './execute-calls.ts'
import { KeptFiles } from './kept-files.ts'
import { addStep, addUsage, reachedLimit } from './limits.ts'
import { submitMessages } from './prompt-hooks.ts'
import type { AgentRun, RunOutcome } from './run.ts'
import { checkStuck } from './stuck.ts'

/**
 * Lets the agent work until it finishes, waits for a person, is paused or stopped, goes in circles, reaches a limit or
 * fails. Never rejects.
 *
 * INVARIANTS: every call has exactly one result when this resolves, unless the run was paused before it was carried
 * out or waits for confirmation; a message that arrives during the last step is answered by the same run.
 */
export async function runAgent(run: AgentRun): Promise<RunOutcome> {
  try {
    return await runSteps(run)
  } catch (error) {
    const interrupted = run.signal.aborted
    const why = interrupted
      ? messageOf(run.signal.reason)
      : isAppError(error, 'engine_unavailable')
        ? ENGINE_LOST
        : messageOf(error)
    closeOpenCalls(run, why)
    return interrupted ? { kind: 'interrupted' } : { kind: 'failed', error }
  }
}

async function runSteps(run: AgentRun): Promise<RunOutcome> {
  const files = new KeptFiles(run)
  let { accepted } = run
  let unusable = 0
  let answered = false
  let submitted: number | undefined
  const view = new IncrementalView(run.events)
  /** `seen`: where the log was when the model was last asked; what was said after that is not answered yet. */
  const finish = { seen: run.events.length, vetoes: 0 }
  for (;;) {
    if (run.pauseRequested()) return { kind: 'paused' }
    const open = view.openCalls()
    if (open.length > 0) {
      const { policy, allowed } = run.confirmation()
      const alwaysAsked = run.tools().flatMap(({ name, alwaysAsks }) => (alwaysAsks ? [name] : []))
      if (!accepted && needsConfirmation(policy, open, { allowed, alwaysAsked })) return { kind: 'waiting' }
      accepted = false
      await files.settled()
      const finished = await executeCalls(run, open)
      files.after(open, call => run.tools().find(({ name }) => name === call.tool_name)?.readOnly ?? true)
      const end = finished ? await resolveFinish(run, finish) : null
      if (end) return end
      continue
    }
    const stopped = stopReason(run, answered)
    if (stopped) return stopped
    if (await submitMessages(run, submitted)) return { kind: 'finished' }
    submitted = run.events.length
    if (await condense(run, false)) continue

    finish.seen = run.events.length
    const completion = await ask(run, view)
    if (!completion) continue
    answered = true
    const outcome = await recordAnswer(run, completion)
    const end = outcome === 'message' ? await resolveFinish(run, finish) : null
    if (end) return end
    if (outcome === 'calls') unusable = 0
    else if (outcome === 'unusable' && ++unusable === MAX_UNUSABLE_ANSWERS) {
      throw new AppError(
        'llm_failed',
        `The model gave ${MAX_UNUSABLE_ANSWERS} unusable answers in a row. Try again, or choose another model.`,
      )
    }
  }
}

const MAX_UNUSABLE_ANSWERS = 3

/** A limit, or a model that goes in circles in spite of a nudge; a person who lets a stuck agent go on wants it to try. */
function stopReason(run: AgentRun, answered: boolean): RunOutcome | null {
  const limit = reachedLimit(run.stats(), run.limits())
  if (limit) return { kind: 'limit', limit }
  const stuck = answered && run.stuckDetection ? checkStuck(run.events) : null
  if (stuck?.kind === 'stuck') return { kind: 'stuck', why: stuck.why }
  if (stuck) run.record([nudge(stuck.text)])
  return null
}

/**
 * How the run ends when the agent wants to. It goes on (null) when a person has said something since the model was last
 * asked, and when a hook of the repository objects; one that always does cannot keep an agent at work for ever.
 */
async function resolveFinish(run: AgentRun, finish: { seen: number; vetoes: number }): Promise<RunOutcome | null> {
  if (userSpokeSince(run.events, finish.seen)) {
    finish.vetoes = 0
    return null
  }
  const outcome = await run.hooks?.stop(run.signal)
  if (!outcome) return { kind: 'finished' }
  const objection = outcome.blocked === null ? [] : [nudge(outcome.blocked)]
  run.record([...outcome.events, ...objection])
  if (userSpokeSince(run.events, finish.seen)) return null
  if (outcome.blocked === null) return { kind: 'finished' }
  return ++finish.vetoes < MAX_VETOES ? null : { kind: 'vetoed', why: outcome.blocked }
}

const MAX_VETOES = 3

/** @returns null when the history had to be summed up first */
async function ask(run: AgentRun, view: IncrementalView): Promise<Completion | null> {
  try {
    return await run.complete({
      system: run.prompt.fixed,
      dynamicSystem: run.prompt.context,
      messages: view.messages(),
      tools: [...run.tools()],
      signal: run.signal,
      onDelta: run.onDelta,
      onVoid: run.onVoid,
      onRetry: run.onRetry,
      onFallback: run.onFallback,
      onSilence: run.onSilence,
    })
  } catch (error) {
    const tooLong = isAppError(error, 'llm_context_exceeded') || isAppError(error, 'llm_history_refused')
    if (tooLong && !run.signal.aborted && (await condense(run, true))) return null
    throw error
  }
}

/** @returns whether something was summed up */
async function condense(run: AgentRun, force: boolean): Promise<boolean> {
  const { condenser } = run
  const condensed = await condenser?.condense(run.events, { force, stats: run.stats(), signal: run.signal })
  if (!condenser || !condensed) return false
  const stats = condensed.completions.reduce(
    (sum, completion) => addUsage(sum, condenser.usageId, completion, run.limits()),
    run.stats(),
  )
  run.record([condensed.event, stateUpdate('stats', stats)], stats)
  return true
}

async function recordAnswer(run: AgentRun, completion: Completion): Promise<'calls' | 'message' | 'unusable'> {
  const actions = completion.toolCalls.length > 0 ? await toActions(run, run.tools(), completion) : []
  const stats = addStep(run.stats(), completion, run.limits())
  const step = stateUpdate('stats', stats)
  if (actions.length > 0) {
    run.record([...actions, step], stats)
    return 'calls'
  }
  const said = completion.text.trim() !== ''
  const nudged = NUDGES[completion.finishReason]
  const events = said ? [agentMessage(completion), step] : [step]
  if (said && !nudged) {
    run.record(events, stats)
    return 'message'
  }
  run.record([...events, nudge(nudged ?? EMPTY_NUDGE)], stats)
  return 'unusable'
}

const EMPTY_NUDGE =
  'Your last answer had neither text nor a tool call. Go on with the task by calling a tool, or call finish.'
const NUDGES: Partial<Record<Completion['finishReason'], string>> = {
  length: 'Your last answer was cut off at the output limit. Go on in smaller steps.',
  'too-large': 'Your last answer was larger than Atelier takes, and was dropped. Go on in smaller steps.',
}

/** Nobody knows how far such a call came. */
const ENGINE_LOST =
  'The call was cut off: the engine went away while it was in progress. It may have been carried out in part: check its effects before trying again.'

function closeOpenCalls(run: AgentRun, why: string): void {
  const open = openCalls(run.events)
  if (open.length > 0) run.record(open.map(call => agentError(call.tool_name, call.tool_call_id, why)))
}

function userSpokeSince(events: readonly Event[], index: number): boolean {
  return events.slice(index).some(event => event.kind === 'MessageEvent' && event.source === 'user')
}

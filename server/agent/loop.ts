import type { Action } from '../api/actions.ts'
import type { Event, EventOf, NewEvent } from '../api/events.ts'
import type { ConversationStats } from '../api/metrics.ts'
import type { Observation } from '../api/observations.ts'
import { AppError, isAppError, messageOf } from '../errors.ts'
import { openCalls, toMessages } from '../event/view.ts'
import type { Complete, Completion, CompletionRequest } from '../llm/completion.ts'
import { understandCall } from '../tools/registry.ts'
import type { Tool } from '../tools/tool.ts'
import { addStep, type Limit, type Limits, reachedLimit } from './limits.ts'

/** Everything that a run needs; nothing here knows of HTTP, Docker or SQLite. */
export interface AgentRun {
  /** The conversation's log, kept up to date while the run goes on. */
  events: readonly Event[]
  stats(): ConversationStats
  limits(): Limits
  /** Stores events, all or nothing, and with them the statistics when a step has been taken. */
  record(events: NewEvent[], stats?: ConversationStats): void
  tools: Tool[]
  complete: Complete
  systemPrompt: string
  /** Looked at between steps. */
  pauseRequested(): boolean
  /** Aborting interrupts the model call and the running command. */
  signal: AbortSignal
  onDelta: CompletionRequest['onDelta']
  onOutput(toolCallId: string, tail: string): void
}

export type RunEnd =
  | { kind: 'finished' }
  | { kind: 'paused' }
  | { kind: 'interrupted' }
  | { kind: 'limit'; limit: Limit }
  | { kind: 'failed'; error: unknown }

/**
 * Lets the agent work until it finishes, is paused or stopped, reaches a limit or fails. Never rejects.
 *
 * INVARIANTS: every call has exactly one result when this resolves; a message that arrives during the last step is
 * answered by the same run.
 */
export async function runAgent(run: AgentRun): Promise<RunEnd> {
  try {
    return await runSteps(run)
  } catch (error) {
    const interrupted = run.signal.aborted
    const why = messageOf(interrupted ? run.signal.reason : error)
    closeOpenCalls(run, why)
    return interrupted ? { kind: 'interrupted' } : { kind: 'failed', error }
  }
}

async function runSteps(run: AgentRun): Promise<RunEnd> {
  let emptyAnswers = 0
  /** Where the log was when the model was last asked: what was said after that is not answered yet. */
  let seen = run.events.length
  for (;;) {
    if (run.pauseRequested()) return { kind: 'paused' }
    const open = openCalls(run.events)
    if (open.length > 0) {
      const finished = await carryOut(run, open)
      if (finished && !userSpokeSince(run.events, seen)) return { kind: 'finished' }
      continue
    }
    const limit = reachedLimit(run.stats(), run.limits())
    if (limit) return { kind: 'limit', limit }

    seen = run.events.length
    const completion = await ask(run)
    const outcome = recordAnswer(run, completion)
    if (outcome === 'calls') emptyAnswers = 0
    else if (outcome === 'message' && !userSpokeSince(run.events, seen)) return { kind: 'finished' }
    else if (outcome === 'unusable' && ++emptyAnswers === MAX_UNUSABLE_ANSWERS) {
      throw new AppError(
        'llm_failed',
        `The model gave ${MAX_UNUSABLE_ANSWERS} unusable answers in a row. Try again, or choose another model.`,
      )
    }
  }
}

const MAX_UNUSABLE_ANSWERS = 3

async function ask(run: AgentRun): Promise<Completion> {
  return run.complete({
    system: run.systemPrompt,
    messages: toMessages(run.events),
    tools: run.tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
    signal: run.signal,
    onDelta: run.onDelta,
    onRetry: ({ attempt, delayMs, reason }) =>
      run.record([stateUpdate('llm_retry', { attempt, delay_ms: delayMs, reason })]),
  })
}

function recordAnswer(run: AgentRun, completion: Completion): 'calls' | 'message' | 'unusable' {
  const stats = addStep(run.stats(), completion, run.limits())
  const step = stateUpdate('stats', stats)
  if (completion.toolCalls.length > 0) {
    run.record([...toActions(run.tools, completion), step], stats)
    return 'calls'
  }
  const said = completion.text.trim() !== ''
  const cut = completion.finishReason === 'length'
  const events: NewEvent[] = said ? [agentMessage(completion), step] : [step]
  if (said && !cut) {
    run.record(events, stats)
    return 'message'
  }
  run.record([...events, nudge(cut ? CUT_NUDGE : EMPTY_NUDGE)], stats)
  return 'unusable'
}

const EMPTY_NUDGE =
  'Your last answer had neither text nor a tool call. Go on with the task by calling a tool, or call finish.'
const CUT_NUDGE = 'Your last answer was cut off at the output limit. Go on in smaller steps.'

/** The calls of one answer, contiguous and with one response id. What follows a `finish` is dropped. */
function toActions(tools: Tool[], completion: Completion): NewEvent[] {
  const events: NewEvent[] = []
  const errors: NewEvent[] = []
  for (const [index, call] of completion.toolCalls.entries()) {
    const understood = understandCall(tools, call)
    const valid = understood.kind === 'action'
    const toolName = valid ? understood.tool.name : call.name
    events.push({
      kind: 'ActionEvent',
      source: 'agent',
      thought: index === 0 && completion.text ? [{ type: 'text', text: completion.text }] : [],
      thinking_blocks: index === 0 ? thinkingBlocks(completion) : [],
      ...(index === 0 && completion.reasoning.length > 0 && { reasoning_content: reasoningText(completion) }),
      action: valid ? understood.action : null,
      tool_name: toolName,
      tool_call_id: call.id,
      tool_call: { id: call.id, name: toolName, arguments: sentBack(call.arguments), origin: 'completion' },
      llm_response_id: completion.responseId,
      security_risk: (valid && understood.securityRisk) || 'UNKNOWN',
      ...(valid && understood.summary && { summary: understood.summary }),
      ...(index === 0 && completion.providerMetadata && { provider_metadata: completion.providerMetadata }),
    })
    if (!valid) errors.push(agentError(toolName, call.id, understood.error))
    if (valid && understood.action.kind === 'FinishAction') break
  }
  return [...events, ...errors]
}

/** Providers refuse malformed arguments in the history, so those go back as an empty object. */
function sentBack(text: string): string {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? text : '{}'
  } catch {
    return '{}'
  }
}

function thinkingBlocks(completion: Completion): EventOf<'ActionEvent'>['thinking_blocks'] {
  return completion.reasoning.flatMap(({ text, signature }) =>
    signature ? [{ type: 'thinking' as const, thinking: text, signature }] : [],
  )
}

function reasoningText(completion: Completion): string {
  return completion.reasoning.map(part => part.text).join('\n')
}

/** Runs the calls in order. @returns whether the agent has finished */
async function carryOut(run: AgentRun, calls: EventOf<'ActionEvent'>[]): Promise<boolean> {
  let finished = false
  for (const call of calls) {
    run.signal.throwIfAborted()
    const tool = run.tools.find(candidate => candidate.name === call.tool_name)
    if (!tool || !call.action) {
      run.record([agentError(call.tool_name, call.tool_call_id, `Tool '${call.tool_name}' is not available.`)])
      continue
    }
    run.record([await resultOf(run, tool, call, call.action)])
    finished ||= call.action.kind === 'FinishAction'
  }
  return finished
}

async function resultOf(run: AgentRun, tool: Tool, call: EventOf<'ActionEvent'>, action: Action): Promise<NewEvent> {
  const answer = { tool_name: call.tool_name, tool_call_id: call.tool_call_id }
  try {
    const onOutput = (tail: string) => run.onOutput(call.tool_call_id, tail)
    const observation: Observation = await tool.run(action, { signal: run.signal, onOutput })
    return { kind: 'ObservationEvent', source: 'environment', ...answer, action_id: call.id, observation }
  } catch (error) {
    if (run.signal.aborted || !isAppError(error)) throw error
    if (ENDS_THE_RUN.has(error.code)) throw error
    return agentError(call.tool_name, call.tool_call_id, `Error executing tool '${call.tool_name}': ${error.message}`)
  }
}

/** Without a sandbox there is nothing that the model could do about it. */
const ENDS_THE_RUN: ReadonlySet<string> = new Set([
  'engine_unavailable',
  'sandbox_not_found',
  'sandbox_not_running',
  'store_failed',
])

function closeOpenCalls(run: AgentRun, why: string): void {
  const open = openCalls(run.events)
  if (open.length > 0) run.record(open.map(call => agentError(call.tool_name, call.tool_call_id, why)))
}

function userSpokeSince(events: readonly Event[], index: number): boolean {
  return events.slice(index).some(event => event.kind === 'MessageEvent' && event.source === 'user')
}

function agentMessage(completion: Completion): NewEvent {
  return {
    kind: 'MessageEvent',
    source: 'agent',
    llm_message: { role: 'assistant', content: [{ type: 'text', text: completion.text }] },
    llm_response_id: completion.responseId,
    activated_skills: [],
    extended_content: [],
    ...(completion.providerMetadata && { provider_metadata: completion.providerMetadata }),
  }
}

function nudge(text: string): NewEvent {
  return {
    kind: 'MessageEvent',
    source: 'environment',
    llm_message: { role: 'user', content: [{ type: 'text', text }] },
    activated_skills: [],
    extended_content: [],
  }
}

export function agentError(toolName: string, toolCallId: string, error: string): NewEvent {
  return { kind: 'AgentErrorEvent', source: 'agent', tool_name: toolName, tool_call_id: toolCallId, error }
}

export function stateUpdate(key: string, value: unknown): NewEvent {
  return { kind: 'ConversationStateUpdateEvent', source: 'environment', key, value }
}

import type { EventOf, NewEvent } from '../api/event/events.ts'
import type { Observation } from '../api/event/observations.ts'
import { abortWithGrace } from '../async/abort-with-grace.ts'
import { isAppError } from '../domain/errors.ts'
import type { LoggedCall } from '../domain/hooks.ts'
import type { Tool } from '../tools/tool.ts'
import { agentError, rejection } from './answer.ts'
import type { AgentRun } from './run.ts'

type Call = EventOf<'ActionEvent'>

/**
 * Runs the calls and records one result for each, in their order. Calls that only read and stand next to each other run
 * at the same time. @returns whether the agent has finished
 */
export async function executeCalls(run: AgentRun, calls: readonly Call[]): Promise<boolean> {
  let finished = false
  for (const group of groups(run.tools(), calls)) {
    run.signal.throwIfAborted()
    const results = group.map(({ call, tool }) => resultOf(run, call, tool))
    try {
      for (const result of results) run.record(await result)
    } finally {
      // Whatever ended this, nothing may go on in the background.
      await Promise.allSettled(results)
    }
    finished ||= group.some(({ call }) => call.action?.kind === 'FinishAction')
  }
  return finished
}

interface ResolvedCall {
  call: Call
  tool: Tool | undefined
}

function groups(tools: readonly Tool[], calls: readonly Call[]): ResolvedCall[][] {
  const found: ResolvedCall[][] = []
  let together: ResolvedCall[] | undefined
  for (const call of calls) {
    const tool = tools.find(candidate => candidate.name === call.tool_name)
    const reads = tool?.readOnly === true && call.action?.kind !== 'FinishAction'
    if (reads && together) together.push({ call, tool })
    else {
      const group = [{ call, tool }]
      found.push(group)
      together = reads ? group : undefined
    }
  }
  return found
}

async function resultOf(run: AgentRun, call: Call, tool: Tool | undefined): Promise<NewEvent[]> {
  if (!tool || !isLogged(call)) {
    return [agentError(call.tool_name, call.tool_call_id, `Tool '${call.tool_name}' is not available.`)]
  }
  const before = await run.hooks?.preToolUse(call, run.signal)
  const hookEvents = before?.events ?? []
  if (before && before.blocked !== null) return [...hookEvents, rejection(call, before.blocked, 'hook')]
  const result = await observe(run, tool, call)
  if (result.kind !== 'ObservationEvent') return [...hookEvents, result]
  const after = await run.hooks?.postToolUse(call, result.observation, run.signal)
  const knowledge = run.knowledgeFor(call)
  const network = await run.networkNote?.({ hasFailed: hasFailed(result.observation) })
  const texts = [before?.context, after?.blocked, after?.context, knowledge?.text, network].filter(text => text != null)
  const extended = texts.map(text => ({ type: 'text' as const, text }))
  return [
    ...hookEvents,
    { ...result, ...(extended.length > 0 && { extended_content: extended }) },
    ...(after?.events ?? []),
  ]
}

/** Of a command; one that still runs may yet. */
function hasFailed(observation: Observation): boolean {
  return 'exit_code' in observation && observation.exit_code !== 0 && observation.exit_code !== -1
}

function isLogged(call: Call): call is LoggedCall {
  return call.action !== null
}

async function observe(
  run: AgentRun,
  tool: Tool,
  call: LoggedCall,
): Promise<Extract<NewEvent, { kind: 'ObservationEvent' | 'AgentErrorEvent' }>> {
  const answer = { tool_name: call.tool_name, tool_call_id: call.tool_call_id }
  try {
    const onOutput = (tail: string) => run.onOutput(call.tool_call_id, tail)
    const working = tool.run(call.action, { signal: run.signal, actionId: call.id, onOutput })
    const observation: Observation = await abortWithGrace(working, run.signal, STOP_TIMEOUT_MS)
    return { kind: 'ObservationEvent', source: 'environment', ...answer, action_id: call.id, observation }
  } catch (error) {
    if (run.signal.aborted || !isAppError(error) || FATAL_CODES.has(error.code)) throw error
    const message = `Error executing tool '${call.tool_name}': ${error.message}`
    return { kind: 'AgentErrorEvent', source: 'agent', ...answer, error: message }
  }
}

/** A tool ends what it has begun within seconds. One whose engine says nothing at all must not keep a person from stopping it. */
const STOP_TIMEOUT_MS = 10_000

/** Without a sandbox there is nothing that the model could do about it. */
const FATAL_CODES: ReadonlySet<string> = new Set([
  'engine_unavailable',
  'sandbox_not_found',
  'sandbox_not_running',
  'store_failed',
  'store_damaged',
  'store_unavailable',
  'disk_full',
])

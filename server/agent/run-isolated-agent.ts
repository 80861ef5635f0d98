import type { Event, NewEvent } from '../api/event/events.ts'
import type { ConversationStats } from '../api/event/metrics.ts'
import { AppError } from '../domain/errors.ts'
import { newEventId } from '../domain/ids.ts'
import { textOf } from '../event/model-messages.ts'
import type { Complete } from '../llm/completion.ts'
import type { Tool } from '../tools/tool.ts'
import { nudge } from './answer.ts'
import { NO_STATS } from './limits.ts'
import { runAgent } from './loop.ts'
import type { AgentRun } from './run.ts'

interface IsolatedTask {
  complete: Complete
  /** Nobody is asked before they are used. */
  tools: readonly Tool[]
  system: string
  task: string
  maxSteps: number
  signal: AbortSignal
}

/**
 * A small piece of work by an agent that leaves no log. @returns its last word
 * @throws the signal's reason; AppError when it came to no end
 */
export async function runIsolatedAgent({
  complete,
  tools,
  system,
  task,
  maxSteps,
  signal,
}: IsolatedTask): Promise<string> {
  const events: Event[] = []
  let stats: ConversationStats = NO_STATS
  const run: AgentRun = {
    events,
    stats: () => stats,
    limits: () => ({ max_iterations: maxSteps, max_budget_per_task: null }),
    record: (added, next) => {
      events.push(...added.map((event, index) => stored(event, events.length + index)))
      stats = next ?? stats
    },
    tools: () => tools,
    complete,
    prompt: { fixed: system, context: '' },
    accepted: true,
    confirmation: () => ({ policy: { kind: 'NeverConfirm' }, allowed: [] }),
    rate: null,
    hooks: null,
    knowledgeFor: () => null,
    stuckDetection: true,
    condenser: null,
    pauseRequested: () => false,
    signal,
    onDelta: () => {},
    onRetry: () => {},
    onFallback: () => {},
    onVoid: () => {},
    onSilence: () => {},
    onOutput: () => {},
  }
  run.record([nudge(task)])
  const end = await runAgent(run)
  signal.throwIfAborted()
  if (end.kind === 'failed') throw end.error
  const answer = end.kind === 'finished' ? finalText(events) : ''
  if (answer !== '') return answer
  throw new AppError('llm_failed', `The agent came to no end within ${maxSteps} steps. Allow it more.`)
}

function stored(event: NewEvent, seq: number): Event {
  // A new event of a kind and what every stored one has are that kind's event.
  return { ...event, id: newEventId(), seq, timestamp: new Date().toISOString() } as Event
}

function finalText(events: readonly Event[]): string {
  for (const event of events.toReversed()) {
    if (event.kind === 'ActionEvent' && event.action?.kind === 'FinishAction') return event.action.message.trim()
    if (event.kind === 'MessageEvent' && event.source === 'agent') return textOf(event.llm_message.content).trim()
  }
  return ''
}

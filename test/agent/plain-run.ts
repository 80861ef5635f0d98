import { NO_STATS } from '../../server/agent/limits.ts'
import type { AgentRun } from '../../server/agent/run.ts'
import type { Event, NewEvent } from '../../server/api/event/events.ts'
import type { ConversationStats } from '../../server/api/event/metrics.ts'
import { AppError } from '../../server/domain/errors.ts'
import type { Completion } from '../../server/llm/completion.ts'
import { createFinish } from '../../server/tools/finish.ts'
import { createThink } from '../../server/tools/think.ts'
import type { Tool } from '../../server/tools/tool.ts'

type Answer = Partial<Completion> | Error

/** The loop over plain data: the log is an array, the model a list of answers. */
export function setUp(answers: Answer[], options: { tools?: Tool[]; maxIterations?: number; budget?: number } = {}) {
  const events: Event[] = []
  let stats: ConversationStats = NO_STATS
  let asked = 0
  let paused = false
  const abort = new AbortController()
  const run: AgentRun = {
    events,
    stats: () => stats,
    limits: () => ({ max_iterations: options.maxIterations ?? 100, max_budget_per_task: options.budget ?? null }),
    record: (added: NewEvent[], next) => {
      for (const event of added) {
        const seq = events.length
        events.push({ ...event, id: `e${seq}`, seq, timestamp: '2026-01-01T00:00:00.000Z' } as Event)
      }
      if (next) stats = next
    },
    tools: () => options.tools ?? [createThink(), createFinish()],
    accepted: false,
    confirmation: () => ({ policy: { kind: 'NeverConfirm' }, allowed: [] }),
    rate: null,
    hooks: null,
    knowledgeFor: () => null,
    stuckDetection: false,
    condenser: null,
    complete: async () => {
      const answer = answers[asked++]
      if (!answer) throw new AppError('llm_failed', 'The script has ended.')
      if (answer instanceof Error) throw answer
      return completion(asked, answer)
    },
    prompt: { fixed: 'system', context: 'context' },
    pauseRequested: () => paused,
    signal: abort.signal,
    onDelta: () => {},
    onRetry: () => {},
    onFallback: () => {},
    onVoid: () => {},
    onSilence: () => {},
    onOutput: () => {},
  }
  const say = (text: string) =>
    run.record([
      {
        kind: 'MessageEvent',
        source: 'user',
        llm_message: { role: 'user', content: [{ type: 'text', text }] },
        activated_skills: [],
        extended_content: [],
      },
    ])
  say('Go')
  const kinds = () => events.map(event => event.kind).filter(kind => kind !== 'ConversationStateUpdateEvent')
  return { run, events, kinds, say, abort, pause: () => (paused = true), stats: () => stats, asked: () => asked }
}

export function completion(index: number, answer: Partial<Completion>): Completion {
  const responseId = `r${index}`
  const usage = {
    model: 'm',
    prompt_tokens: 10,
    completion_tokens: 1,
    cache_read_tokens: 0,
    cache_write_tokens: 0,
    reasoning_tokens: 0,
    context_window: 0,
    per_turn_token: 11,
    response_id: responseId,
  }
  return {
    responseId,
    text: '',
    reasoning: [],
    toolCalls: [],
    usage,
    cost: 0.1,
    latencyMs: 1,
    finishReason: 'stop',
    ...answer,
  }
}

export const call = (name: string, args: object | string, id = `${name}-1`) => ({
  id,
  name,
  arguments: typeof args === 'string' ? args : JSON.stringify(args),
})
export const think = (thought: string) => ({ toolCalls: [call('think', { thought })] })
export const finish = { toolCalls: [call('finish', { message: 'Done.' })] }

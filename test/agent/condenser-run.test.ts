import { describe, expect, it } from 'vitest'
import { createCondenser } from '../../server/agent/condenser.ts'
import { NO_STATS } from '../../server/agent/limits.ts'
import { runAgent } from '../../server/agent/loop.ts'
import type { AgentRun } from '../../server/agent/run.ts'
import type { NewEvent } from '../../server/api/event/events.ts'
import type { ConversationStats } from '../../server/api/event/metrics.ts'
import { AppError } from '../../server/domain/errors.ts'
import { openCalls } from '../../server/event/model-messages.ts'
import type { Complete, CompletionRequest } from '../../server/llm/completion.ts'
import { createFinish } from '../../server/tools/finish.ts'
import { createThink } from '../../server/tools/think.ts'
import { createLog } from '../event/events.ts'
import { completionOf, summariser } from './condenser-model.ts'

/** An agent that thinks `steps` times and finishes, with a model that refuses requests of more than `readable` messages. */
function longTask(steps: number, maxEvents: number | null, readable = Number.POSITIVE_INFINITY) {
  const log = createLog()
  let stats: ConversationStats = NO_STATS
  let taken = 0
  const requests: CompletionRequest[] = []
  const complete: Complete = async request => {
    if (request.messages.length > readable) throw new AppError('llm_context_exceeded', 'Too long.')
    requests.push(request)
    taken += 1
    const last = taken > steps
    const call = last
      ? { id: 'end', name: 'finish', arguments: '{"message":"Done."}' }
      : { id: `c${taken}`, name: 'think', arguments: JSON.stringify({ thought: `step ${taken} ${'x'.repeat(200)}` }) }
    return { ...completionOf('', `r${taken}`), toolCalls: [call], finishReason: 'tool-calls' }
  }
  const model = summariser('## Task\nCount to the end.\n## Open\nGo on.')
  const run: AgentRun = {
    events: log.events,
    stats: () => stats,
    limits: () => ({ max_iterations: 1_000, max_budget_per_task: null }),
    record: (added: NewEvent[], next) => {
      for (const event of added) log.add(event)
      if (next) stats = next
    },
    tools: () => [createThink(), createFinish()],
    accepted: false,
    confirmation: () => ({ policy: { kind: 'NeverConfirm' }, allowed: [] }),
    rate: null,
    hooks: null,
    knowledgeFor: () => null,
    stuckDetection: true,
    condenser: createCondenser({ ...model.options, maxEvents }),
    complete,
    prompt: { fixed: 'system', context: 'context' },
    pauseRequested: () => false,
    signal: new AbortController().signal,
    onDelta: () => {},
    onOutput: () => {},
    onRetry: () => {},
    onFallback: () => {},
    onVoid: () => {},
    onSilence: () => {},
  }
  log.say('Count to the end, and mind the gap.')
  const condensations = () => log.events.filter(event => event.kind === 'Condensation').length
  return { run, log, requests, condensations, stats: () => stats }
}

describe('a long task', () => {
  it('is finished with a view that stays small, the task always in it, and the cost told apart', async () => {
    const task = longTask(200, 120)
    expect(await runAgent(task.run)).toEqual({ kind: 'finished' })
    expect(task.condensations()).toBeGreaterThanOrEqual(3)
    for (const { messages } of task.requests) {
      expect(messages.length).toBeLessThanOrEqual(123)
      expect(JSON.stringify(messages[0])).toContain('mind the gap')
    }
    expect(openCalls(task.log.events)).toEqual([])
    expect(task.stats().steps).toBe(201)
    expect(task.stats().usage_to_metrics.condenser?.accumulated_cost).toBeCloseTo(0.01 * task.condensations())
  })

  it('is finished with a model that can read little, without being told so before', async () => {
    const task = longTask(60, null, 20)
    expect(await runAgent(task.run)).toEqual({ kind: 'finished' })
    expect(task.condensations()).toBeGreaterThanOrEqual(3)
  })

  it('fails with the words of the model when not even the least can be read', async () => {
    const task = longTask(60, null, 0)
    expect(await runAgent(task.run)).toMatchObject({ kind: 'failed', error: { code: 'llm_context_exceeded' } })
    expect(task.condensations()).toBe(0)
  })
})

import { describe, expect, test } from 'vitest'
import { contextUse, stepCosts } from '../../renderer/state/conversation/step-costs.ts'
import { doneCount, tasksOf } from '../../renderer/state/conversation/task-list.ts'
import { usageBars, usageWords } from '../../renderer/state/usage-bars.ts'
import type { ConversationStats, TokenUsage } from '../../server/api/event/metrics.ts'
import type { UsageFigures } from '../../server/api/v1/system/usage.ts'
import { EventLog } from './conversation/events.ts'

const usage: TokenUsage = {
  model: 'a/b',
  prompt_tokens: 900,
  completion_tokens: 100,
  cache_read_tokens: 500,
  cache_write_tokens: 0,
  reasoning_tokens: 0,
  context_window: 4000,
  per_turn_token: 1000,
  response_id: 'r',
}

function stats(response_id: string, cost: number | null): ConversationStats {
  const last_step = { response_id, cost, latency_ms: 1200, usage }
  return { usage_to_metrics: {}, steps: 1, cost_unknown: cost === null, last_step }
}

describe('the steps of a log', () => {
  test('are told once each, with a cost that is unknown kept apart from none', () => {
    const eventLog = new EventLog()
    eventLog.state('stats', stats('one', 0.5))
    eventLog.state('stats', stats('one', 0.5))
    eventLog.state('stats', stats('two', null))
    eventLog.state('stats', 'not readable')
    expect(stepCosts(eventLog.events).map(({ cost }) => cost)).toEqual([0.5, null])
  })

  test('fill the model’s context by what the last one read and wrote', () => {
    expect(contextUse(usage)).toEqual({ used: 1000, window: 4000, share: 0.25 })
    expect(contextUse({ ...usage, context_window: 0 })).toBeNull()
    expect(contextUse(undefined)).toBeNull()
  })
})

describe('the task list', () => {
  const tracked = (eventLog: EventLog, ...statuses: ('todo' | 'done')[]) => {
    const task_list = statuses.map((status, place) => ({ title: `Task ${place}`, notes: '', status }))
    const command = 'plan' as const
    eventLog.answer(eventLog.call({ kind: 'TaskTrackerAction', command, task_list }), {
      kind: 'TaskTrackerObservation',
      content: [],
      is_error: false,
      command,
      task_list,
    })
  }

  test('is the newest one', () => {
    const eventLog = new EventLog()
    expect(tasksOf(eventLog.events)).toBeNull()
    tracked(eventLog, 'todo', 'todo')
    tracked(eventLog, 'done', 'todo')
    expect(doneCount(tasksOf(eventLog.events) ?? [])).toBe(1)
  })

  test('of steps that were set aside does not count', () => {
    const eventLog = new EventLog()
    tracked(eventLog, 'todo')
    const here = eventLog.user('So far.')
    tracked(eventLog, 'done')
    eventLog.state('leaf_event_id', here.id)
    expect(doneCount(tasksOf(eventLog.events) ?? [])).toBe(0)
  })
})

describe('the usage of days', () => {
  const figures = (fields: Partial<UsageFigures>): UsageFigures => ({
    steps: 2,
    prompt_tokens: 1000,
    completion_tokens: 0,
    cache_read_tokens: 0,
    cache_write_tokens: 0,
    reasoning_tokens: 0,
    cost: 0,
    unknown_cost_steps: 0,
    ...fields,
  })
  const report = (...days: UsageFigures[]) => ({
    days: days.map((day, place) => ({ day: `2026-01-0${place + 1}`, ...day, by_model: [] })),
    total: figures({ cost: days.reduce((sum, { cost }) => sum + cost, 0) }),
    by_model: [],
  })

  test('says what is not known of its cost', () => {
    expect(usageWords(figures({ cost: 1.5 }))).toBe('$1.50 · 1,000 tokens · 2 answers')
    expect(usageWords(figures({ cost: 1.5, unknown_cost_steps: 1 }))).toMatch(/^at least \$1\.50 /)
    expect(usageWords(figures({ unknown_cost_steps: 2 }))).toMatch(/^cost unknown /)
    expect(usageWords(figures({ steps: 0 }))).toBe('nothing')
  })

  test('has bars by cost, and by tokens where no cost is known', () => {
    const heights = (...days: UsageFigures[]) => usageBars(report(...days)).map(({ height }) => height)
    expect(heights(figures({ cost: 1 }), figures({ cost: 4 }), figures({}))).toEqual([0.25, 1, 0])
    expect(heights(figures({}), figures({ prompt_tokens: 500 }))).toEqual([1, 0.5])
    expect(heights(figures({ prompt_tokens: 0 }))).toEqual([0])
  })
})

import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { NO_STATS } from '../../server/agent/limits.ts'
import { runAgent } from '../../server/agent/loop.ts'
import type { AgentRun } from '../../server/agent/run.ts'
import type { Event, NewEvent } from '../../server/api/events.ts'
import type { ConversationStats } from '../../server/api/metrics.ts'
import { AppError } from '../../server/errors.ts'
import type { Completion } from '../../server/llm/completion.ts'
import { createFinish } from '../../server/tools/finish.ts'
import { createThink } from '../../server/tools/think.ts'
import type { Tool } from '../../server/tools/tool.ts'

type Answer = Partial<Completion> | Error

/** The loop over plain data: the log is an array, the model a list of answers. */
function setUp(answers: Answer[], options: { tools?: Tool[]; maxIterations?: number; budget?: number } = {}) {
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
    systemPrompt: 'system',
    pauseRequested: () => paused,
    signal: abort.signal,
    onDelta: () => {},
    onRetry: () => {},
    onFallback: () => {},
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

function completion(index: number, answer: Partial<Completion>): Completion {
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

const call = (name: string, args: object | string, id = `${name}-1`) => ({
  id,
  name,
  arguments: typeof args === 'string' ? args : JSON.stringify(args),
})
const think = (thought: string) => ({ toolCalls: [call('think', { thought })] })
const finish = { toolCalls: [call('finish', { message: 'Done.' })] }

describe('a run', () => {
  it('ends with finish and counts its steps and cost', async () => {
    const { run, stats } = setUp([think('a'), finish])
    expect(await runAgent(run)).toEqual({ kind: 'finished' })
    expect(stats()).toMatchObject({ steps: 2, cost_unknown: false })
    expect(stats().usage_to_metrics.default).toMatchObject({
      accumulated_cost: 0.2,
      accumulated_token_usage: { prompt_tokens: 20, completion_tokens: 2 },
    })
  })

  it('remembers that a price was unknown', async () => {
    const { run, stats } = setUp([{ ...think('a'), cost: null }, finish])
    await runAgent(run)
    expect(stats()).toMatchObject({ cost_unknown: true, usage_to_metrics: { default: { accumulated_cost: 0.1 } } })
  })

  it('stores the calls of one answer together, before any result', async () => {
    const { run, kinds } = setUp([
      { toolCalls: [call('think', { thought: 'a' }, '1'), call('think', { thought: 'b' }, '2')] },
      finish,
    ])
    await runAgent(run)
    expect(kinds().slice(1, 5)).toEqual(['ActionEvent', 'ActionEvent', 'ObservationEvent', 'ObservationEvent'])
  })

  it('drops what follows finish in the same answer', async () => {
    const { run, kinds } = setUp([{ toolCalls: [...finish.toolCalls, call('think', { thought: 'late' })] }])
    expect(await runAgent(run)).toEqual({ kind: 'finished' })
    expect(kinds()).toEqual(['MessageEvent', 'ActionEvent', 'ObservationEvent'])
  })

  it('answers what cannot be understood, keeps malformed arguments out of the history, and goes on', async () => {
    const { run, events } = setUp([{ toolCalls: [call('unknown_tool', {}), call('think', '[1')] }, finish])
    expect(await runAgent(run)).toEqual({ kind: 'finished' })
    const errors = events.flatMap(event => (event.kind === 'AgentErrorEvent' ? [event.error] : []))
    expect(errors).toHaveLength(2)
    expect(errors[0]).toContain('unknown_tool')
    const sent = events.flatMap(event => (event.kind === 'ActionEvent' ? [event.tool_call.arguments] : []))
    expect(sent).toContain('{}')
  })

  it('goes on after finish when somebody spoke in the meantime', async () => {
    const spoken: Tool = {
      ...createThink(),
      run: async () => ({ kind: 'ThinkObservation', content: [], is_error: false }),
    }
    const set = setUp([finish, finish], { tools: [spoken, createFinish()] })
    const complete = set.run.complete
    set.run.complete = async request => {
      const answer = await complete(request)
      if (set.asked() === 1) set.say('One more thing')
      return answer
    }
    expect(await runAgent(set.run)).toEqual({ kind: 'finished' })
    expect(set.asked()).toBe(2)
  })

  it('nudges a model that answers with nothing, and gives up after three times', async () => {
    const { run, events } = setUp([{}, {}, {}])
    expect(await runAgent(run)).toMatchObject({ kind: 'failed', error: { code: 'llm_failed' } })
    expect(events.filter(event => event.kind === 'MessageEvent' && event.source === 'environment')).toHaveLength(3)
  })

  it('nudges a model whose answer was cut off', async () => {
    const { run, events } = setUp([{ text: 'I will now', finishReason: 'length' }, finish])
    expect(await runAgent(run)).toEqual({ kind: 'finished' })
    expect(JSON.stringify(events)).toContain('cut off')
  })

  it('stops before the step that a limit forbids', async () => {
    const steps = setUp([think('a'), think('b'), finish], { maxIterations: 2 })
    expect(await runAgent(steps.run)).toEqual({ kind: 'limit', limit: 'max_iterations' })
    expect(steps.asked()).toBe(2)
    const budget = setUp([think('a'), finish], { budget: 0.1 })
    expect(await runAgent(budget.run)).toEqual({ kind: 'limit', limit: 'max_budget_per_task' })
  })

  it('pauses between steps, never within one', async () => {
    const set = setUp([
      { toolCalls: [call('think', { thought: 'a' }, '1'), call('think', { thought: 'b' }, '2')] },
      finish,
    ])
    const complete = set.run.complete
    set.run.complete = request => {
      set.pause()
      return complete(request)
    }
    const end = await runAgent(set.run)
    expect(end).toEqual({ kind: 'paused' })
  })

  it('answers every open call when it is stopped', async () => {
    const waiting: Tool = {
      ...createThink(),
      parameters: z.object({ thought: z.string() }),
      run: (_action, { signal }) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    }
    const set = setUp([{ toolCalls: [call('think', { thought: 'a' }, '1'), call('think', { thought: 'b' }, '2')] }], {
      tools: [waiting, createFinish()],
    })
    const ending = runAgent(set.run)
    set.abort.abort(new AppError('conflict', 'Stopped by hand.'))
    expect(await ending).toEqual({ kind: 'interrupted' })
    for (const event of set.events) if (event.kind === 'AgentErrorEvent') expect(event.error).toBe('Stopped by hand.')
    const calls = set.events.filter(event => event.kind === 'ActionEvent')
    expect(set.events.filter(event => event.kind === 'AgentErrorEvent')).toHaveLength(calls.length)
  })

  it('fails when the sandbox is gone, and tells the model of anything less', async () => {
    const failing = (error: Error): Tool => ({ ...createThink(), run: () => Promise.reject(error) })
    const gone = setUp([think('a')], { tools: [failing(new AppError('sandbox_not_found', 'Gone.')), createFinish()] })
    expect(await runAgent(gone.run)).toMatchObject({ kind: 'failed', error: { code: 'sandbox_not_found' } })
    const large = setUp([think('a'), finish], {
      tools: [failing(new AppError('file_too_large', 'Too large.')), createFinish()],
    })
    expect(await runAgent(large.run)).toEqual({ kind: 'finished' })
    expect(JSON.stringify(large.events)).toContain('Too large.')
  })

  it('waits for a person before it acts, once for all calls of an answer', async () => {
    const policy = { policy: { kind: 'AlwaysConfirm' as const }, allowed: [] }
    const acts: Tool = { ...createThink(), name: 'act', toAction: () => ({ kind: 'GlobAction', pattern: '*' }) }
    const set = setUp(
      [{ toolCalls: [call('act', { thought: 'a' }, '1'), call('act', { thought: 'b' }, '2')] }, finish],
      {
        tools: [acts, createFinish()],
      },
    )
    set.run.confirmation = () => policy
    expect(await runAgent(set.run)).toEqual({ kind: 'waiting' })
    expect(set.kinds()).toEqual(['MessageEvent', 'ActionEvent', 'ActionEvent'])
    expect(await runAgent(set.run)).toEqual({ kind: 'waiting' })
    expect(await runAgent({ ...set.run, accepted: true })).toEqual({ kind: 'finished' })
    expect(set.kinds().slice(3, 5)).toEqual(['ObservationEvent', 'ObservationEvent'])
  })

  it('asks again for the next answer after one was accepted', async () => {
    const acts: Tool = { ...createThink(), name: 'act', toAction: () => ({ kind: 'GlobAction', pattern: '*' }) }
    const act = (id: string) => ({ toolCalls: [call('act', { thought: id }, id)] })
    const set = setUp([act('1'), act('2'), finish], { tools: [acts, createFinish()] })
    set.run.confirmation = () => ({ policy: { kind: 'AlwaysConfirm' }, allowed: [] })
    await runAgent(set.run)
    expect(await runAgent({ ...set.run, accepted: true })).toEqual({ kind: 'waiting' })
    expect(set.asked()).toBe(2)
  })

  it('runs neighbouring reads at the same time and records their results in the order of the calls', async () => {
    const release: (() => void)[] = []
    const slow: Tool = {
      ...createThink(),
      name: 'read',
      run: () =>
        new Promise(resolve => release.push(() => resolve({ kind: 'ThinkObservation', content: [], is_error: false }))),
    }
    const reads = ['1', '2', '3'].map(id => call('read', { thought: id }, id))
    const set = setUp([{ toolCalls: reads }, finish], { tools: [slow, createFinish()] })
    const ending = runAgent(set.run)
    while (release.length < 3) await new Promise(setImmediate)
    for (const let_go of release.reverse()) let_go()
    expect(await ending).toEqual({ kind: 'finished' })
    const answered = set.events.flatMap(event => (event.kind === 'ObservationEvent' ? [event.tool_call_id] : []))
    expect(answered.slice(0, 3)).toEqual(['1', '2', '3'])
  })

  it('sums up and asks again when the model refuses a history that is too long, and fails when nothing is left', async () => {
    const tooLong = () => new AppError('llm_context_exceeded', 'Too long.')
    const set = setUp([tooLong(), finish])
    const summary: NewEvent = {
      kind: 'Condensation',
      source: 'environment',
      forgotten_event_ids: [],
      llm_response_id: 'c',
    }
    set.run.condenser = {
      condense: async (_events, { force }) =>
        force ? { event: summary, completions: [completion(9, { cost: 0.5 })] } : null,
    }
    expect(await runAgent(set.run)).toEqual({ kind: 'finished' })
    expect(set.stats()).toMatchObject({ steps: 1, usage_to_metrics: { condenser: { accumulated_cost: 0.5 } } })
    const alone = setUp([tooLong()])
    expect(await runAgent(alone.run)).toMatchObject({ kind: 'failed', error: { code: 'llm_context_exceeded' } })
  })

  it('nudges a model that goes in circles, then stops as stuck', async () => {
    const set = setUp(Array.from({ length: 12 }, () => think('the same again')))
    set.run.stuckDetection = true
    expect(await runAgent(set.run)).toMatchObject({ kind: 'stuck' })
    expect(set.events.filter(event => event.kind === 'MessageEvent' && event.source === 'environment')).toHaveLength(1)
    expect(set.asked()).toBeLessThan(12)
  })

  it('lets a hook of the repository forbid a call, an answer and the end', async () => {
    const quiet = { events: [], blocked: null, context: null }
    const says = (blocked: string) => ({ ...quiet, blocked })
    let ends = 0
    const hooks: AgentRun['hooks'] = {
      sessionStart: async () => ({ ...quiet, context: 'Use tabs.' }),
      userPromptSubmit: async () => quiet,
      preToolUse: async ({ action }) => (action.kind === 'ThinkAction' ? says('No thinking here.') : quiet),
      postToolUse: async () => ({ ...quiet, context: 'Read the manual.' }),
      stop: async () => (ends++ === 0 ? says('The tests were not run.') : quiet),
      sessionEnd: async () => quiet,
    }
    const set = setUp([think('a'), finish, finish])
    set.run.hooks = hooks
    expect(await runAgent(set.run)).toEqual({ kind: 'finished' })
    const log = JSON.stringify(set.events)
    expect(log).toContain('"rejection_source":"hook"')
    for (const text of ['Use tabs.', 'No thinking here.', 'Read the manual.', 'The tests were not run.']) {
      expect(log).toContain(text)
    }
    const forbidden = setUp([finish])
    forbidden.run.hooks = { ...hooks, userPromptSubmit: async () => says('Not on Sundays.') }
    expect(await runAgent(forbidden.run)).toEqual({ kind: 'finished' })
    expect(forbidden.asked()).toBe(0)
  })
})

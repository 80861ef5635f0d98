import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { runAgent } from '../../server/agent/loop.ts'
import { AppError } from '../../server/domain/errors.ts'
import { createFinish } from '../../server/tools/finish.ts'
import { createThink } from '../../server/tools/think.ts'
import type { Tool } from '../../server/tools/tool.ts'
import { call, finish, setUp, think } from './plain-run.ts'

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
})

import { describe, expect, it } from 'vitest'
import { runAgent } from '../../server/agent/loop.ts'
import type { AgentRun } from '../../server/agent/run.ts'
import type { NewEvent } from '../../server/api/event/events.ts'
import { AppError } from '../../server/domain/errors.ts'
import { createFinish } from '../../server/tools/finish.ts'
import { createThink } from '../../server/tools/think.ts'
import type { Tool } from '../../server/tools/tool.ts'
import { call, completion, finish, setUp, think } from './plain-run.ts'

describe('what stands between the model and its actions', () => {
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
      usageId: 'condenser',
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

  it('submits what a person says while the model answers, before it is asked again', async () => {
    const quiet = { events: [], blocked: null, context: null }
    const submitted: unknown[] = []
    const set = setUp([think('a'), finish])
    const complete = set.run.complete
    set.run.complete = async request => {
      const answer = await complete(request)
      if (set.asked() === 1) set.say('Use spaces.')
      return answer
    }
    set.run.hooks = {
      sessionStart: async () => quiet,
      userPromptSubmit: async ({ llm_message: { content } }) => {
        submitted.push(...content)
        return submitted.length === 1 ? quiet : { ...quiet, blocked: 'Not on Sundays.' }
      },
      preToolUse: async () => quiet,
      postToolUse: async () => quiet,
      stop: async () => quiet,
      sessionEnd: async () => quiet,
    }
    expect(await runAgent(set.run)).toEqual({ kind: 'finished' })
    expect(submitted.slice(1)).toEqual([{ type: 'text', text: 'Use spaces.' }])
    expect(set.asked()).toBe(1)
  })

  it('submits what is said while a hook looks, and while an answer is given whose calls wait for a person', async () => {
    const quiet = { events: [], blocked: null, context: null }
    const submitted: string[] = []
    const acts: Tool = { ...createThink(), name: 'act', toAction: () => ({ kind: 'GlobAction', pattern: '*' }) }
    const set = setUp([{ toolCalls: [call('act', { thought: 'a' }, '1')] }, finish], { tools: [acts, createFinish()] })
    const complete = set.run.complete
    set.run.complete = async request => {
      const answer = await complete(request)
      if (set.asked() === 1) set.say('while it answers')
      return answer
    }
    set.run.confirmation = () => ({ policy: { kind: 'AlwaysConfirm' }, allowed: [] })
    set.run.hooks = {
      sessionStart: async () => quiet,
      userPromptSubmit: async ({ llm_message: { content } }) => {
        submitted.push(...content.flatMap(part => (part.type === 'text' ? [part.text] : [])))
        if (submitted.length === 1) set.say('while a hook looks')
        return quiet
      },
      preToolUse: async () => quiet,
      postToolUse: async () => quiet,
      stop: async () => quiet,
      sessionEnd: async () => quiet,
    }
    expect(await runAgent(set.run)).toEqual({ kind: 'waiting' })
    expect(submitted.slice(1)).toEqual(['while a hook looks'])
    expect(await runAgent({ ...set.run, accepted: true })).toEqual({ kind: 'finished' })
    expect(submitted).toContain('while it answers')
  })

  it('pauses when a hook forbids the end for the third time, unless a person has spoken between', async () => {
    const quiet = { events: [], blocked: null, context: null }
    const hooks: AgentRun['hooks'] = {
      sessionStart: async () => quiet,
      userPromptSubmit: async () => quiet,
      preToolUse: async () => quiet,
      postToolUse: async () => quiet,
      stop: async () => ({ ...quiet, blocked: 'Not green.' }),
      sessionEnd: async () => quiet,
    }
    const set = setUp(Array.from({ length: 9 }, () => finish))
    set.run.hooks = hooks
    expect(await runAgent(set.run)).toEqual({ kind: 'vetoed', why: 'Not green.' })
    expect(set.asked()).toBe(3)

    const talked = setUp([finish, finish, think('a'), finish, finish, finish, finish])
    const complete = talked.run.complete
    talked.run.complete = async request => {
      const answer = await complete(request)
      if (talked.asked() === 3) talked.say('Leave the tests.')
      if (talked.asked() === 4) talked.say('I mean it.')
      return answer
    }
    talked.run.hooks = hooks
    expect(await runAgent(talked.run)).toMatchObject({ kind: 'vetoed' })
    expect(talked.asked()).toBe(7)
  })
})

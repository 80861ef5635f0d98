import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addStep, addUsage, NO_STATS } from '../../server/agent/limits.ts'
import { LogReader } from '../../server/agent-server/event/log-reader.ts'
import type { NewEvent } from '../../server/api/event/events.ts'
import type { ConversationStats } from '../../server/api/event/metrics.ts'
import { aConversation, openStore } from '../parts/service/store.ts'
import { newEvent } from '../parts/value/agent-event.ts'

const store = openStore()
const conversation = aConversation()
const looked: [number, number][] = []
/** The log, and how often it is looked into. */
const log = {
  lastSeq: store.eventLog.lastSeq.bind(store.eventLog),
  telling: (...[id, from, to]: Parameters<typeof store.eventLog.telling>) => {
    looked.push([from, to])
    return store.eventLog.telling(id, from, to)
  },
}
const reader = new LogReader(log)
const limits = { max_iterations: 500, max_budget_per_task: null }
const usage = (model: string, prompt_tokens: number) => ({
  model,
  prompt_tokens,
  completion_tokens: 10,
  cache_read_tokens: 0,
  cache_write_tokens: 0,
  reasoning_tokens: 0,
  context_window: 0,
  per_turn_token: 0,
  response_id: `of-${prompt_tokens}`,
})

/** An answer of the model to a step, as far as statistics read it. */
function step(stats: ConversationStats, prompt_tokens: number, cost: number | null): ConversationStats {
  const completion = {
    responseId: `response-${prompt_tokens}`,
    cost,
    latencyMs: 1500,
    usage: usage('m', prompt_tokens),
  }
  return addStep(stats, completion as Parameters<typeof addStep>[1], limits)
}

const update = (value: unknown): NewEvent => ({
  kind: 'ConversationStateUpdateEvent',
  source: 'environment',
  key: 'stats',
  value,
})
const said = (skills: string[]): NewEvent => ({
  kind: 'MessageEvent',
  source: 'user',
  llm_message: { role: 'user', content: [{ type: 'text', text: 'Go.' }] },
  activated_skills: skills,
  extended_content: [],
})
const blocked = (fields: object): NewEvent => ({
  kind: 'HookExecutionEvent',
  source: 'hook',
  hook_event_type: 'PreToolUse',
  hook_command: 'check',
  success: true,
  blocked: true,
  reason: 'Not here.',
  ...fields,
})
const read = (name: string, is_error: boolean): NewEvent => ({
  kind: 'ObservationEvent',
  source: 'environment',
  tool_name: 'invoke_skill',
  tool_call_id: 'c',
  action_id: 'a',
  observation: { kind: 'InvokeSkillObservation', name, content: [{ type: 'text', text: 'Boil.' }], is_error },
})

beforeAll(() => store.conversations.insert(conversation))
afterAll(() => store.remove())

describe('what a log says', () => {
  it('is of skills, hooks and the answers of models', async () => {
    const [one, two] = [step(NO_STATS, 100, 0.5), step(step(NO_STATS, 100, 0.5), 200, null)]
    const condensed = addUsage(two, 'condenser', { usage: usage('small', 50), cost: 0.25 }, limits)
    store.eventLog.appendAll(conversation.id, [
      said(['deploy', 'tea']),
      said(['tea']),
      said([]),
      read('make-tea', false),
      read('not-there', true),
      blocked({ action_id: 'action-1' }),
      blocked({ action_id: 'action-2', blocked: false }),
      blocked({ hook_event_type: 'UserPromptSubmit', message_id: 'message-1', reason: 'Not now.' }),
      blocked({ hook_event_type: 'Stop' }),
      update(one),
      update(two),
      update(condensed),
      update(condensed),
    ])
    const facts = await reader.read(conversation)
    expect(facts.activatedSkills).toEqual(['deploy', 'tea'])
    expect(facts.invokedSkills).toEqual(['make-tea'])
    expect(facts.blockedActions).toEqual({ 'action-1': 'Not here.' })
    expect(facts.blockedMessages).toEqual({ 'message-1': 'Not now.' })
    const answers = facts.answersFor('default')
    expect(answers.costs.map(({ cost }) => cost)).toEqual([0.5, null])
    expect(answers.response_latencies).toMatchObject([
      { latency: 1.5, response_id: 'response-100' },
      { model: 'm', response_id: 'response-200' },
    ])
    expect(answers.token_usages.map(({ prompt_tokens }) => prompt_tokens)).toEqual([100, 200])
    expect(facts.answersFor('condenser')).toMatchObject({
      costs: [{ model: 'small' }],
      token_usages: [{ prompt_tokens: 50 }],
    })
    expect(facts.answersFor('nobody').costs).toEqual([])
  })

  it('does not take the sums with which a fork begins for an answer', async () => {
    const fork = aConversation()
    store.conversations.insert(fork)
    const sums = addUsage(step(step(NO_STATS, 1, 1), 2, 1), 'condenser', { usage: usage('small', 50), cost: 9 }, limits)
    store.eventLog.append(fork.id, update(step(sums, 300, 0.1)))
    const facts = await reader.read(fork)
    expect(facts.answersFor('default').costs).toMatchObject([{ cost: 0.1 }])
    expect(facts.answersFor('condenser').costs).toEqual([])
  })

  it('is not that of a conversation that had the same id before', async () => {
    expect(reader.known({ ...conversation, created_at: 'later' }).activatedSkills).toEqual(['deploy', 'tea'])
    expect(looked.at(-1)?.[0]).toBe(0)
  })
})

describe('a log of 50,000 events', () => {
  const long = aConversation()
  beforeAll(async () => {
    store.conversations.insert(long)
    let stats = NO_STATS
    for (let page = 0; page < 50; page++) {
      const events = Array.from({ length: 1000 }, (_, index) => {
        if (index % 10 > 0) return newEvent(index)
        stats = step(stats, page * 1000 + index, 0.01)
        return update(stats)
      })
      store.eventLog.appendAll(long.id, events)
    }
  })

  it('is looked at once, in short pieces, and then only what is new', { timeout: 60_000 }, async () => {
    looked.length = 0
    await reader.read(long)
    expect(looked[0]).toEqual([0, 99])
    expect(looked.at(-1)?.[1]).toBe(49_999)
    expect(looked.reduce((sum, [from, to]) => sum + to - from + 1, 0)).toBe(50_000)
    looked.length = 0
    expect(reader.known(long).answersFor('default').token_usages).toHaveLength(100)
    await reader.read(long)
    expect(looked).toEqual([])
    store.eventLog.append(long.id, said(['deploy']))
    expect(reader.known(long).activatedSkills).toEqual(['deploy'])
    expect(looked).toEqual([[50_000, 50_000]])
  })

  it('holds nobody up where it was not read yet and nobody can wait', () => {
    const began = performance.now()
    const cpu = process.cpuUsage()
    new LogReader(log).known(long)
    const spent = process.cpuUsage(cpu)
    expect(Math.min(performance.now() - began, (spent.user + spent.system) / 1000)).toBeLessThan(50)
  })
})

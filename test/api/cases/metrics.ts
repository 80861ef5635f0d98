import { expect } from 'vitest'
import type { ModelRequest } from '../../fakes/model-server.ts'
import { FINISH, tool } from '../../parts/client/gateway-conversation.ts'
import type { Seen, Statement } from '../../parts/statement.ts'

const LOOK = tool('terminal', { command: 'echo marmalade' })
const USAGE = { input: 1000, output: 30, cacheRead: 400, cacheWrite: 100, reasoning: 10 }
const PAID = { usage: USAGE, cost: 0.25 }
const paid = () => [
  { ...LOOK, ...PAID },
  { ...FINISH, ...PAID },
]
const metrics = ({ info }: Seen) => info.stats.usage_to_metrics
const says = ({ body }: ModelRequest, text: string) => JSON.stringify(body).includes(text)
const usageIds = (seen: Seen) => Object.keys(metrics(seen)).sort()
const allowing = { text: '{"decision": "allow"}' }
const hook = (fields: object) => ({ hook_config: { pre_tool_use: [{ matcher: '*', hooks: [fields] }] } })
const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)

/** Section 4.8: what use of models is counted, and under which ids. */
export const METRICS_STATEMENTS: readonly Statement[] = [
  {
    says: 'the metrics of a usage id have all their fields',
    script: paid,
    shows: seen => {
      expect(metrics(seen).default).toEqual({
        model_name: 'scripted',
        accumulated_cost: 0.5,
        max_budget_per_task: null,
        accumulated_token_usage: {
          model: 'scripted',
          prompt_tokens: 2000,
          completion_tokens: 60,
          cache_read_tokens: 800,
          cache_write_tokens: expect.any(Number),
          reasoning_tokens: 20,
          context_window: expect.any(Number),
          per_turn_token: 1030,
          response_id: expect.any(String),
        },
        costs: expect.any(Array),
        response_latencies: expect.any(Array),
        token_usages: expect.any(Array),
      })
    },
  },
  {
    says: 'the lists hold each answer, and the sums are theirs',
    script: paid,
    shows: seen => {
      const { costs, response_latencies, token_usages, accumulated_cost, accumulated_token_usage } =
        metrics(seen).default
      expect([costs, response_latencies, token_usages].map(({ length }) => length)).toEqual([2, 2, 2])
      expect(sum(costs.map(({ cost }: { cost: number }) => cost))).toBeCloseTo(accumulated_cost)
      for (const field of ['prompt_tokens', 'completion_tokens', 'cache_read_tokens', 'reasoning_tokens']) {
        expect(sum(token_usages.map((one: Record<string, number>) => one[field])), field).toBe(
          accumulated_token_usage[field],
        )
      }
      const ids = token_usages.map(({ response_id }: { response_id: string }) => response_id)
      const actions = seen.events.filter(({ kind }) => kind === 'ActionEvent')
      expect(actions.map(({ llm_response_id }) => llm_response_id)).toEqual(ids)
    },
  },
  {
    says: 'the socket gets snapshots of them under the key stats, without the lists',
    script: paid,
    shows: ({ frames }) => {
      const stats = frames.filter(({ key }) => key === 'stats')
      expect(stats).toHaveLength(2)
      const { default: own } = stats.at(-1).value.usage_to_metrics
      expect(own).toMatchObject({ model_name: 'scripted', accumulated_cost: 0.5 })
      expect(Object.keys(own)).not.toEqual(expect.arrayContaining(['costs']))
      expect(own).not.toHaveProperty('token_usages')
      expect(own).not.toHaveProperty('response_latencies')
    },
  },
  {
    says: 'the agent is counted as default',
    script: paid,
    shows: seen => expect(usageIds(seen)).toContain('default'),
  },
  {
    says: 'a side question is counted as ask-agent-llm',
    script: () => [FINISH, { text: 'Forty-two.', ...PAID }],
    does: [{ text: 'Begin.' }, { post: 'ask_agent', body: { question: 'How many?' } }],
    shows: seen => {
      expect(seen.answers).toEqual([{ response: 'Forty-two.' }])
      expect(metrics(seen)['ask-agent-llm']).toMatchObject({ accumulated_cost: 0.25, model_name: 'scripted' })
      expect(metrics(seen)['ask-agent-llm'].token_usages).toHaveLength(1)
      expect(JSON.stringify(seen.events)).not.toContain('How many?')
    },
  },
  {
    says: 'a title is counted under an id of its own, and not as a step of the agent',
    title: 'Marmalade',
    script: () => [{ ...LOOK, delayMs: 200 }, { ...LOOK, delayMs: 200 }, FINISH],
    shows: seen => {
      expect(metrics(seen).title.token_usages).toHaveLength(1)
      expect(metrics(seen).default.token_usages).toHaveLength(3)
    },
  },
  {
    says: 'a sub-agent is counted in its parent as task:<task id>',
    script: () => {
      let steps = 0
      return request => {
        if (says(request, 'Count the spoons') && !says(request, 'Begin, and mind the gap.')) {
          return { ...tool('finish', { message: 'Twelve.' }), ...PAID }
        }
        return steps++ === 0 ? tool('task', { prompt: 'Count the spoons' }) : FINISH
      }
    },
    shows: seen => {
      const id = usageIds(seen).find(name => name.startsWith('task:'))
      const found = seen.events.find(({ observation }) => observation?.kind === 'TaskObservation')
      expect(id).toBe(`task:${found.observation.task_id}`)
      expect(metrics(seen)[id ?? ''].accumulated_cost).toBe(0.25)
    },
  },
  {
    says: 'a hook that asks the model is counted as prompt-hook:<name>',
    start: hook({ type: 'prompt', name: 'careful', prompt: 'Is this careful?' }),
    script: () => request => {
      if (says(request, 'Is this careful?')) return { ...allowing, ...PAID }
      return says(request, 'marmalade') ? FINISH : LOOK
    },
    shows: seen => expect(metrics(seen)['prompt-hook:careful'].accumulated_cost).toBeGreaterThan(0),
  },
  {
    says: 'a hook that lets an agent look is counted as agent-hook:<name>',
    start: hook({ type: 'agent', name: 'inspector', prompt: 'Is this careful?' }),
    script: () => request => {
      if (says(request, 'Is this careful?')) return { ...allowing, ...PAID }
      return says(request, 'marmalade') ? FINISH : LOOK
    },
    shows: seen => expect(metrics(seen)['agent-hook:inspector'].accumulated_cost).toBeGreaterThan(0),
  },
  {
    says: 'a saved model that a conversation is switched to is counted as profile:<name>',
    script: () => [LOOK, FINISH, { ...FINISH, ...PAID }],
    does: ({ url }) => [
      {
        post: '/api/profiles/spare',
        body: { llm: { model: 'openai/spare', base_url: url.openai, api_key: 'sk-of-the-spare' } },
        status: 201,
      },
      { text: 'Begin.' },
      { post: 'switch_profile', body: { profile_name: 'spare' } },
      { text: 'Go on.' },
    ],
    shows: seen => {
      expect(seen.requests.at(-1)?.model).toBe('spare')
      expect(metrics(seen)['profile:spare']).toMatchObject({ model_name: 'spare', accumulated_cost: 0.25 })
      expect(metrics(seen).default.token_usages).toHaveLength(2)
    },
  },
  {
    says: 'the metrics of the conversation are those of its agent, without the lists',
    script: paid,
    shows: ({ info }) => {
      expect(info.metrics).toMatchObject({ accumulated_cost: 0.5, model_name: 'scripted' })
      expect(info.metrics).not.toHaveProperty('costs')
    },
  },
]

import { expect } from 'vitest'
import type { WireName } from '../../fakes/model-server/turn.ts'
import type { ModelServer } from '../../fakes/model-server.ts'
import { FINISH, tool } from '../../parts/client/gateway-conversation.ts'
import type { Seen, Statement } from '../../parts/statement.ts'

const llm =
  (model: string, wire: WireName = 'openai') =>
  ({ url }: ModelServer) => ({
    model,
    base_url: url[wire],
    api_key: 'sk-of-the-model',
  })
const LOOK = tool('terminal', { command: 'echo marmalade' })
const two = () => [LOOK, FINISH]
const paths = ({ requests }: Seen) => new Set(requests.map(({ path }) => path))
const PICTURE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const call = (close: string) => `I look.\n<function=terminal>\n<parameter=command>echo marmalade</parameter>${close}`
const answered = (text: string) => ({ text })
const last = ({ requests }: Seen) => requests.at(-1)
const observations = ({ events }: Seen) => events.filter(({ kind }) => kind === 'ObservationEvent')

const seenMarmalade = (body: { messages: { role: string }[] }) => body.messages.some(({ role }) => role === 'tool')

/** Section 7, the models. */
export const LANGUAGE_MODEL_STATEMENTS: readonly Statement[] = [
  {
    says: 'a server that speaks as OpenAI does is openai/<model> with a base URL',
    llm: llm('openai/my-model'),
    script: two,
    shows: seen => {
      expect(paths(seen)).toEqual(new Set(['/v1/chat/completions']))
      expect(last(seen)).toMatchObject({ model: 'my-model', headers: { authorization: 'Bearer sk-of-the-model' } })
    },
  },
  {
    says: 'a bare name with a base URL is a model of that server',
    llm: llm('my-model'),
    script: two,
    shows: seen => expect(last(seen)).toMatchObject({ path: '/v1/chat/completions', model: 'my-model' }),
  },
  {
    says: 'a name whose first part is no provider is kept as it is',
    llm: llm('my-company/my-model'),
    script: two,
    shows: seen => expect(last(seen)?.model).toBe('my-company/my-model'),
  },
  {
    says: 'litellm_proxy/<model> is a model of a LiteLLM proxy',
    llm: llm('litellm_proxy/claude-sonnet-4-5'),
    script: two,
    shows: seen => expect(last(seen)).toMatchObject({ path: '/v1/chat/completions', model: 'claude-sonnet-4-5' }),
  },
  {
    says: 'ollama/<model> is a model of Ollama',
    llm: llm('ollama/qwen3:8b'),
    script: two,
    shows: seen => expect(last(seen)).toMatchObject({ path: '/v1/chat/completions', model: 'qwen3:8b' }),
  },
  {
    says: 'anthropic/<model> is asked in its own words',
    llm: llm('anthropic/claude-sonnet-4-5', 'anthropic'),
    script: two,
    shows: seen => expect(last(seen)).toMatchObject({ path: '/v1/messages', model: 'claude-sonnet-4-5' }),
  },
  {
    says: 'gemini/<model> is asked in its own words',
    llm: llm('gemini/gemini-2.5-flash', 'gemini'),
    script: two,
    shows: seen => expect(last(seen)).toMatchObject({ wire: 'gemini', model: 'gemini-2.5-flash' }),
  },
  {
    says: 'what is fixed in the prompt of a model of Anthropic is marked for the cache, and its newest message',
    llm: llm('anthropic/claude-sonnet-4-5', 'anthropic'),
    script: two,
    shows: seen => {
      const { system, messages } = last(seen)?.body ?? {}
      expect(system[0].cache_control).toMatchObject({ type: 'ephemeral' })
      expect(messages.at(-1).content.at(-1).cache_control).toMatchObject({ type: 'ephemeral' })
    },
  },
  {
    says: 'a model that calls no tools is told of them in its prompt, and its written calls are carried out',
    llm: llm('openai/codellama-34b'),
    script: () => [answered(call('\n</function>')), answered('All done.')],
    shows: seen => {
      for (const { body } of seen.requests) {
        expect(body).not.toHaveProperty('tools')
        expect(body.stop).toEqual(['</function'])
      }
      expect(JSON.stringify(seen.requests[0]?.body.messages[0])).toContain('<function=')
      expect(observations(seen)[0]).toMatchObject({ tool_name: 'terminal', observation: { exit_code: 0 } })
      const result = last(seen)?.body.messages.at(-1)
      expect(result.role).toBe('user')
      expect(JSON.stringify(result.content)).toContain('EXECUTION RESULT of [terminal]:')
    },
  },
  {
    says: 'a written call is read also when its end is missing, where the stop word stood',
    llm: llm('openai/codellama-34b'),
    script: () => [answered(call('\n')), answered('All done.')],
    shows: seen => expect(observations(seen)[0].observation.output).toContain('marmalade'),
  },
  {
    says: 'a written call of a tool that is not there is answered with those that are',
    llm: llm('openai/codellama-34b'),
    script: () => [answered('<function=fly>\n<parameter=to>mars</parameter>\n</function>'), answered('All done.')],
    shows: seen => {
      expect(JSON.stringify(last(seen)?.body.messages.at(-1))).toMatch(/fly.*terminal/)
      expect(seen.info.execution_status).toBe('finished')
    },
  },
  ...(
    [
      ['a required parameter is missing', '<function=terminal>\n</function>', /command/],
      [
        'a parameter is no number',
        '<function=terminal>\n<parameter=command>true</parameter>\n<parameter=timeout>soon</parameter>\n</function>',
        /timeout/,
      ],
      [
        'a parameter is none of the values that there are',
        '<function=file_editor>\n<parameter=command>burn</parameter>\n<parameter=path>/tmp/x</parameter>\n</function>',
        /command/,
      ],
    ] as const
  ).map(
    ([what, text, words]): Statement => ({
      says: `a written call is answered with what is wrong when ${what}, and the model may try again`,
      llm: llm('openai/codellama-34b'),
      script: () => [answered(text), answered(call('\n</function>')), answered('All done.')],
      shows: seen => {
        const [error] = seen.events.filter(({ kind }) => kind === 'AgentErrorEvent')
        expect(error.error).toMatch(words)
        expect(observations(seen)[0].observation.output).toContain('marmalade')
        expect(seen.info.execution_status).toBe('finished')
      },
    }),
  ),
  {
    says: 'several calls of one answer are one message of the assistant, with a result for each',
    llm: llm('openai/my-model'),
    script: () => [{ toolCalls: [...LOOK.toolCalls, ...LOOK.toolCalls] }, FINISH],
    shows: seen => {
      const roles = last(seen)?.body.messages.map(({ role }: { role: string }) => role)
      expect(roles.slice(-3)).toEqual(['assistant', 'tool', 'tool'])
      expect(last(seen)?.body.messages.at(-3).tool_calls).toHaveLength(2)
    },
  },
  {
    says: 'a server that does not stream is asked without it from then on',
    llm: llm('openai/my-whole-model'),
    script: () => request => ({ ...(seenMarmalade(request.body) ? FINISH : LOOK), unstreamed: true }),
    shows: seen => {
      expect(observations(seen)[0].observation.output).toContain('marmalade')
      expect(last(seen)?.stream).toBe(false)
    },
  },
  ...['deepseek-reasoner', 'kimi-k2-thinking', 'MiniMax-M2'].map(
    (name): Statement => ({
      says: `${name} gets its reasoning back with its calls`,
      llm: llm(`openai/${name}`),
      script: () => [{ ...LOOK, reasoning: 'I have to look first.' }, FINISH],
      shows: seen => {
        const said = last(seen)?.body.messages.find(({ role }: { role: string }) => role === 'assistant')
        expect(said.reasoning_content).toContain('I have to look first.')
      },
    }),
  ),
  {
    says: 'others get no field that they do not know',
    llm: llm('openai/gpt-4.1'),
    script: () => [{ ...LOOK, reasoning: 'I have to look first.' }, FINISH],
    shows: seen => expect(JSON.stringify(last(seen)?.body.messages)).not.toContain('reasoning_content'),
  },
  {
    says: 'a model that reads texts alone gets words in the place of a picture',
    llm: llm('openai/gpt-3.5-turbo'),
    script: two,
    does: [{ text: 'What is this?', picture: PICTURE }],
    shows: seen => {
      expect(JSON.stringify(seen.requests[0]?.body)).not.toContain('iVBORw0KGgo')
      expect(JSON.stringify(seen.requests[0]?.body.messages)).toMatch(/image|picture/i)
    },
  },
  {
    says: 'a model that sees gets the picture',
    llm: llm('openai/gpt-4o'),
    script: two,
    does: [{ text: 'What is this?', picture: PICTURE }],
    shows: seen => expect(JSON.stringify(seen.requests[0]?.body.messages)).toContain('iVBORw0KGgo'),
  },
  ...['deepseek-chat', 'glm-4.6'].map(
    (name): Statement => ({
      says: `${name} gets each message as one text`,
      llm: llm(`openai/${name}`),
      script: two,
      shows: seen => {
        for (const { content } of last(seen)?.body.messages ?? []) expect(typeof (content ?? '')).toBe('string')
      },
    }),
  ),
  {
    says: 'the price that a proxy tells is the cost of the answer',
    llm: llm('litellm_proxy/claude-sonnet-4-5'),
    script: () => [
      { ...LOOK, cost: 0.25 },
      { ...FINISH, cost: 0.5 },
    ],
    shows: seen => {
      const { costs, accumulated_cost } = seen.info.stats.usage_to_metrics.default
      expect(costs.map(({ cost }: { cost: number }) => cost)).toEqual([0.25, 0.5])
      expect(accumulated_cost).toBeCloseTo(0.75)
    },
  },
  {
    says: 'a price that nobody knows is none, and not nothing',
    llm: llm('openai/my-model'),
    script: two,
    shows: seen => {
      const { costs } = seen.info.stats.usage_to_metrics.default
      expect(costs.map(({ cost }: { cost: number | null }) => cost)).toEqual([null, null])
    },
  },
  {
    says: 'an empty answer is asked for again',
    llm: llm('openai/my-model'),
    script: () => [{ fault: 'empty' }, ...two()],
    shows: seen => expect(seen.info.execution_status).toBe('finished'),
  },
]

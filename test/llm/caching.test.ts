import { describe, expect } from 'vitest'
import { askText } from '../../server/llm/ask-text.ts'
import type { ModelMessage } from '../../server/llm/completion.ts'
import { it as base } from '../fixtures/base.ts'
import { ask, completeWith, KEY, modelOn, user, WIRE_NAMES } from './ask.ts'

const it = base.extend('sent', { scope: 'file' }, ({ model }) => (index = -1) => {
  return model.requests.at(index)?.body
})

const MARK = { type: 'ephemeral' }

it.beforeAll(({ model }) => model.setScript(() => ({ text: ' Fine. ' })))
it.beforeEach(({ model }) => {
  model.requests.length = 0
})

function step(name: string): ModelMessage[] {
  const call = { id: `call_${name}`, name: 'terminal', arguments: '{"command":"ls"}' }
  return [
    { role: 'assistant', text: '', reasoning: [], toolCalls: [call] },
    { role: 'tool', toolCallId: call.id, toolName: 'terminal', text: name, imageUrls: [], isError: false },
  ]
}

describe('what may change', () => {
  const request = () => ({ ...ask(), dynamicSystem: 'Today is Monday.' })

  it('stands in a block of its own after the cached one for Claude', async ({ model, sent }) => {
    await modelOn('anthropic', model)(request())
    expect(sent().system).toEqual([
      { type: 'text', text: 'You are the agent.', cache_control: MARK },
      { type: 'text', text: 'Today is Monday.' },
    ])
  })

  it.for(WIRE_NAMES)('is told over %s', async (wire, { model, sent }) => {
    await modelOn(wire, model)(request())
    expect(JSON.stringify(sent())).toMatch(/You are the agent\..*Today is Monday\./)
  })
})

describe('cache marks', () => {
  it('are on the last turn and on the one before the last answer, where the cache of the last step is', async ({
    model,
    sent,
  }) => {
    await modelOn('anthropic', model)(ask({ messages: [user('Go.'), ...step('one'), ...step('two')] }))
    const marked = sent().messages.flatMap((message: { content: { cache_control?: object; content?: string }[] }) =>
      message.content.filter(part => part.cache_control),
    )
    expect(JSON.stringify(marked)).toMatch(/one.*two/)
    expect(marked).toHaveLength(2)
  })

  it('go to Claude behind OpenRouter as parts of the message, and not to others there', async ({ model, sent }) => {
    const through = (name: string) =>
      completeWith(async () => ({ model: name, baseUrl: model.url.openai, apiKey: KEY }))(
        ask({ messages: [user('Go.'), ...step('one')] }),
      )
    await through('openrouter/anthropic/claude-sonnet-4.6')
    const [system, first, , result] = sent().messages
    expect(system.content).toEqual([{ type: 'text', text: 'You are the agent.', cache_control: MARK }])
    expect(first.content).toEqual([{ type: 'text', text: 'Go.', cache_control: MARK }])
    expect(result.content).toEqual([{ type: 'text', text: 'one', cache_control: MARK }])
    await through('openrouter/openai/gpt-5')
    expect(JSON.stringify(sent())).not.toContain('cache_control')
  })
})

describe('the cache key', () => {
  it('is the same for all steps of a conversation, and another in another', async ({ model, sent }) => {
    const complete = modelOn('responses', model)
    await complete(ask({ messages: [user('One task.')] }))
    await complete(ask({ messages: [user('One task.'), ...step('one')] }))
    await complete(ask({ messages: [user('Another task.')] }))
    const keys = model.requests.map(({ body }) => body.prompt_cache_key)
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
    expect(keys[1]).toBe(keys[0])
    expect(keys[2]).not.toBe(keys[0])
    expect(sent().prompt_cache_retention).toBe('24h')
  })

  it('goes to OpenAI alone', async ({ model, sent }) => {
    const choice = { model: 'openai/gpt-4.1', baseUrl: null, apiKey: KEY }
    await completeWith(async () => choice, { fetch: model.fetch })(ask())
    expect([model.requests[0]?.path, sent().prompt_cache_key]).toEqual(['/v1/chat/completions', expect.any(String)])
    await modelOn('openai', model)(ask())
    expect(sent().prompt_cache_key).toBeUndefined()
  })
})

describe('a plain question', () => {
  const question = { system: 'Name it.', prompt: 'A task.', signal: new AbortController().signal }

  it.for(WIRE_NAMES)('is answered with text over %s', async (wire, { model, sent }) => {
    const { text, completion } = await askText(modelOn(wire, model), question)
    expect([text, completion.usage.prompt_tokens]).toEqual(['Fine.', 100])
    expect(sent().tools).toBeUndefined()
  })

  it('that gets no answer fails', async ({ model }) => {
    model.setScript(() => ({ fault: 'empty' }))
    await expect(askText(modelOn('openai', model), question)).rejects.toMatchObject({ code: 'llm_failed' })
  })
})

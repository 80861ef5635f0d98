import { expect } from 'vitest'
import type { Completion, ModelMessage } from '../../server/llm/completion.ts'
import { it } from '../fixtures/base.ts'
import { ask, completeWith, KEY, modelOn, user } from './ask.ts'

const TURN = {
  reasoning: 'I should list the files first.',
  signature: 'proof-of-thought',
  text: 'I list the files.',
  toolCalls: [
    { id: 'call_1', name: 'terminal', arguments: { command: 'ls' } },
    { id: 'call_2', name: 'terminal', arguments: { command: 'pwd' } },
  ],
}

/** The answer as the event log gives it back: through JSON, and with only the calls that were carried out. */
function history(answer: Completion, calls = answer.toolCalls): ModelMessage[] {
  const stored: Completion = JSON.parse(JSON.stringify(answer))
  return [
    user('Go.'),
    {
      role: 'assistant',
      text: stored.text,
      reasoning: stored.reasoning,
      toolCalls: calls,
      ...(stored.providerMetadata && { providerMetadata: stored.providerMetadata }),
    },
    ...calls.map(call => {
      return {
        role: 'tool' as const,
        toolCallId: call.id,
        toolName: call.name,
        text: 'ok',
        imageUrls: [],
        isError: false,
      }
    }),
  ]
}

it('gives Claude its signed thinking back, before the text and the calls', async ({ model }) => {
  model.setScript([TURN, { text: 'Done.' }])
  const complete = modelOn('anthropic', model)
  const answer = await complete(ask())
  expect(answer.reasoning).toEqual([{ text: TURN.reasoning, signature: TURN.signature }])
  await complete(ask({ messages: history(answer) }))
  const sent = model.requests.at(-1)?.body.messages[1].content
  expect(sent.map((part: { type: string }) => part.type)).toEqual(['thinking', 'text', 'tool_use', 'tool_use'])
  expect(sent[0]).toEqual({ type: 'thinking', thinking: TURN.reasoning, signature: TURN.signature })
})

it('does so too when a later call of the answer was dropped', async ({ model }) => {
  model.setScript([TURN, { text: 'Done.' }])
  const complete = modelOn('anthropic', model)
  const answer = await complete(ask())
  await complete(ask({ messages: history(answer, answer.toolCalls.slice(0, 1)) }))
  const sent = model.requests.at(-1)?.body.messages[1].content
  expect(sent.map((part: { type: string }) => part.type)).toEqual(['thinking', 'text', 'tool_use'])
})

it('gives Gemini its thought signature back on the call that carried it', async ({ model }) => {
  model.setScript([TURN, { text: 'Done.' }])
  const complete = modelOn('gemini', model)
  const answer = await complete(ask())
  await complete(ask({ messages: history(answer) }))
  const parts = model.requests.at(-1)?.body.contents[1].parts
  const calls = parts.filter((part: object) => 'functionCall' in part)
  expect(calls.map((part: { thoughtSignature?: string }) => part.thoughtSignature)).toEqual([
    'proof-of-thought',
    undefined,
  ])
})

it('gives OpenAI its encrypted thinking back, in its place, and lets nothing be stored there', async ({ model }) => {
  model.setScript([TURN, { text: 'Done.' }])
  const complete = modelOn('responses', model)
  const answer = await complete(ask())
  expect(answer.reasoning).toEqual([{ text: TURN.reasoning }])
  await complete(ask({ messages: history(answer) }))
  const { input, store, include } = model.requests.at(-1)?.body ?? {}
  expect([store, include]).toEqual([false, ['reasoning.encrypted_content']])
  const sent = input.slice(2, 6)
  expect(sent.map((item: { type?: string; role?: string }) => item.type ?? item.role)).toEqual([
    'reasoning',
    'assistant',
    'function_call',
    'function_call',
  ])
  expect(sent[0]).toMatchObject({
    encrypted_content: 'proof-of-thought',
    summary: [{ type: 'summary_text', text: TURN.reasoning }],
  })
})

it('gives it back too where no summary of it was shown', async ({ model }) => {
  model.setScript([{ signature: 'silent-thought', toolCalls: TURN.toolCalls }, { text: 'Done.' }])
  const complete = modelOn('responses', model)
  const answer = await complete(ask())
  expect(answer.reasoning).toEqual([])
  await complete(ask({ messages: history(answer) }))
  expect(JSON.stringify(model.requests.at(-1)?.body.input)).toContain('silent-thought')
})

it('takes thinking that a server left in the text for reasoning, and gives it back as it came', async ({ model }) => {
  model.setScript([{ text: '<think>\nFirst the files.\n</think>\n\nI look.' }, { text: 'Done.' }])
  const complete = completeWith(async () => ({ model: 'ollama/qwq', baseUrl: model.origin, apiKey: null }))
  const request = ask()
  const answer = await complete(request)
  expect(answer).toMatchObject({ text: '\n\nI look.', reasoning: [{ text: '\nFirst the files.\n' }] })
  expect(request.heard.text.join('')).toBe('\n\nI look.')
  expect(request.heard.reasoning.join('')).toBe('\nFirst the files.\n')
  await complete(ask({ messages: history(answer) }))
  const sent = model.requests.at(-1)?.body.messages[2]
  expect(sent.content).toBe('<think>\nFirst the files.\n</think>\n\nI look.')
  expect(sent.reasoning_content).toBeUndefined()
})

it.for(['<thin', '<b>bold</b>', '< think', 'a <think> later'])(
  'leaves other text alone: %s',
  async (text, { model }) => {
    model.setScript([{ text }])
    const complete = completeWith(async () => ({ model: 'ollama/qwq', baseUrl: model.origin, apiKey: null }))
    expect(await complete(ask())).toMatchObject({ text, reasoning: [] })
  },
)

it('gives OpenRouter the details of the reasoning back, put together', async ({ model }) => {
  const at = { format: 'anthropic-claude-v1', index: 0 }
  model.setScript([
    {
      text: 'I look.',
      toolCalls: TURN.toolCalls,
      extra: [
        { reasoning_details: [{ type: 'reasoning.text', text: 'First ', ...at }] },
        { reasoning_details: [{ type: 'reasoning.text', text: 'the files.', ...at }] },
        { reasoning_details: [{ type: 'reasoning.text', signature: 'sealed', ...at }] },
        { reasoning_details: [{ type: 'reasoning.encrypted', data: 'opaque', format: 'x', index: 1 }] },
      ],
    },
    { text: 'Done.' },
  ])
  const choice = { model: 'openrouter/anthropic/claude-sonnet-4.6', baseUrl: model.url.openai, apiKey: KEY }
  const complete = completeWith(async () => choice)
  await complete(ask({ messages: history(await complete(ask())) }))
  expect(model.requests.at(-1)?.body.messages[2].reasoning_details).toEqual([
    { type: 'reasoning.text', text: 'First the files.', signature: 'sealed', ...at },
    { type: 'reasoning.encrypted', data: 'opaque', format: 'x', index: 1 },
  ])
})

it('gives reasoning_content back to servers that want it, and not to those that refuse it', async ({ model }) => {
  model.setScript(() => TURN)
  const sentBy = async (name: string) => {
    const complete = completeWith(async () => ({ model: name, baseUrl: model.url.openai, apiKey: KEY }))
    await complete(ask({ messages: history(await complete(ask())) }))
    return model.requests.at(-1)?.body.messages[2].reasoning_content
  }
  expect(await sentBy('deepseek/deepseek-reasoner')).toBe(TURN.reasoning)
  expect(await sentBy('ollama/qwen3')).toBe(TURN.reasoning)
  expect(await sentBy('openai/kimi-k2-thinking')).toBe(TURN.reasoning)
  expect(await sentBy('openai/MiniMax-M2')).toBe(TURN.reasoning)
  expect(await sentBy('groq/openai/gpt-oss-120b')).toBeUndefined()
  expect(await sentBy('openai/gpt-5')).toBeUndefined()
})

it('does not show one provider the proofs of another when the model is changed', async ({ model }) => {
  model.setScript(() => TURN)
  const answer = await modelOn('anthropic', model)(ask())
  for (const wire of ['openai', 'responses', 'gemini'] as const) {
    await modelOn(wire, model)(ask({ messages: history(answer) }))
    const sent = JSON.stringify(model.requests.at(-1)?.body)
    expect(sent).not.toContain(TURN.signature)
    expect(sent).toContain(TURN.text)
  }
})

it('makes the ids of earlier calls acceptable to a stricter provider, calls and results alike', async ({ model }) => {
  model.setScript([{ text: 'Fine.' }])
  const call = { id: 'functions.terminal:0', name: 'terminal', arguments: '{}' }
  const messages = history({ toolCalls: [call], text: '', reasoning: [] } as unknown as Completion)
  await completeWith(async () => ({ model: 'mistral/x', baseUrl: model.url.openai, apiKey: KEY }))(ask({ messages }))
  const [, , assistant, result] = model.requests.at(-1)?.body.messages ?? []
  expect(assistant.tool_calls[0].id).toMatch(/^[a-z0-9]{9}$/)
  expect(result.tool_call_id).toBe(assistant.tool_calls[0].id)
})

import { describe, expect } from 'vitest'
import type { CompletionRequest } from '../../server/llm/completion.ts'
import type { WireName } from '../fakes/model-server/turn.ts'
import { startModelServer } from '../fakes/model-server.ts'
import { it as base } from '../fixtures/base.ts'
import { ask, choiceFor, completeWith, KEY, modelOn, TERMINAL, user, WIRE_NAMES } from './ask.ts'

const it = base
  .extend('complete', { scope: 'file' }, ({ model }) => (wire: WireName, request: CompletionRequest) => {
    return modelOn(wire, model, { retry: { baseMs: 1 } })(request)
  })
  .extend('lastBody', { scope: 'file' }, ({ model }) => () => {
    return model.requests.at(-1)?.body
  })

describe.each(WIRE_NAMES)('a model that speaks %s', wire => {
  it('answers with text that was streamed piece by piece', async ({ model, complete }) => {
    model.setScript([{ text: 'The test is fixed now, all is well.' }])
    const request = ask()
    const answer = await complete(wire, request)
    expect(answer).toMatchObject({ text: 'The test is fixed now, all is well.', finishReason: 'stop', toolCalls: [] })
    expect(request.heard.text.length).toBeGreaterThan(1)
    expect(request.heard.text.join('')).toBe(answer.text)
  })

  it('calls tools in parallel, in order and with the arguments as written', async ({ model, complete }) => {
    const toolCalls = [
      { id: 'call_one', name: 'terminal', arguments: { command: 'ls "a b"', timeout: 3 } },
      { id: 'call_two', name: 'terminal', arguments: { command: 'printf "ü\\n"', paths: ['x'] } },
    ]
    model.setScript([{ text: 'I look.', toolCalls }])
    const answer = await complete(wire, ask())
    expect(answer.finishReason).toBe('tool-calls')
    expect(answer.text).toBe('I look.')
    expect(answer.toolCalls.map(call => ({ ...call, arguments: JSON.parse(call.arguments) }))).toEqual(toolCalls)
  })

  it('is told of the tools with their JSON schema', async ({ model, complete, lastBody }) => {
    model.setScript([{ text: 'Fine.' }])
    await complete(wire, ask())
    const text = JSON.stringify(lastBody().tools)
    expect(text).toContain('"terminal"')
    expect(text).toContain('What to run')
    expect(text).not.toContain('$schema')
  })

  it('asks without tools when there are none', async ({ model, complete, lastBody }) => {
    model.setScript([{ text: 'Fine.' }])
    await complete(wire, ask({ tools: [] }))
    expect(lastBody().tools).toBeUndefined()
  })

  it('counts tokens, cached ones too', async ({ model, complete }) => {
    model.setScript([{ text: 'Fine.', usage: { input: 1000, output: 50, cacheRead: 600 } }])
    const { usage, responseId } = await complete(wire, ask())
    expect(usage).toMatchObject({
      prompt_tokens: 1000,
      completion_tokens: 50,
      cache_read_tokens: 600,
      per_turn_token: 1050,
      response_id: responseId,
    })
  })

  it('costs what its server reports, and otherwise an unknown sum', async ({ model, complete }) => {
    model.setScript([{ text: 'Fine.', cost: 0.25 }, { text: 'Fine.' }])
    expect((await complete(wire, ask())).cost).toBe(0.25)
    const unreported = (await complete(wire, ask())).cost
    if (wire === 'responses') expect(unreported).toBeGreaterThan(0)
    else expect(unreported).toBeNull()
  })

  it('tells two answers apart although the server repeats its ids', async () => {
    const other = await startModelServer({ script: () => ({ text: 'Same.' }) })
    const again = modelOn(wire, other)
    const first = await again(ask())
    other.requests.length = 0
    const second = await again(ask())
    expect(first.responseId).not.toBe(second.responseId)
    await other.close()
  })

  it('shows its reasoning', async ({ model, complete }) => {
    model.setScript([{ reasoning: 'First I read the test, then I run it.', text: 'Done.' }])
    const request = ask()
    const answer = await complete(wire, request)
    expect(answer.reasoning.map(part => part.text)).toEqual(['First I read the test, then I run it.'])
    expect(request.heard.reasoning.join('')).toBe('First I read the test, then I run it.')
    expect(answer.text).toBe('Done.')
  })

  it('gets the results of its calls, errors marked, and what the user said after them', async ({
    model,
    complete,
    lastBody,
  }) => {
    model.setScript([{ text: 'Thanks.' }])
    await complete(
      wire,
      ask({
        messages: [
          user('Go.'),
          {
            role: 'assistant',
            text: 'Two calls.',
            reasoning: [],
            toolCalls: [
              { id: 'call_1', name: 'terminal', arguments: '{"command":"ls"}' },
              { id: 'call_2', name: 'terminal', arguments: '{"command": broken' },
            ],
          },
          { role: 'tool', toolCallId: 'call_1', toolName: 'terminal', text: 'a.txt', imageUrls: [], isError: false },
          { role: 'tool', toolCallId: 'call_2', toolName: 'terminal', text: 'No JSON.', imageUrls: [], isError: true },
          user('Also look at b.txt.'),
        ],
      }),
    )
    const text = JSON.stringify(lastBody())
    for (const piece of ['a.txt', 'No JSON.', 'Also look at b.txt.', 'Two calls.']) expect(text).toContain(piece)
    expect(text).not.toContain('broken')
  })

  it('sees images of the user and of tools', async ({ model, complete, lastBody }) => {
    model.setScript([{ text: 'A cat.' }])
    const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk'
    const image = `data:image/png;base64,${pixel}`
    await complete(
      wire,
      ask({
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: 'What is it?' },
              { type: 'image', url: image },
            ],
          },
          {
            role: 'assistant',
            text: '',
            reasoning: [],
            toolCalls: [{ id: 'call_1', name: 'terminal', arguments: '{"command":"shot"}' }],
          },
          { role: 'tool', toolCallId: 'call_1', toolName: 'terminal', text: '', imageUrls: [image], isError: false },
        ],
      }),
    )
    expect(JSON.stringify(lastBody()).split(pixel)).toHaveLength(3)
  })

  it('stops within moments when the caller aborts in the middle of an answer', async ({ model, complete }) => {
    model.setScript([{ text: 'This goes on and on and on.', fault: 'hang-in-stream' }])
    const stop = new AbortController()
    const reason = new Error('The user pressed stop')
    const request = ask({ signal: stop.signal })
    const index = model.requests.length
    const running = complete(wire, { ...request, onDelta: () => stop.abort(reason) })
    await expect(running).rejects.toBe(reason)
    await (await model.request(index)).closed
  })

  it('stops when the caller aborts before the first word', async ({ model, complete }) => {
    model.setScript([{ fault: 'hang' }])
    const stop = new AbortController()
    const index = model.requests.length
    const running = complete(wire, ask({ signal: stop.signal }))
    const asked = await model.request(index)
    stop.abort()
    await expect(running).rejects.toMatchObject({ name: 'AbortError' })
    await asked.closed
  })

  it('asks nobody when aborted beforehand', async ({ model, complete }) => {
    const before = model.requests.length
    await expect(complete(wire, ask({ signal: AbortSignal.abort() }))).rejects.toMatchObject({ name: 'AbortError' })
    expect(model.requests).toHaveLength(before)
  })

  it('is asked to go on when the last word was its own', async ({ model, complete, lastBody }) => {
    model.setScript([{ text: 'Fine.' }])
    await complete(
      wire,
      ask({ messages: [user('Go.'), { role: 'assistant', text: 'Done.', reasoning: [], toolCalls: [] }] }),
    )
    expect(JSON.stringify(lastBody().messages ?? lastBody().contents ?? lastBody().input)).toMatch(/Done\..*Go on\./)
  })

  it('says that an answer was cut at the output limit', async ({ model, complete }) => {
    model.setScript([{ text: 'Half of', finish: 'length' }])
    expect(await complete(wire, ask())).toMatchObject({ text: 'Half of', finishReason: 'length' })
  })

  it('says that the conversation is too long when there was no room for one word', async ({ model, complete }) => {
    model.setScript([{ finish: 'length', usage: { output: 0 } }])
    await expect(complete(wire, ask())).rejects.toMatchObject({ code: 'llm_context_exceeded' })
  })

  it('hands a properly finished empty answer on: the loop decides about it', async ({ model, complete }) => {
    model.setScript([{ fault: 'empty' }])
    expect(await complete(wire, ask())).toMatchObject({ text: '', toolCalls: [], finishReason: 'stop' })
  })
})

describe('what each provider is sent', () => {
  it('keeps malformed arguments as the model wrote them', async ({ model }) => {
    for (const wire of ['openai', 'anthropic'] as const) {
      model.setScript([{ toolCalls: [{ name: 'terminal', arguments: '{"command": "ls", }' }] }])
      const answer = await modelOn(wire, model)(ask())
      expect(answer.toolCalls[0]?.arguments).toBe('{"command": "ls", }')
    }
  })

  it('marks what Anthropic shall cache: the system prompt and the newest user or tool message', async ({ model }) => {
    model.setScript([{ text: 'Fine.' }])
    await modelOn('anthropic', model)(ask({ messages: [user('One.'), user('Two.')] }))
    const { system, messages } = model.requests.at(-1)?.body ?? {}
    expect(system[0].cache_control).toEqual({ type: 'ephemeral' })
    expect(JSON.stringify(messages).split('cache_control')).toHaveLength(2)
    expect(messages.at(-1).content.at(-1)).toMatchObject({ text: 'Two.', cache_control: { type: 'ephemeral' } })
  })

  it('puts the results of parallel calls into one message for Anthropic and Gemini', async ({ model }) => {
    const toolCalls = ['1', '2'].map(id => ({ id, name: 'terminal', arguments: '{}' }))
    const results = toolCalls.map(({ id, name }) => {
      return { role: 'tool' as const, toolCallId: id, toolName: name, text: id, imageUrls: [], isError: id === '2' }
    })
    const messages = [user('Go.'), { role: 'assistant' as const, text: '', reasoning: [], toolCalls }, ...results]
    model.setScript([{ text: 'Fine.' }, { text: 'Fine.' }])
    await modelOn('anthropic', model)(ask({ messages }))
    const anthropic = model.requests.at(-1)?.body.messages
    expect(anthropic.map((message: { role: string }) => message.role)).toEqual(['user', 'assistant', 'user'])
    expect(anthropic[2].content.map((part: { is_error?: boolean }) => part.is_error)).toEqual([undefined, true])
    await modelOn('gemini', model)(ask({ messages }))
    expect(model.requests.at(-1)?.body.contents.at(-1).parts).toHaveLength(2)
  })

  it('asks Claude to think, and Gemini to show its thoughts', async ({ model }) => {
    model.setScript([{ text: 'Fine.' }, { text: 'Fine.' }])
    await modelOn('anthropic', model)(ask())
    expect(model.requests.at(-1)?.body.thinking).toEqual({ type: 'adaptive', display: 'summarized' })
    await modelOn('gemini', model)(ask())
    expect(model.requests.at(-1)?.body.generationConfig.thinkingConfig).toEqual({ includeThoughts: true })
  })

  it('sends the key only in the header of its provider', async ({ model }) => {
    const headers = {
      openai: 'authorization',
      responses: 'authorization',
      anthropic: 'x-api-key',
      gemini: 'x-goog-api-key',
    }
    for (const wire of WIRE_NAMES) {
      model.setScript([{ text: 'Fine.' }])
      await modelOn(wire, model)(ask())
      const request = model.requests.at(-1)
      const { [headers[wire]]: sent, ...others } = request?.headers ?? {}
      expect(sent).toContain(KEY)
      expect(JSON.stringify([others, request?.body, request?.path])).not.toContain(KEY)
    }
  })

  it('has its price at its public address', async ({ model }) => {
    for (const wire of WIRE_NAMES) {
      const { model: name, apiKey } = choiceFor(wire, model)
      model.setScript([{ text: 'Fine.', usage: { input: 1000, output: 100 } }])
      const complete = completeWith(async () => ({ model: name, baseUrl: null, apiKey }), { fetch: model.fetch })
      const { cost, usage } = await complete(ask())
      expect(cost).toBeGreaterThan(0.0005)
      expect(usage.context_window).toBeGreaterThan(100_000)
    }
  })

  it('looks the key and the model up anew for each answer', async ({ model }) => {
    const keys = ['first-key', 'second-key']
    const complete = completeWith(async () => ({ ...choiceFor('openai', model), apiKey: keys.shift() ?? null }))
    model.setScript(() => ({ text: 'Fine.' }))
    await complete(ask())
    await complete(ask())
    const sent = model.requests.slice(-2).map(request => request.headers.authorization)
    expect(sent).toEqual(['Bearer first-key', 'Bearer second-key'])
  })

  it('needs no key for a local server and sends none', async ({ model }) => {
    model.setScript([{ text: 'Fine.' }])
    const choice = { model: 'ollama/qwen3-coder', baseUrl: model.origin, apiKey: null }
    await completeWith(async () => choice)(ask({ tools: [TERMINAL] }))
    const request = model.requests.at(-1)
    expect(request).toMatchObject({ path: '/v1/chat/completions', model: 'qwen3-coder' })
    expect(request?.headers.authorization).toBeUndefined()
  })
})

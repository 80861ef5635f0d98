import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Complete } from '../../server/llm/completion.ts'
import { type ModelServer, startModelServer } from '../fakes/model-server.ts'
import { ask, choiceFor, completeWith, KEY, modelOn, TERMINAL, user, WIRE_NAMES } from './ask.ts'

let server: ModelServer

beforeAll(async () => {
  server = await startModelServer()
})
afterAll(() => server.close())

describe.each(WIRE_NAMES)('a model that speaks %s', wire => {
  const complete: Complete = request => modelOn(wire, server, { retry: { baseMs: 1 } })(request)
  const lastBody = () => server.requests.at(-1)?.body

  it('answers with text that was streamed piece by piece', async () => {
    server.setScript([{ text: 'The test is fixed now, all is well.' }])
    const request = ask()
    const answer = await complete(request)
    expect(answer).toMatchObject({ text: 'The test is fixed now, all is well.', finishReason: 'stop', toolCalls: [] })
    expect(request.heard.text.length).toBeGreaterThan(1)
    expect(request.heard.text.join('')).toBe(answer.text)
  })

  it('calls tools in parallel, in order and with the arguments as written', async () => {
    const toolCalls = [
      { id: 'call_one', name: 'terminal', arguments: { command: 'ls "a b"', timeout: 3 } },
      { id: 'call_two', name: 'terminal', arguments: { command: 'printf "ü\\n"', paths: ['x'] } },
    ]
    server.setScript([{ text: 'I look.', toolCalls }])
    const answer = await complete(ask())
    expect(answer.finishReason).toBe('tool-calls')
    expect(answer.text).toBe('I look.')
    expect(answer.toolCalls.map(call => ({ ...call, arguments: JSON.parse(call.arguments) }))).toEqual(toolCalls)
  })

  it('is told of the tools with their JSON schema', async () => {
    server.setScript([{ text: 'Fine.' }])
    await complete(ask())
    const text = JSON.stringify(lastBody().tools)
    expect(text).toContain('"terminal"')
    expect(text).toContain('What to run')
    expect(text).not.toContain('$schema')
  })

  it('asks without tools when there are none', async () => {
    server.setScript([{ text: 'Fine.' }])
    await complete(ask({ tools: [] }))
    expect(lastBody().tools).toBeUndefined()
  })

  it('counts tokens, cached ones too', async () => {
    server.setScript([{ text: 'Fine.', usage: { input: 1000, output: 50, cacheRead: 600 } }])
    const { usage, responseId } = await complete(ask())
    expect(usage).toMatchObject({
      prompt_tokens: 1000,
      completion_tokens: 50,
      cache_read_tokens: 600,
      per_turn_token: 1050,
      response_id: responseId,
    })
  })

  it('costs what its server reports, and otherwise an unknown sum', async () => {
    server.setScript([{ text: 'Fine.', cost: 0.25 }, { text: 'Fine.' }])
    expect((await complete(ask())).cost).toBe(0.25)
    const unreported = (await complete(ask())).cost
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

  it('shows its reasoning', async () => {
    server.setScript([{ reasoning: 'First I read the test, then I run it.', text: 'Done.' }])
    const request = ask()
    const answer = await complete(request)
    expect(answer.reasoning.map(part => part.text)).toEqual(['First I read the test, then I run it.'])
    expect(request.heard.reasoning.join('')).toBe('First I read the test, then I run it.')
    expect(answer.text).toBe('Done.')
  })

  it('gets the results of its calls, errors marked, and what the user said after them', async () => {
    server.setScript([{ text: 'Thanks.' }])
    await complete(
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

  it('sees images of the user and of tools', async () => {
    server.setScript([{ text: 'A cat.' }])
    const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk'
    const image = `data:image/png;base64,${pixel}`
    await complete(
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

  it('stops within moments when the caller aborts in the middle of an answer', async () => {
    server.setScript([{ text: 'This goes on and on and on.', fault: 'hang-in-stream' }])
    const stop = new AbortController()
    const reason = new Error('The user pressed stop')
    const request = ask({ signal: stop.signal })
    const index = server.requests.length
    const running = complete({ ...request, onDelta: () => stop.abort(reason) })
    await expect(running).rejects.toBe(reason)
    await (await server.request(index)).closed
  })

  it('stops when the caller aborts before the first word', async () => {
    server.setScript([{ fault: 'hang' }])
    const stop = new AbortController()
    const index = server.requests.length
    const running = complete(ask({ signal: stop.signal }))
    const asked = await server.request(index)
    stop.abort()
    await expect(running).rejects.toMatchObject({ name: 'AbortError' })
    await asked.closed
  })

  it('asks nobody when aborted beforehand', async () => {
    const before = server.requests.length
    await expect(complete(ask({ signal: AbortSignal.abort() }))).rejects.toMatchObject({ name: 'AbortError' })
    expect(server.requests).toHaveLength(before)
  })

  it('is asked to go on when the last word was its own', async () => {
    server.setScript([{ text: 'Fine.' }])
    await complete(ask({ messages: [user('Go.'), { role: 'assistant', text: 'Done.', reasoning: [], toolCalls: [] }] }))
    expect(JSON.stringify(lastBody().messages ?? lastBody().contents ?? lastBody().input)).toMatch(/Done\..*Go on\./)
  })

  it('says that an answer was cut at the output limit', async () => {
    server.setScript([{ text: 'Half of', finish: 'length' }])
    expect(await complete(ask())).toMatchObject({ text: 'Half of', finishReason: 'length' })
  })

  it('says that the conversation is too long when there was no room for one word', async () => {
    server.setScript([{ finish: 'length', usage: { output: 0 } }])
    await expect(complete(ask())).rejects.toMatchObject({ code: 'llm_context_exceeded' })
  })

  it('hands a properly finished empty answer on: the loop decides about it', async () => {
    server.setScript([{ fault: 'empty' }])
    expect(await complete(ask())).toMatchObject({ text: '', toolCalls: [], finishReason: 'stop' })
  })
})

describe('what each provider is sent', () => {
  it('keeps malformed arguments as the model wrote them', async () => {
    for (const wire of ['openai', 'anthropic'] as const) {
      server.setScript([{ toolCalls: [{ name: 'terminal', arguments: '{"command": "ls", }' }] }])
      const answer = await modelOn(wire, server)(ask())
      expect(answer.toolCalls[0]?.arguments).toBe('{"command": "ls", }')
    }
  })

  it('marks what Anthropic shall cache: the system prompt and the newest user or tool message', async () => {
    server.setScript([{ text: 'Fine.' }])
    await modelOn('anthropic', server)(ask({ messages: [user('One.'), user('Two.')] }))
    const { system, messages } = server.requests.at(-1)?.body ?? {}
    expect(system[0].cache_control).toEqual({ type: 'ephemeral' })
    expect(JSON.stringify(messages).split('cache_control')).toHaveLength(2)
    expect(messages.at(-1).content.at(-1)).toMatchObject({ text: 'Two.', cache_control: { type: 'ephemeral' } })
  })

  it('puts the results of parallel calls into one message for Anthropic and Gemini', async () => {
    const toolCalls = ['1', '2'].map(id => ({ id, name: 'terminal', arguments: '{}' }))
    const results = toolCalls.map(({ id, name }) => {
      return { role: 'tool' as const, toolCallId: id, toolName: name, text: id, imageUrls: [], isError: id === '2' }
    })
    const messages = [user('Go.'), { role: 'assistant' as const, text: '', reasoning: [], toolCalls }, ...results]
    server.setScript([{ text: 'Fine.' }, { text: 'Fine.' }])
    await modelOn('anthropic', server)(ask({ messages }))
    const anthropic = server.requests.at(-1)?.body.messages
    expect(anthropic.map((message: { role: string }) => message.role)).toEqual(['user', 'assistant', 'user'])
    expect(anthropic[2].content.map((part: { is_error?: boolean }) => part.is_error)).toEqual([undefined, true])
    await modelOn('gemini', server)(ask({ messages }))
    expect(server.requests.at(-1)?.body.contents.at(-1).parts).toHaveLength(2)
  })

  it('asks Claude to think, and Gemini to show its thoughts', async () => {
    server.setScript([{ text: 'Fine.' }, { text: 'Fine.' }])
    await modelOn('anthropic', server)(ask())
    expect(server.requests.at(-1)?.body.thinking).toEqual({ type: 'adaptive', display: 'summarized' })
    await modelOn('gemini', server)(ask())
    expect(server.requests.at(-1)?.body.generationConfig.thinkingConfig).toEqual({ includeThoughts: true })
  })

  it('sends the key only in the header of its provider', async () => {
    const headers = {
      openai: 'authorization',
      responses: 'authorization',
      anthropic: 'x-api-key',
      gemini: 'x-goog-api-key',
    }
    for (const wire of WIRE_NAMES) {
      server.setScript([{ text: 'Fine.' }])
      await modelOn(wire, server)(ask())
      const request = server.requests.at(-1)
      const { [headers[wire]]: sent, ...others } = request?.headers ?? {}
      expect(sent).toContain(KEY)
      expect(JSON.stringify([others, request?.body, request?.path])).not.toContain(KEY)
    }
  })

  it('has its price at its public address', async () => {
    for (const wire of WIRE_NAMES) {
      const { model, apiKey } = choiceFor(wire, server)
      server.setScript([{ text: 'Fine.', usage: { input: 1000, output: 100 } }])
      const complete = completeWith(async () => ({ model, baseUrl: null, apiKey }), { fetch: server.fetch })
      const { cost, usage } = await complete(ask())
      expect(cost).toBeGreaterThan(0.0005)
      expect(usage.context_window).toBeGreaterThan(100_000)
    }
  })

  it('looks the key and the model up anew for each answer', async () => {
    const keys = ['first-key', 'second-key']
    const complete = completeWith(async () => ({ ...choiceFor('openai', server), apiKey: keys.shift() ?? null }))
    server.setScript(() => ({ text: 'Fine.' }))
    await complete(ask())
    await complete(ask())
    const sent = server.requests.slice(-2).map(request => request.headers.authorization)
    expect(sent).toEqual(['Bearer first-key', 'Bearer second-key'])
  })

  it('needs no key for a local server and sends none', async () => {
    server.setScript([{ text: 'Fine.' }])
    const choice = { model: 'ollama/qwen3-coder', baseUrl: server.origin, apiKey: null }
    await completeWith(async () => choice)(ask({ tools: [TERMINAL] }))
    const request = server.requests.at(-1)
    expect(request).toMatchObject({ path: '/v1/chat/completions', model: 'qwen3-coder' })
    expect(request?.headers.authorization).toBeUndefined()
  })
})

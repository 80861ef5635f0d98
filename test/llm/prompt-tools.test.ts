import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Completion, ModelMessage } from '../../server/llm/completion.ts'
import { createMarkupFilter, readPromptCalls } from '../../server/llm/prompt/calls.ts'
import { withPromptTools } from '../../server/llm/prompt/tools.ts'
import { type ModelServer, startModelServer } from '../fakes/model-server.ts'
import { ask, completeWith, TERMINAL, user } from './ask.ts'
import { PROMPT_CASES } from './data/prompt-calls.ts'

const read = (text: string, finishReason: Completion['finishReason'] = 'stop') =>
  readPromptCalls<Pick<Completion, 'text' | 'toolCalls' | 'finishReason'>>({ text, toolCalls: [], finishReason }, [
    TERMINAL,
  ])

describe('reading the calls out of an answer', () => {
  it.each(PROMPT_CASES)('$what', ({ text, thought, calls, cut }) => {
    const finishReason = cut ? ('length' as const) : ('stop' as const)
    const answer = read(text, finishReason)
    expect(answer.text).toBe(thought)
    expect(answer.toolCalls.map(call => [call.name, JSON.parse(call.arguments)])).toEqual(calls)
    expect(answer.finishReason).toBe(calls.length > 0 ? 'tool-calls' : finishReason)
  })

  it('gives every call an id of its own', () => {
    const text = '<function=a></function><function=a></function>'
    const { toolCalls } = read(text)
    expect(new Set(toolCalls.map(call => call.id)).size).toBe(2)
  })

  it('finds what was written, whatever the values hold', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer(), (command, timeout) => {
        fc.pre(!/<\/?(parameter|function)|^\r?\n|\r?\n$/.test(command))
        const call = { id: '1', name: 'terminal', arguments: JSON.stringify({ command, timeout }) }
        const history: ModelMessage[] = [{ role: 'assistant', text: '', reasoning: [], toolCalls: [call] }]
        const [message] = withPromptTools(ask({ messages: history })).messages
        const text = message?.role === 'assistant' ? message.text : ''
        expect(read(text).toolCalls.map(one => JSON.parse(one.arguments))).toEqual([{ command, timeout }])
      }),
    )
  })

  it('ends on any text', () => {
    const piece = fc.constantFrom(
      '<function=',
      'terminal>',
      '<parameter=',
      'command>',
      '</parameter>',
      '</function>',
      '{',
      '}',
      '\n',
      'x',
      '<tool_call>',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), pieces => {
        read(pieces.join(''))
      }),
    )
  })
})

it('people never see the markup, wherever the stream is cut', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), fc.boolean(), (sizes, called) => {
      const thought = 'Is 1 < 2 <fun? I look.\n'
      const text = called ? `${thought}<function=terminal><parameter=command>ls</parameter>` : thought
      let shown = ''
      const filter = createMarkupFilter(piece => {
        shown += piece
      })
      for (let at = 0, index = 0; at < text.length; index++) {
        const size = sizes[index % sizes.length] ?? 1
        filter.push(text.slice(at, at + size))
        at += size
      }
      filter.end()
      expect(shown).toBe(thought)
    }),
  )
})

describe('a model without tool calling', () => {
  let server: ModelServer
  beforeAll(async () => {
    server = await startModelServer()
  })
  beforeEach(() => {
    server.requests.length = 0
  })
  afterAll(() => server.close())

  const complete = (model: string) => completeWith(async () => ({ model, baseUrl: server.origin, apiKey: null }))

  it('is told of the tools in words, and calls them in words', async () => {
    server.setScript([{ text: 'I look.\n<function=terminal>\n<parameter=command>ls</parameter>\n' }])
    const request = ask()
    const answer = await complete('ollama/codellama')(request)
    expect(answer).toMatchObject({
      text: 'I look.',
      finishReason: 'tool-calls',
      toolCalls: [{ name: 'terminal', arguments: '{"command":"ls"}' }],
    })
    expect(request.heard.text.join('').trim()).toBe('I look.')
    const { messages, tools, stop } = server.requests[0]?.body ?? {}
    expect([tools, stop]).toEqual([undefined, ['</function']])
    expect(messages[0].content).toMatch(
      /You are the agent\.[\s\S]*## terminal[\s\S]*- command \(string, required\): What to run/,
    )
  })

  it('hears the results as words of the user, in turns', async () => {
    server.setScript([{ text: 'Thanks.' }])
    const toolCalls = ['ls', 'pwd'].map((command, index) => ({
      id: `call_${index}`,
      name: 'terminal',
      arguments: JSON.stringify({ command }),
    }))
    const results = toolCalls.map(({ id, name }) => {
      return {
        role: 'tool' as const,
        toolCallId: id,
        toolName: name,
        text: `out of ${id}`,
        imageUrls: [],
        isError: false,
      }
    })
    const assistant = { role: 'assistant' as const, text: 'Two.', reasoning: [], toolCalls }
    await complete('ollama/codellama')(ask({ messages: [user('Go.'), assistant, ...results, user('Well?')] }))
    const [, first, called, heard] = server.requests[0]?.body.messages ?? []
    expect([first.role, called.role, heard.role]).toEqual(['user', 'assistant', 'user'])
    expect(called.content).toContain('<function=terminal>\n<parameter=command>pwd</parameter>\n</function>')
    expect(heard.content).toBe(
      'EXECUTION RESULT of [terminal]:\nout of call_0\n\nEXECUTION RESULT of [terminal]:\nout of call_1\n\nWell?',
    )
  })

  it('is noticed by what its server says', async () => {
    server.setScript([
      { refusal: { status: 400, message: 'registry.ollama.ai/library/x does not support tools' } },
      { text: '<function=terminal>\n<parameter=command>ls</parameter>\n' },
    ])
    const answer = await complete('ollama/x')(ask())
    expect(answer.toolCalls.map(call => call.name)).toEqual(['terminal'])
    expect(server.requests).toHaveLength(2)
  })

  it('answers without a stop word where none is taken', async () => {
    server.setScript([
      { refusal: { status: 400, message: "Unsupported parameter: 'stop' is not supported with this model." } },
      { text: 'Fine.' },
    ])
    expect((await complete('ollama/codellama')(ask())).text).toBe('Fine.')
    expect(server.requests.map(({ body }) => body.stop)).toEqual([['</function'], undefined])
  })
})

import { describe, expect } from 'vitest'
import { ModelMemory } from '../../server/llm/answer/stream.ts'
import { it } from '../fixtures/base.ts'
import { ask, modelOn, WIRE_NAMES } from './ask.ts'

it.beforeEach(({ model }) => {
  model.requests.length = 0
})

const ANSWER = {
  reasoning: 'I look first.',
  signature: 'proof',
  text: 'I run it.',
  toolCalls: [{ name: 'terminal', arguments: { command: 'ls' } }],
  usage: { input: 500, output: 40 },
}

describe.each(WIRE_NAMES)('on the wire of %s', wire => {
  it('a server that answers whole is read like one that streams, and asked so from then on', async ({ model }) => {
    const memory = new ModelMemory()
    const complete = modelOn(wire, model, { memory, retry: { attempts: 1 } })
    model.setScript([ANSWER, ...Array(3).fill({ ...ANSWER, unstreamed: true })])
    const streamed = await complete(ask())
    const request = ask()
    const whole = await complete(request)
    const again = await complete(ask())
    expect(model.requests.map(({ stream }) => stream)).toEqual([true, true, false, false])
    for (const answer of [whole, again]) {
      const { responseId: _, latencyMs: __, toolCalls, usage, providerMetadata: ___, ...rest } = answer
      expect(rest).toEqual({ ...rest, text: streamed.text, reasoning: streamed.reasoning, finishReason: 'tool-calls' })
      expect(toolCalls).toMatchObject([{ name: 'terminal', arguments: '{"command":"ls"}' }])
      expect(usage).toMatchObject({ prompt_tokens: 500, completion_tokens: streamed.usage.completion_tokens })
      // Lengths, ids and proofs, wherever the provider attaches them.
      expect(JSON.stringify(answer.providerMetadata ?? null).includes('proof')).toBe(
        JSON.stringify(streamed.providerMetadata ?? null).includes('proof'),
      )
    }
    expect(request.heard).toMatchObject({ retries: [] })
    expect(request.heard.text.join('')).toBe('I run it.')
  })

  it.for([
    'Your organization must be verified to stream this model. Please go to: https://platform.openai.com/settings',
    'Streaming is not supported by this deployment.',
    'This model does not support streaming',
    "Unsupported value: 'stream' does not support true with this model.",
  ])('one that refuses to stream is asked without: %s', async (message, { model }) => {
    model.setScript([{ refusal: { status: 400, message } }, { text: 'Fine.' }])
    const answer = await modelOn(wire, model, { retry: { attempts: 1 } })(ask())
    expect(answer.text).toBe('Fine.')
    expect(model.requests.map(({ stream }) => stream)).toEqual([true, false])
  })

  it('an error that comes as if it were an answer is no reason to give up streaming', async ({ model }) => {
    const memory = new ModelMemory()
    const complete = modelOn(wire, model, { memory, retry: { attempts: 1 } })
    const said = { error: { message: 'The engine is warming up.', type: 'server_error', code: 503 } }
    model.setScript([{ body: said }, { body: said }, { text: 'Fine.' }])
    await expect(complete(ask())).rejects.toMatchObject({
      code: expect.stringMatching(/^llm_(unavailable|incomplete|overloaded|failed|unreachable)/),
    })
    expect((await complete(ask())).text).toBe('Fine.')
    expect(model.requests.map(({ stream }) => stream)).toEqual([true, false, true])
  })

  it('nor is a stream that breaks off', async ({ model }) => {
    model.setScript([{ ...ANSWER, fault: 'half-closed' }, { text: 'Fine.' }])
    await modelOn(wire, model, { retry: { attempts: 2, baseMs: 1 } })(ask())
    expect(model.requests.map(({ stream }) => stream)).toEqual([true, true])
  })
})

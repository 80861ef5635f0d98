import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ModelMemory } from '../../server/llm/answer/stream.ts'
import type { Turn } from '../fakes/model-server/turn.ts'
import { type ModelServer, startModelServer } from '../fakes/model-server.ts'
import { ask, choiceFor, completeWith, KEY } from './ask.ts'

let first: ModelServer
let second: ModelServer

beforeAll(async () => {
  first = await startModelServer()
  second = await startModelServer({ script: () => ({ text: 'From the fallback.', cost: 0.5 }) })
})
beforeEach(() => {
  first.requests.length = 0
  second.requests.length = 0
})
afterAll(() => Promise.all([first.close(), second.close()]))

const FALLBACK_KEY = 'sk-fallback-0123456789'

function complete(turn: Turn, memory = new ModelMemory()) {
  first.setScript(() => turn)
  return completeWith(async () => choiceFor('openai', first), {
    fallback: async () => ({
      model: 'anthropic/claude-haiku-4-5',
      baseUrl: second.url.anthropic,
      apiKey: FALLBACK_KEY,
      namedBy: 'person',
    }),
    retry: { attempts: 3, baseMs: 1 },
    memory,
  })
}

describe('while the chosen model is down', () => {
  it.each(['overloaded', 'server-error', 'refused', 'rate-limit', 'half-closed'] as const)(
    '(%s) the fallback answers, after all retries',
    async fault => {
      const request = ask()
      const answer = await complete({ fault, text: 'Half an answer', retryAfter: 0 })(request)
      expect(answer).toMatchObject({ text: 'From the fallback.', cost: 0.5, usage: { model: 'claude-haiku-4-5' } })
      expect([first.requests.length, second.requests.length]).toEqual([3, 1])
      expect(request.heard.fallbacks).toEqual([
        {
          from: 'openai/gpt-5',
          to: 'anthropic/claude-haiku-4-5',
          reason: expect.stringMatching(/OpenAI|127\.0\.0\.1/),
        },
      ])
    },
  )

  it('the next answer comes from the fallback at once', async () => {
    const memory = new ModelMemory()
    await complete({ fault: 'overloaded' }, memory)(ask())
    const request = ask()
    await complete({ fault: 'overloaded' }, memory)(request)
    expect([first.requests.length, second.requests.length]).toEqual([3, 2])
    expect(request.heard.fallbacks[0]?.reason).toBe('openai/gpt-5 was down a short while ago.')
  })

  it('and the fallback too, both are named, and the chosen one is tried', async () => {
    second.setScript(() => ({ fault: 'authentication' }))
    const memory = new ModelMemory()
    for (let time = 1; time <= 2; time++) {
      const failed = complete({ fault: 'overloaded' }, memory)(ask())
      await expect(failed).rejects.toMatchObject({
        code: 'llm_failed',
        message: expect.stringMatching(
          /OpenAI is overloaded.*fallback anthropic\/claude-haiku-4-5 failed too.*was refused/,
        ),
      })
      expect(first.requests).toHaveLength(3 * time)
    }
    const recovered = complete({ text: 'I am back.' }, memory)
    expect((await recovered(ask())).text).toBe('I am back.')
    second.setScript(() => ({ text: 'From the fallback.', cost: 0.5 }))
  })

  it('each is shown its own key only', async () => {
    await complete({ fault: 'overloaded' })(ask())
    expect(JSON.stringify(first.requests.map(request => request.headers))).not.toContain(FALLBACK_KEY)
    expect(JSON.stringify(second.requests.map(request => request.headers))).not.toContain(KEY)
  })
})

describe('people hear at once', () => {
  it.each([
    ['authentication', 'llm_authentication'],
    ['no-credit', 'llm_no_credit'],
    ['unknown-model', 'llm_unknown_model'],
    ['context-overflow', 'llm_context_exceeded'],
    ['content-policy', 'llm_content_policy'],
    ['bad-request', 'llm_bad_request'],
  ] as const)('of %s: nobody else is asked', async (fault, code) => {
    const request = ask()
    await expect(complete({ fault })(request)).rejects.toMatchObject({ code })
    expect([second.requests.length, request.heard.fallbacks]).toEqual([0, []])
  })
})

it('stopping during the fallback stops it', async () => {
  second.setScript(() => ({ fault: 'hang' }))
  const stop = new AbortController()
  const reason = new Error('stopped')
  const running = complete({ fault: 'overloaded' })(ask({ signal: stop.signal }))
  await second.request(0)
  stop.abort(reason)
  await expect(running).rejects.toBe(reason)
})

import { describe, expect } from 'vitest'
import { ModelMemory } from '../../server/llm/answer/stream.ts'
import type { Turn } from '../fakes/model-server/turn.ts'
import { startModelServer } from '../fakes/model-server.ts'
import { it as base } from '../fixtures/base.ts'
import { ask, choiceFor, completeWith, KEY } from './ask.ts'

const it = base
  .extend('fallback', { scope: 'file' }, async ({}, { onCleanup }) => {
    const fallback = await startModelServer({ script: () => ({ text: 'From the fallback.', cost: 0.5 }) })
    onCleanup(() => fallback.close())
    return fallback
  })
  .extend('complete', { scope: 'file' }, ({ model, fallback }) => (turn: Turn, memory = new ModelMemory()) => {
    model.setScript(() => turn)
    return completeWith(async () => choiceFor('openai', model), {
      fallback: async () => ({
        model: 'anthropic/claude-haiku-4-5',
        baseUrl: fallback.url.anthropic,
        apiKey: FALLBACK_KEY,
        namedBy: 'person',
      }),
      retry: { attempts: 3, baseMs: 1 },
      memory,
    })
  })

const FALLBACK_KEY = 'sk-fallback-0123456789'

it.beforeEach(({ model, fallback }) => {
  model.requests.length = 0
  fallback.requests.length = 0
})

describe('while the chosen model is down', () => {
  it.for(['overloaded', 'server-error', 'refused', 'rate-limit', 'half-closed'] as const)(
    '(%s) the fallback answers, after all retries',
    async (fault, { complete, model, fallback }) => {
      const request = ask()
      const answer = await complete({ fault, text: 'Half an answer', retryAfter: 0 })(request)
      expect(answer).toMatchObject({ text: 'From the fallback.', cost: 0.5, usage: { model: 'claude-haiku-4-5' } })
      expect([model.requests.length, fallback.requests.length]).toEqual([3, 1])
      expect(request.heard.text.join('')).toBe('From the fallback.')
      expect(request.heard.fallbacks).toEqual([
        {
          from: 'openai/gpt-5',
          to: 'anthropic/claude-haiku-4-5',
          reason: expect.stringMatching(/OpenAI|127\.0\.0\.1/),
        },
      ])
    },
  )

  it('the next answer comes from the fallback at once', async ({ complete, model, fallback }) => {
    const memory = new ModelMemory()
    await complete({ fault: 'overloaded' }, memory)(ask())
    const request = ask()
    await complete({ fault: 'overloaded' }, memory)(request)
    expect([model.requests.length, fallback.requests.length]).toEqual([3, 2])
    expect(request.heard.fallbacks[0]?.reason).toBe('openai/gpt-5 was down a short while ago.')
  })

  it('and the fallback breaks off, what it said is void, and the chosen one is asked', async ({
    complete,
    fallback,
  }) => {
    const memory = new ModelMemory()
    await complete({ fault: 'overloaded' }, memory)(ask())
    fallback.setScript(() => ({ text: 'Half of an answer', fault: 'half-closed' }))
    const request = ask()
    await complete({ text: 'I am back.' }, memory)(request)
    expect(request.heard.text.join('')).toBe('I am back.')
    fallback.setScript(() => ({ text: 'From the fallback.', cost: 0.5 }))
  })

  it('and the fallback too, both are named, and the chosen one is tried', async ({ fallback, complete, model }) => {
    fallback.setScript(() => ({ fault: 'authentication' }))
    const memory = new ModelMemory()
    for (let time = 1; time <= 2; time++) {
      const failed = complete({ fault: 'overloaded' }, memory)(ask())
      await expect(failed).rejects.toMatchObject({
        code: 'llm_failed',
        message: expect.stringMatching(
          /OpenAI is overloaded.*fallback anthropic\/claude-haiku-4-5 failed too.*was refused/,
        ),
      })
      expect(model.requests).toHaveLength(3 * time)
    }
    const recovered = complete({ text: 'I am back.' }, memory)
    expect((await recovered(ask())).text).toBe('I am back.')
    fallback.setScript(() => ({ text: 'From the fallback.', cost: 0.5 }))
  })

  it('each is shown its own key only', async ({ complete, model, fallback }) => {
    await complete({ fault: 'overloaded' })(ask())
    expect(JSON.stringify(model.requests.map(request => request.headers))).not.toContain(FALLBACK_KEY)
    expect(JSON.stringify(fallback.requests.map(request => request.headers))).not.toContain(KEY)
  })
})

describe('people hear at once', () => {
  it.for([
    ['authentication', 'llm_authentication'],
    ['no-credit', 'llm_no_credit'],
    ['unknown-model', 'llm_unknown_model'],
    ['context-overflow', 'llm_context_exceeded'],
    ['content-policy', 'llm_content_policy'],
    ['bad-request', 'llm_bad_request'],
  ] as const)('of %s: nobody else is asked', async ([fault, code], { complete, fallback }) => {
    const request = ask()
    await expect(complete({ fault })(request)).rejects.toMatchObject({ code })
    expect([fallback.requests.length, request.heard.fallbacks]).toEqual([0, []])
  })
})

it('stopping during the fallback stops it', async ({ fallback, complete }) => {
  fallback.setScript(() => ({ fault: 'hang' }))
  const stop = new AbortController()
  const reason = new Error('stopped')
  const running = complete({ fault: 'overloaded' })(ask({ signal: stop.signal }))
  await fallback.request(0)
  stop.abort(reason)
  await expect(running).rejects.toBe(reason)
})

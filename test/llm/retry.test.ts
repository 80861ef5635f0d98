import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { AppError } from '../../server/domain/errors.ts'
import type { Failure } from '../../server/llm/errors.ts'
import { DEFAULT_RETRY, waitBefore, withRetry } from '../../server/llm/retry.ts'
import { type ModelServer, startModelServer } from '../fakes/model-server.ts'
import { ask, modelOn } from './ask.ts'

const OPTIONS = { ...DEFAULT_RETRY, random: () => 0 }

function failure(parts: Partial<Failure> = {}): Failure {
  return {
    error: new AppError('llm_failed', 'It failed.'),
    retryable: true,
    attempts: 99,
    retryAfterMs: null,
    ...parts,
  }
}

describe('how long to wait', () => {
  it('doubles from eight seconds and gives up after the fifth call', () => {
    expect([1, 2, 3, 4, 5].map(attempt => waitBefore(attempt, failure(), OPTIONS))).toEqual([
      8_000,
      16_000,
      32_000,
      64_000,
      null,
    ])
  })

  it('never waits longer than the longest wait', () => {
    expect(waitBefore(9, failure(), { ...OPTIONS, attempts: 20 })).toBe(64_000)
  })

  it('makes waits up to a quarter longer, so that not everybody comes back at once', () => {
    expect(waitBefore(1, failure(), { ...OPTIONS, random: () => 1 })).toBe(10_000)
  })

  it('does what the provider asks for', () => {
    expect(waitBefore(1, failure({ retryAfterMs: 90_000 }), OPTIONS)).toBe(90_000)
    expect(waitBefore(4, failure({ retryAfterMs: 0 }), OPTIONS)).toBe(0)
  })

  it('gives up when the provider asks for an hour', () => {
    expect(waitBefore(1, failure({ retryAfterMs: 3_600_000 }), OPTIONS)).toBeNull()
  })

  it('does not wait where trying again cannot help', () => {
    expect(waitBefore(1, failure({ retryable: false, retryAfterMs: 10 }), OPTIONS)).toBeNull()
  })
})

describe('waiting', () => {
  it('ends at once when the caller aborts', async () => {
    const stop = new AbortController()
    const reason = new Error('stopped')
    const call = vi.fn(async () => {
      throw new Error('no')
    })
    const onRetry = () => queueMicrotask(() => stop.abort(reason))
    const running = withRetry(call, () => failure({ retryAfterMs: 100_000 }), { signal: stop.signal, onRetry }, OPTIONS)
    await expect(running).rejects.toBe(reason)
    expect(call).toHaveBeenCalledOnce()
  })
})

describe('against a server', () => {
  let server: ModelServer
  beforeAll(async () => {
    server = await startModelServer()
  })
  beforeEach(() => {
    server.requests.length = 0
  })
  afterAll(() => server.close())

  it('tells why before each wait, then answers', async () => {
    server.setScript([{ fault: 'overloaded' }, { fault: 'rate-limit', retryAfter: 0 }, { text: 'Here.' }])
    const request = ask()
    const complete = modelOn('anthropic', server, { retry: { baseMs: 1 } })
    expect((await complete(request)).text).toBe('Here.')
    expect(request.heard.retries).toEqual([
      { attempt: 1, delayMs: 1, reason: expect.stringContaining('Anthropic is overloaded (529)') },
      { attempt: 2, delayMs: 0, reason: expect.stringContaining('limits how often') },
    ])
  })

  it('hears Retry-After in seconds and as a date, and Gemini’s delay in the body', async () => {
    const waits = async (wire: 'openai' | 'gemini', retryAfter: number | undefined) => {
      server.setScript([{ fault: 'rate-limit', ...(retryAfter !== undefined && { retryAfter }) }, { text: 'Here.' }])
      const request = ask()
      await modelOn(wire, server, { retry: { baseMs: 60_000 } })(request)
      return request.heard.retries[0]?.delayMs
    }
    expect(await waits('openai', 0.02)).toBe(20)
    expect(await waits('gemini', undefined)).toBe(20)
  })

  it('asks five times and no more', async () => {
    server.setScript(() => ({ fault: 'server-error' }))
    const complete = modelOn('openai', server, { retry: { baseMs: 1 } })
    await expect(complete(ask())).rejects.toMatchObject({ code: 'llm_failed', details: { status: 500 } })
    expect(server.requests).toHaveLength(5)
  })
})

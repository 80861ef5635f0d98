import { describe, expect } from 'vitest'
import type { Silence } from '../../server/llm/completion.ts'
import { it } from '../fixtures/base.ts'
import { ask, modelOn, WIRE_NAMES } from './ask.ts'

describe.each(WIRE_NAMES)('a silent model that speaks %s', wire => {
  it.for(['hang', 'hang-in-stream'] as const)(
    'is told, and asked again at once when a person wants it (%s)',
    async (fault, { model }) => {
      const before = Date.now()
      model.setScript([{ text: 'I look at it now.', fault }, { text: 'Done.' }])
      const silences: (Silence | null)[] = []
      const request = ask()
      const answer = await modelOn(wire, model, { limits: { noticeMs: 400 } })({
        ...request,
        onSilence: silence => {
          if (silences.push(silence) === 1) silence?.askNow()
        },
      })
      expect(answer.text).toBe('Done.')
      expect(silences[1]).toBeNull()
      expect(silences[0]?.since).toBeGreaterThanOrEqual(before)
      expect(request.heard.retries).toEqual([{ attempt: 1, delayMs: 0, reason: 'The model was asked again.' }])
    },
  )

  it('that speaks again is no longer silent', async ({ model }) => {
    model.setScript([{ text: 'I look at the files now.', chunkDelayMs: 150 }])
    const request = ask()
    await modelOn(wire, model, { limits: { noticeMs: 60 } })(request)
    expect(request.heard.silences.length).toBeGreaterThan(2)
    expect(request.heard.silences.at(-1)).toBeNull()
  })

  it('is asked twice, not five times: each call takes minutes', async ({ model }) => {
    const before = model.requests.length
    model.setScript(() => ({ fault: 'hang' }))
    const asked = modelOn(wire, model, { limits: { silenceMs: 60 }, retry: { baseMs: 1 } })(ask())
    await expect(asked).rejects.toMatchObject({ code: 'llm_unreachable' })
    expect(model.requests.length - before).toBe(2)
  })
})

it('the wait for the next try ends when a person wants it', async ({ model }) => {
  model.setScript([{ fault: 'overloaded', retryAfter: 100 }, { text: 'Done.' }])
  const request = ask()
  const asked = modelOn('openai', model)({ ...request, onRetry: retry => retry.askNow() })
  expect((await asked).text).toBe('Done.')
})

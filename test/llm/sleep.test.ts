import { describe, expect } from 'vitest'
import { createComplete } from '../../server/llm/answer/stream.ts'
import { Outbound } from '../../server/outbound/outbound.ts'
import type { ModelServer } from '../fakes/model-server.ts'
import { it as base } from '../fixtures/base.ts'
import { ask, choiceFor } from './ask.ts'

/** With calls of the test's own, so that no other file's fall asleep. */
const it = base.extend('outbound', ({}, { onCleanup }) => {
  const outbound = new Outbound({ allowedHosts: () => [] })
  onCleanup(() => outbound.close())
  return outbound
})

const modelOver = (outbound: Outbound, model: ModelServer) =>
  createComplete(async () => choiceFor('openai', model), { outbound, retry: { attempts: 1 } })

describe('a computer that falls asleep', () => {
  it.for(['hang', 'hang-in-stream'] as const)(
    'ends the call to a model, which is made again when it is awake, and is no failure (%s)',
    async (fault, { model, outbound }) => {
      model.setScript([{ text: 'I look at it now.', fault }, { text: 'Done.' }])
      const before = model.requests.length
      const request = ask()
      const asked = modelOver(outbound, model)(request)
      await model.request(before)
      if (fault === 'hang-in-stream') await expect.poll(() => request.heard.text.length).toBeGreaterThan(0)
      outbound.suspend()
      await expect
        .poll(() => request.heard.retries)
        .toEqual([{ attempt: 1, delayMs: 0, reason: 'The computer was asleep.' }])
      expect(model.requests.length).toBe(before + 1)
      outbound.resume()
      expect((await asked).text).toBe('Done.')
      expect(model.requests.length).toBe(before + 2)
    },
  )

  it('asks no model, and lets a person stop what waits for it', async ({ model, outbound }) => {
    const before = model.requests.length
    outbound.suspend()
    const stop = new AbortController()
    const asked = modelOver(outbound, model)(ask({ signal: stop.signal }))
    stop.abort(new Error('Stopped.'))
    await expect(asked).rejects.toThrow('Stopped.')
    expect(model.requests.length).toBe(before)
  })
})

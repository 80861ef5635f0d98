import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Silence } from '../../server/llm/completion.ts'
import { type ModelServer, startModelServer } from '../fakes/model-server.ts'
import { ask, modelOn, WIRE_NAMES } from './ask.ts'

let server: ModelServer

beforeAll(async () => {
  server = await startModelServer()
})
afterAll(() => server.close())

describe.each(WIRE_NAMES)('a silent model that speaks %s', wire => {
  it.each(['hang', 'hang-in-stream'] as const)(
    'is told, and asked again at once when a person wants it (%s)',
    async fault => {
      const before = Date.now()
      server.setScript([{ text: 'I look at it now.', fault }, { text: 'Done.' }])
      const silences: (Silence | null)[] = []
      const request = ask()
      const answer = await modelOn(wire, server, { limits: { noticeMs: 400 } })({
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

  it('that speaks again is no longer silent', async () => {
    server.setScript([{ text: 'I look at the files now.', chunkDelayMs: 150 }])
    const request = ask()
    await modelOn(wire, server, { limits: { noticeMs: 60 } })(request)
    expect(request.heard.silences.length).toBeGreaterThan(2)
    expect(request.heard.silences.at(-1)).toBeNull()
  })

  it('is asked twice, not five times: each call takes minutes', async () => {
    const before = server.requests.length
    server.setScript(() => ({ fault: 'hang' }))
    const asked = modelOn(wire, server, { limits: { silenceMs: 60 }, retry: { baseMs: 1 } })(ask())
    await expect(asked).rejects.toMatchObject({ code: 'llm_unreachable' })
    expect(server.requests.length - before).toBe(2)
  })
})

it('the wait for the next try ends when a person wants it', async () => {
  server.setScript([{ fault: 'overloaded', retryAfter: 100 }, { text: 'Done.' }])
  const request = ask()
  const asked = modelOn('openai', server)({ ...request, onRetry: retry => retry.askNow() })
  expect((await asked).text).toBe('Done.')
})

import { describe, expect } from 'vitest'
import { detectLocalServers, testModel } from '../../server/llm/probe.ts'
import { startModelServer } from '../fakes/model-server.ts'
import { it as base } from '../fixtures/base.ts'
import { outbound } from '../parts/outbound.ts'
import { choiceFor } from './ask.ts'

const it = base.extend('model', { scope: 'file' }, async ({}, { onCleanup }) => {
  const model = await startModelServer({ models: ['qwen3-coder:30b', 'nomic-embed-text:latest'] })
  onCleanup(() => model.close())
  return model
})

const never = new AbortController().signal

describe('the model test', () => {
  it.for(['openai', 'anthropic', 'gemini'] as const)(
    'reports the answer of a model that speaks %s',
    async (wire, { model }) => {
      model.setScript([{ text: 'I am ready.' }])
      const choice = choiceFor(wire, model)
      expect(await testModel(choice, { outbound, signal: never })).toEqual({
        ok: true,
        model: choice.model,
        reply: 'I am ready.',
        latency_ms: expect.any(Number),
      })
    },
  )

  it('reports a failure in words, after one try only', async ({ model }) => {
    model.requests.length = 0
    model.setScript(() => ({ fault: 'overloaded' }))
    expect(await testModel(choiceFor('openai', model), { outbound, signal: never })).toMatchObject({
      ok: false,
      code: 'llm_failed',
    })
    expect(model.requests).toHaveLength(1)
  })

  it('reports a model that does not answer in time', async ({ model }) => {
    model.setScript(() => ({ fault: 'hang' }))
    const result = await testModel(choiceFor('openai', model), { outbound, signal: never, limitMs: 50 })
    expect(result).toMatchObject({ ok: false, code: 'llm_unreachable' })
  })

  it('reports an unusable base URL', async () => {
    const result = await testModel(
      { model: 'openai/x', baseUrl: 'box', apiKey: null, namedBy: 'person' },
      { outbound, signal: never },
    )
    expect(result).toMatchObject({ ok: false, code: 'llm_bad_request' })
  })

  it('ends when the caller aborts', async ({ model }) => {
    model.setScript(() => ({ fault: 'hang' }))
    const stop = new AbortController()
    const index = model.requests.length
    const running = testModel(choiceFor('openai', model), { outbound, signal: stop.signal })
    await model.request(index)
    stop.abort()
    await expect(running).rejects.toMatchObject({ name: 'AbortError' })
  })
})

describe('detection', () => {
  it('finds Ollama and LM Studio with their chat models', async ({ model }) => {
    const ports = { ollama: model.port, lmStudio: model.port }
    expect(await detectLocalServers({ outbound, signal: never, ports })).toEqual([
      { name: 'Ollama', base_url: `${model.origin}/v1`, models: ['ollama/qwen3-coder:30b'] },
      { name: 'LM Studio', base_url: `${model.origin}/v1`, models: ['lm_studio/qwen3-coder:30b'] },
    ])
  })

  it('finds nothing where nothing listens', async () => {
    const closed = await startModelServer()
    await closed.close()
    expect(
      await detectLocalServers({ outbound, signal: never, ports: { ollama: closed.port, lmStudio: closed.port } }),
    ).toEqual([])
  })

  it('its finds can be tested as they are', async ({ model }) => {
    model.setScript([{ text: 'Ready.' }])
    const [found] = await detectLocalServers({
      outbound,
      signal: never,
      ports: { ollama: model.port, lmStudio: model.port },
    })
    const choice = {
      model: found?.models[0] ?? '',
      baseUrl: found?.base_url ?? null,
      apiKey: null,
      namedBy: 'person' as const,
    }
    expect(await testModel(choice, { outbound, signal: never })).toMatchObject({ ok: true, reply: 'Ready.' })
  })
})

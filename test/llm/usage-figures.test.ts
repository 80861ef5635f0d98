import type { LanguageModelV3Usage } from '@ai-sdk/provider'
import { describe, expect } from 'vitest'
import { costOf, toTokenUsage } from '../../server/llm/cost.ts'
import { resolveModel } from '../../server/llm/provider.ts'
import { it as base } from '../fixtures/base.ts'
import { ask, choiceFor, completeWith, WIRE_NAMES } from './ask.ts'

const it = base
  /** The scripted server's answers, with other figures in them. */
  .extend('between', { scope: 'file' }, ({ model }) => (change: (text: string) => string): typeof fetch => {
    return async (url, init) => {
      const response = await model.fetch(url, init)
      const { status, headers } = response
      return new Response(change(await response.text()), { status, headers })
    }
  })

it.beforeEach(({ model }) => {
  model.requests.length = 0
})

const FIGURES = ['"many"', '"12"', 'null', '[]', '{}', '-5', '1e999', 'true', '1e300']
const USAGES = ['"none"', '7', '[]', 'null']

const COUNTS = /("(?:[a-z_]*tokens|[A-Za-z]*TokenCount)":)\d+/g
const WHOLE = /("(?:usage|usageMetadata)":)\{(?:[^{}]|\{[^{}]*\})*\}/g

describe.each(WIRE_NAMES)('on the wire of %s', wire => {
  it.for([
    ...FIGURES.map(value => ['every count', value, COUNTS] as const),
    ...USAGES.map(value => ['the usage', value, WHOLE] as const),
  ])(
    'an answer in which %s is %s is an answer, and is not paid for twice',
    async ([_, value, pattern], { model, between }) => {
      model.setScript(Array(4).fill({ text: 'Done.', toolCalls: [{ name: 'terminal', arguments: { command: 'ls' } }] }))
      const fetch = between(text => text.replace(pattern, (_, name) => `${name}${value}`))
      const complete = completeWith(async () => choiceFor(wire, model), { fetch, retry: { attempts: 2, baseMs: 1 } })
      const request = ask()
      const { text, toolCalls, usage, cost } = await complete(request)
      expect({ text, calls: toolCalls.length, asked: model.requests.length }).toEqual({
        text: 'Done.',
        calls: 1,
        asked: 1,
      })
      expect(request.heard.retries).toEqual([])
      for (const count of [usage.prompt_tokens, usage.completion_tokens, usage.per_turn_token]) {
        expect(Number.isSafeInteger(count) && count >= 0).toBe(true)
      }
      expect(cost === null || (Number.isFinite(cost) && cost >= 0)).toBe(true)
    },
  )
})

it.each([-1_000_000, Number.NaN, 1e300, 'much', ' ', true, []])('a price of %s that a server reports is none', cost => {
  const usage: LanguageModelV3Usage = {
    inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
    raw: { cost: cost as never },
  }
  const target = resolveModel({ model: 'openai/own', baseUrl: 'http://localhost:1', apiKey: null, namedBy: 'person' })
  expect(costOf(usage, target, undefined)).toBeNull()
  expect(
    toTokenUsage({ ...usage, inputTokens: { ...usage.inputTokens, total: 1e300 } }, target, 'x').prompt_tokens,
  ).toBe(1e9)
})

import type { LanguageModelV3Usage } from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'
import { costOf, knownModels, toTokenUsage } from '../../server/llm/cost.ts'
import { resolveModel } from '../../server/llm/provider.ts'

function usage(input: number, output: number, cacheRead = 0, cacheWrite = 0): LanguageModelV3Usage {
  return {
    inputTokens: { total: input, noCache: input - cacheRead - cacheWrite, cacheRead, cacheWrite },
    outputTokens: { total: output, text: output, reasoning: 0 },
  }
}

const target = (model: string, baseUrl: string | null = null) =>
  resolveModel({ model, baseUrl, apiKey: 'key', namedBy: 'person' })

describe('the cost of an answer', () => {
  it('counts fresh, cached and written tokens at their own prices', () => {
    // Dollars for a million tokens: 3 fresh, 0.30 read from the cache, 3.75 written to it, 15 answered.
    const cost = costOf(usage(100_000, 1_000, 60_000, 20_000), target('anthropic/claude-sonnet-4-6'), undefined)
    expect(cost).toBeCloseTo((20_000 * 3 + 60_000 * 0.3 + 20_000 * 3.75 + 1_000 * 15) / 1e6, 6)
  })

  it.each([
    ['openai/gpt-5', (1000 * 1.25 + 100 * 10) / 1e6],
    ['gemini/gemini-2.5-flash', (1000 * 0.3 + 100 * 2.5) / 1e6],
  ])('of %s is what the price list says', (model, expected) => {
    expect(costOf(usage(1000, 100), target(model), undefined)).toBeCloseTo(expected, 8)
  })

  it('is unknown, not zero, for an unknown model', () => {
    expect(costOf(usage(1000, 100), target('openai/gpt-99-unheard-of'), undefined)).toBeNull()
  })

  it('is unknown on this machine, even for a name that somebody sells', () => {
    expect(costOf(usage(1000, 100), target('openai/gpt-oss-20b', 'http://localhost:1234'), undefined)).toBeNull()
  })

  it('is unknown when the server counts no tokens', () => {
    expect(costOf(usage(0, 0), target('openai/gpt-5'), undefined)).toBeNull()
  })

  it('is that of the one who serves at the base URL', () => {
    const cost = costOf(usage(1_000_000, 0), target('openai/deepseek-chat', 'https://api.deepseek.com'), undefined)
    expect(cost).toBeGreaterThan(0)
  })

  it('is what the server itself reports', () => {
    const reported = { ...usage(10, 10), raw: { cost: 0.0125 } }
    expect(costOf(reported, target('openrouter/some/model'), undefined)).toBe(0.0125)
    const headers = { 'x-litellm-response-cost': '0.5' }
    expect(costOf(usage(10, 10), target('litellm_proxy/mine'), headers)).toBe(0.5)
  })
})

describe('what is known of a model', () => {
  it('its context window, 0 when unknown', () => {
    expect(toTokenUsage(usage(1, 1), target('openai/gpt-5'), 'id').context_window).toBe(400_000)
    expect(toTokenUsage(usage(1, 1), target('ollama/mine'), 'id').context_window).toBe(0)
  })

  it('names that can be chosen, each once and each asked at its provider', () => {
    const models = knownModels()
    const names = models.map(model => model.name)
    expect(new Set(names).size).toBe(names.length)
    expect(names).toEqual(
      expect.arrayContaining(['openai/gpt-5', 'anthropic/claude-sonnet-4-6', 'gemini/gemini-2.5-pro']),
    )
    expect(names.filter(name => /embedding|whisper|tts|image/.test(name))).toEqual([])
    const rank = (name: string) => names.indexOf(name)
    expect(rank('openai/gpt-5')).toBeLessThan(rank('openai/gpt-4o'))
    expect(rank('openai/gpt-4o')).toBeLessThan(rank('openai/o3'))
    expect(rank('gemini/gemini-2.5-pro')).toBeLessThan(rank('gemini/gemini-2.0-flash'))
    for (const { name, provider } of models) expect(target(name).provider.id).toBe(provider)
  })
})

import { describe, expect } from 'vitest'
import type { ErrorCode } from '../../server/api/contract/failures.ts'
import { AppError } from '../../server/domain/errors.ts'
import type { Fault, Turn, WireName } from '../fakes/model-server/turn.ts'
import { startModelServer } from '../fakes/model-server.ts'
import { it as base } from '../fixtures/base.ts'
import { ask, completeWith, KEY, modelOn, WIRE_NAMES } from './ask.ts'

const it = base
  .extend(
    'failure',
    { scope: 'file' },
    ({ model }) =>
      async (wire: WireName, silenceMs = 20_000): Promise<AppError> => {
        const complete = modelOn(wire, model, {
          retry: { attempts: 3, baseMs: 1 },
          limits: { silenceMs },
        })
        const error: unknown = await complete(ask()).catch(thrown => thrown)
        if (!(error instanceof AppError)) throw new Error(`Not an AppError: ${String(error)}`)
        return error
      },
  )
  .extend(
    'messageOf',
    { scope: 'file' },
    ({ model }) =>
      async (name: string, baseUrl: string | null, apiKey: string | null, turn: Turn) => {
        model.setScript(() => turn)
        const complete = completeWith(async () => ({ model: name, baseUrl, apiKey }), { retry: { attempts: 1 } })
        const error: unknown = await complete(ask()).catch(thrown => thrown)
        return error instanceof AppError ? error.message : String(error)
      },
  )

/** Code, and how many of three tries are used. */
const EXPECTED: Record<Exclude<Fault, 'empty' | 'hang' | 'hang-in-stream'>, [ErrorCode, number]> = {
  authentication: ['llm_authentication', 1],
  forbidden: ['llm_authentication', 1],
  'no-credit': ['llm_no_credit', 1],
  'payment-required': ['llm_no_credit', 1],
  'unknown-model': ['llm_unknown_model', 1],
  'context-overflow': ['llm_context_exceeded', 1],
  'content-policy': ['llm_content_policy', 1],
  'bad-request': ['llm_bad_request', 1],
  'rate-limit': ['llm_rate_limited', 3],
  'server-error': ['llm_failed', 3],
  overloaded: ['llm_failed', 3],
  html: ['llm_failed', 3],
  refused: ['llm_unreachable', 3],
  'half-closed': ['llm_failed', 3],
  disconnected: ['llm_unreachable', 3],
  malformed: ['llm_failed', 3],
  'error-frame': ['llm_failed', 3],
}

const TURN: Turn = { text: 'I look at the files.', toolCalls: [{ name: 'terminal', arguments: { command: 'ls' } }] }

describe.each(WIRE_NAMES)('a failing model that speaks %s', wire => {
  it.for(Object.entries(EXPECTED))('%s → %s', async ([fault, [code, tries]], { model, failure }) => {
    const before = model.requests.length
    model.setScript(() => ({ ...TURN, fault: fault as Fault }))
    const error = await failure(wire)
    expect([error.code, error.message]).toEqual([code, expect.stringMatching(/^[A-Z0-9].*[.]$/)])
    expect(model.requests.length - before).toBe(tries)
    expect(everything(error)).not.toContain(KEY)
    expect(everything(error)).not.toMatch(
      /authorization|anthropic-version|user-agent|requestBodyValues|responseHeaders|You are the agent/i,
    )
  })

  it('silence → llm_unreachable, before and within an answer', async ({ model, failure }) => {
    for (const fault of ['hang', 'hang-in-stream'] as const) {
      model.setScript(() => ({ ...TURN, fault }))
      expect((await failure(wire, 150)).code).toBe('llm_unreachable')
    }
  })

  it('an answer that is withheld → llm_content_policy', async ({ model, failure }) => {
    model.setScript(() => ({ finish: 'content-filter' }))
    expect((await failure(wire)).code).toBe('llm_content_policy')
  })

  it('recovers from a break in the middle of an answer without doubling anything', async ({ model }) => {
    model.setScript([{ ...TURN, fault: 'disconnected' }, { ...TURN, fault: 'malformed' }, TURN])
    const request = ask()
    const answer = await modelOn(wire, model, { retry: { baseMs: 1 } })(request)
    expect(answer.text).toBe(TURN.text)
    expect(answer.toolCalls).toHaveLength(1)
    expect(request.heard.retries.map(retry => retry.attempt)).toEqual([1, 2])
    expect(request.heard.text.join('')).toBe(TURN.text)
  })
})

describe('words for people', () => {
  it('a refused key says whose and where to change it', async ({ messageOf, model }) => {
    expect(await messageOf('openai/gpt-5', model.url.openai, KEY, { fault: 'authentication' })).toBe(
      'The key for OpenAI was refused (401). Check it in Settings › Model.',
    )
  })

  it('a missing key is told apart from a wrong one, without asking anyone', async ({ model, messageOf }) => {
    const before = model.requests.length
    const message = await messageOf('anthropic/claude-sonnet-4-6', null, null, {})
    expect(message).toBe('Anthropic wants a key and none is set. Add it in Settings › Model.')
    expect(model.requests).toHaveLength(before)
  })

  it('a local server that is not running says where nothing answers', async ({ messageOf }) => {
    const closed = await startModelServer()
    await closed.close()
    expect(await messageOf('ollama/qwen3', closed.origin, null, {})).toBe(
      `Nothing answers at 127.0.0.1:${closed.port}. Start the model server, or correct the base URL in Settings › Model.`,
    )
  })

  it('a model that was never pulled says how to pull it', async ({ messageOf, model }) => {
    const message = await messageOf('ollama/qwen3', model.origin, null, { fault: 'unknown-model' })
    expect(message).toContain('Run "ollama pull qwen3"')
  })

  it('a base URL with the wrong path is not blamed on the model', async ({ messageOf, model }) => {
    const message = await messageOf('openai/gpt-5', `${model.origin}/wrong/place`, KEY, { text: 'x' })
    expect(message).toBe(
      `There is no model service at ${model.origin}/wrong/place (404). Correct the base URL in Settings › Model; most end in /v1.`,
    )
  })

  it('a name without a provider says how to write it', async ({ messageOf }) => {
    expect(await messageOf('llama-99', null, null, {})).toContain('Write it as provider/model')
  })
})

/** All text that can be got out of an error, however deep. */
function everything(error: unknown): string {
  const seen: string[] = []
  const visit = (value: unknown, depth: number): void => {
    if (depth > 6) return
    if (typeof value === 'object' && value !== null) {
      for (const name of Object.getOwnPropertyNames(value)) {
        seen.push(name)
        visit(Reflect.get(value, name), depth + 1)
      }
    } else seen.push(String(value))
  }
  visit(error, 0)
  return seen.join('\n')
}

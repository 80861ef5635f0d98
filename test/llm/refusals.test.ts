import { describe, expect } from 'vitest'
import { AppError } from '../../server/domain/errors.ts'
import { ModelMemory } from '../../server/llm/answer/stream.ts'
import type { ModelMessage } from '../../server/llm/completion.ts'
import type { WireName } from '../fakes/model-server/turn.ts'
import { it as base } from '../fixtures/base.ts'
import { ask, completeWith, KEY, modelOn, user, WIRE_NAMES } from './ask.ts'
import { MALFORMED_HISTORY, OTHERS, REFUSED_FEATURES, TOO_LONG } from './data/refusals.ts'

const it = base.extend(
  'codeFor',
  { scope: 'file' },
  ({ model }) =>
    async (wire: WireName, status: number, message: string) => {
      model.setScript(() => ({ refusal: { status, message } }))
      const error: unknown = await modelOn(wire, model, { retry: { attempts: 1 } })(ask()).catch(thrown => thrown)
      return error instanceof AppError ? error.code : error
    },
)

it.beforeEach(({ model }) => {
  model.requests.length = 0
})

const IMAGE = 'data:image/png;base64,iVBORw0KGgo='
const WITH_IMAGE: ModelMessage[] = [
  {
    role: 'user',
    content: [
      { type: 'text', text: 'What is it?' },
      { type: 'image', url: IMAGE },
    ],
  },
]
const TRACES = { tools: '"tools"', images: 'iVBORw0KGgo', cache: 'cache_control' } as Readonly<Record<string, string>>

describe('a server that refuses', () => {
  it.for(REFUSED_FEATURES)(
    '%s, %i: %s → goes on without %s',
    async ([_server, status, message, feature], { model }) => {
      model.setScript([{ refusal: { status, message } }, { text: 'Fine.' }])
      // Claude behind a proxy is sent everything that a server may refuse.
      const choice = { model: 'litellm_proxy/claude-x', baseUrl: model.origin, apiKey: KEY }
      const request = ask({ messages: WITH_IMAGE })
      const answer = await completeWith(async () => choice, { retry: { attempts: 1 } })(request)
      expect(answer.text).toBe('Fine.')
      const [first, second] = model.requests.map(({ body }) => JSON.stringify(body))
      expect([first?.includes(TRACES[feature] ?? '?'), second?.includes(TRACES[feature] ?? '?')]).toEqual([true, false])
      expect(request.heard.retries).toEqual([])
    },
  )

  it('is asked so at once from then on, but other models are not', async ({ model }) => {
    const message = 'm1 does not support tools'
    model.setScript([{ refusal: { status: 400, message } }, { text: 'A.' }, { text: 'B.' }, { text: 'C.' }])
    const memory = new ModelMemory()
    for (const name of ['ollama/m1', 'ollama/m1', 'ollama/m2']) {
      await completeWith(async () => ({ model: name, baseUrl: model.origin, apiKey: null }), { memory })(ask())
    }
    expect(model.requests.map(({ body }) => Array.isArray(body.tools))).toEqual([true, false, false, true])
  })

  it('does not forget images for good because of one that is broken', async ({ model }) => {
    model.setScript([{ refusal: { status: 400, message: 'Could not process image' } }, { text: 'A.' }, { text: 'B.' }])
    const complete = modelOn('anthropic', model)
    await complete(ask({ messages: WITH_IMAGE }))
    await complete(ask({ messages: WITH_IMAGE }))
    expect(model.requests.map(({ body }) => JSON.stringify(body).includes('iVBORw0KGgo'))).toEqual([true, false, true])
  })

  it('the output limit gets the limit that it names', async ({ model }) => {
    const message = 'max_tokens: 128000 > 64000, which is the maximum allowed number of output tokens for claude-x'
    model.setScript([{ refusal: { status: 400, message } }, { text: 'Fine.' }])
    await modelOn('anthropic', model)(ask())
    expect(model.requests.map(({ body }) => body.max_tokens)).toEqual([128_000, 64_000])
  })

  it('an answer that would not fit gets the room that is left', async ({ model }) => {
    const message = 'input length and `max_tokens` exceed context limit: 188240 + 64000 > 200000, decrease input length'
    model.setScript([{ refusal: { status: 400, message } }, { text: 'Fine.' }])
    await modelOn('anthropic', model)(ask())
    expect(model.requests[1]?.body.max_tokens).toBe(11_760)
  })

  it('proofs of thinking gets the history without them', async ({ model }) => {
    const message = 'messages.1.content.0: Invalid `signature` in `thinking` block'
    model.setScript([{ refusal: { status: 400, message } }, { text: 'Fine.' }])
    const reasoning = [{ text: 'Hm.', signature: 'from-another-account' }]
    await modelOn(
      'anthropic',
      model,
    )(ask({ messages: [user('Go.'), { role: 'assistant', text: 'Done.', reasoning, toolCalls: [] }, user('More.')] }))
    const sent = model.requests.map(({ body }) => JSON.stringify(body.messages).includes('from-another-account'))
    expect(sent).toEqual([true, false])
  })

  it('everything is given up after one request for each thing that was left out', async ({ model }) => {
    model.setScript(() => ({ refusal: { status: 400, message: 'm does not support tools' } }))
    await expect(modelOn('openai', model)(ask())).rejects.toMatchObject({ code: 'llm_bad_request' })
    expect(model.requests).toHaveLength(2)
  })
})

describe.each(WIRE_NAMES)('over %s', wire => {
  it.for(TOO_LONG)('the conversation is too long: %s', async (message, { codeFor }) => {
    expect(await codeFor(wire, 400, message)).toBe('llm_context_exceeded')
  })

  it.for(MALFORMED_HISTORY)('the history is refused: %s', async (message, { codeFor }) => {
    expect(await codeFor(wire, 400, message)).toBe('llm_history_refused')
  })

  it.for(OTHERS)('%i %s → %s', async ([status, message, code], { codeFor }) => {
    expect(await codeFor(wire, status, message)).toBe(code)
  })
})

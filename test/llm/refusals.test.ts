import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { AppError } from '../../server/domain/errors.ts'
import { ModelMemory } from '../../server/llm/answer/stream.ts'
import type { ModelMessage } from '../../server/llm/completion.ts'
import { type ModelServer, startModelServer } from '../fakes/model-server.ts'
import { ask, completeWith, KEY, modelOn, user, WIRE_NAMES } from './ask.ts'
import { MALFORMED_HISTORY, OTHERS, REFUSED_FEATURES, TOO_LONG } from './data/refusals.ts'

let server: ModelServer

beforeAll(async () => {
  server = await startModelServer()
})
beforeEach(() => {
  server.requests.length = 0
})
afterAll(() => server.close())

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
  it.each(REFUSED_FEATURES)('%s, %i: %s → goes on without %s', async (_server, status, message, feature) => {
    server.setScript([{ refusal: { status, message } }, { text: 'Fine.' }])
    // Claude behind a proxy is sent everything that a server may refuse.
    const choice = { model: 'litellm_proxy/claude-x', baseUrl: server.origin, apiKey: KEY }
    const request = ask({ messages: WITH_IMAGE })
    const answer = await completeWith(async () => choice, { retry: { attempts: 1 } })(request)
    expect(answer.text).toBe('Fine.')
    const [first, second] = server.requests.map(({ body }) => JSON.stringify(body))
    expect([first?.includes(TRACES[feature] ?? '?'), second?.includes(TRACES[feature] ?? '?')]).toEqual([true, false])
    expect(request.heard.retries).toEqual([])
  })

  it('is asked so at once from then on, but other models are not', async () => {
    const message = 'm1 does not support tools'
    server.setScript([{ refusal: { status: 400, message } }, { text: 'A.' }, { text: 'B.' }, { text: 'C.' }])
    const memory = new ModelMemory()
    for (const model of ['ollama/m1', 'ollama/m1', 'ollama/m2']) {
      await completeWith(async () => ({ model, baseUrl: server.origin, apiKey: null }), { memory })(ask())
    }
    expect(server.requests.map(({ body }) => Array.isArray(body.tools))).toEqual([true, false, false, true])
  })

  it('does not forget images for good because of one that is broken', async () => {
    server.setScript([{ refusal: { status: 400, message: 'Could not process image' } }, { text: 'A.' }, { text: 'B.' }])
    const complete = modelOn('anthropic', server)
    await complete(ask({ messages: WITH_IMAGE }))
    await complete(ask({ messages: WITH_IMAGE }))
    expect(server.requests.map(({ body }) => JSON.stringify(body).includes('iVBORw0KGgo'))).toEqual([true, false, true])
  })

  it('the output limit gets the limit that it names', async () => {
    const message = 'max_tokens: 128000 > 64000, which is the maximum allowed number of output tokens for claude-x'
    server.setScript([{ refusal: { status: 400, message } }, { text: 'Fine.' }])
    await modelOn('anthropic', server)(ask())
    expect(server.requests.map(({ body }) => body.max_tokens)).toEqual([128_000, 64_000])
  })

  it('an answer that would not fit gets the room that is left', async () => {
    const message = 'input length and `max_tokens` exceed context limit: 188240 + 64000 > 200000, decrease input length'
    server.setScript([{ refusal: { status: 400, message } }, { text: 'Fine.' }])
    await modelOn('anthropic', server)(ask())
    expect(server.requests[1]?.body.max_tokens).toBe(11_760)
  })

  it('proofs of thinking gets the history without them', async () => {
    const message = 'messages.1.content.0: Invalid `signature` in `thinking` block'
    server.setScript([{ refusal: { status: 400, message } }, { text: 'Fine.' }])
    const reasoning = [{ text: 'Hm.', signature: 'from-another-account' }]
    await modelOn(
      'anthropic',
      server,
    )(ask({ messages: [user('Go.'), { role: 'assistant', text: 'Done.', reasoning, toolCalls: [] }, user('More.')] }))
    const sent = server.requests.map(({ body }) => JSON.stringify(body.messages).includes('from-another-account'))
    expect(sent).toEqual([true, false])
  })

  it('everything is given up after one request for each thing that was left out', async () => {
    server.setScript(() => ({ refusal: { status: 400, message: 'm does not support tools' } }))
    await expect(modelOn('openai', server)(ask())).rejects.toMatchObject({ code: 'llm_bad_request' })
    expect(server.requests).toHaveLength(2)
  })
})

describe.each(WIRE_NAMES)('over %s', wire => {
  const codeFor = async (status: number, message: string) => {
    server.setScript(() => ({ refusal: { status, message } }))
    const error: unknown = await modelOn(wire, server, { retry: { attempts: 1 } })(ask()).catch(thrown => thrown)
    return error instanceof AppError ? error.code : error
  }

  it.each(TOO_LONG)('the conversation is too long: %s', async message => {
    expect(await codeFor(400, message)).toBe('llm_context_exceeded')
  })

  it.each(MALFORMED_HISTORY)('the history is refused: %s', async message => {
    expect(await codeFor(400, message)).toBe('llm_history_refused')
  })

  it.each(OTHERS)('%i %s → %s', async (status, message, code) => {
    expect(await codeFor(status, message)).toBe(code)
  })
})

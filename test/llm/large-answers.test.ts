import type { ServerResponse } from 'node:http'
import { afterEach, describe, expect } from 'vitest'
import { BOUNDS } from '../../server/domain/bounds.ts'
import { AppError } from '../../server/domain/errors.ts'
import { it } from '../fixtures/base.ts'
import { type LoopbackServer, startLoopback } from '../parts/loopback.ts'
import { ask, completeWith, modelOn, WIRE_NAMES } from './ask.ts'

let hostile: LoopbackServer | undefined
afterEach(async () => {
  await hostile?.close()
  hostile = undefined
})

const TWENTY_MB = 'x'.repeat(20_000_000)
const ONCE = { retry: { attempts: 1 } }
const CHUNK = { id: 'a', object: 'chat.completion.chunk', created: 1, model: 'x' }
const delta = (fields: object) =>
  `data: ${JSON.stringify({ ...CHUNK, choices: [{ index: 0, delta: fields, finish_reason: null }] })}\n\n`
const call = (index: number, piece: string) => ({
  tool_calls: [{ index, id: `call-${index}`, type: 'function', function: { name: 'terminal', arguments: piece } }],
})

/** A model on the wire of Chat Completions that says the same for ever, as fast as it is read. */
async function endless(beginning: string, more: (index: number) => string) {
  const sent = { bytes: 0, closed: Promise.resolve() }
  hostile = await startLoopback((_, response) => {
    sent.closed = new Promise(resolve => response.once('close', resolve))
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(beginning)
    void pour(response, more, sent)
  })
  return sent
}

async function pour(response: ServerResponse, more: (index: number) => string, sent: { bytes: number }): Promise<void> {
  for (let index = 0; !response.destroyed; index++) {
    const piece = more(index)
    sent.bytes += piece.length
    await new Promise<void>(resolve => {
      if (response.write(piece)) setImmediate(resolve)
      else response.once('drain', resolve).once('close', resolve)
    })
  }
}

const askHostile = (options = {}) =>
  completeWith(async () => ({ model: 'openai/x', baseUrl: hostile?.origin ?? '', apiKey: null }), {
    ...ONCE,
    ...options,
  })(ask())

describe.each(WIRE_NAMES)('20 MB of tool arguments over %s', wire => {
  it.for([false, true])('end the answer, and the model reads why (whole: %s)', async (unstreamed, { model }) => {
    model.setScript(() => ({ toolCalls: [{ name: 'terminal', arguments: { command: TWENTY_MB } }], unstreamed }))
    const { toolCalls, finishReason, cost } = await modelOn(wire, model, ONCE)(ask())
    expect([finishReason, cost]).toEqual(['too-large', null])
    // What comes as one piece is dropped before anybody could read which call it is.
    const isOnePiece = unstreamed || wire === 'gemini'
    expect(toolCalls).toEqual(
      isOnePiece
        ? []
        : [
            expect.objectContaining({
              name: 'terminal',
              arguments: '{}',
              refused: expect.stringContaining('2,097,152 characters. Do it in several smaller calls.'),
            }),
          ],
    )
  })
})

describe('an answer without an end leaves the memory as it is', () => {
  it.each<[string, string, (index: number) => string, number]>([
    ['one data line', 'data: {"choices":[{"delta":{"content":"', () => 'x'.repeat(65_536), BOUNDS.modelAnswer.limit],
    ['data lines of one event', '', () => `data: ${'x'.repeat(1_000)}\n`, BOUNDS.modelAnswer.limit],
    ['text', '', () => delta({ content: 'x'.repeat(10_000) }), 2 * BOUNDS.modelText.limit],
    ['thinking', '', () => delta({ reasoning_content: 'x'.repeat(10_000) }), 2 * BOUNDS.modelText.limit],
    [
      'arguments',
      delta(call(0, '{"command":"')),
      () => delta(call(0, 'x'.repeat(10_000))),
      2 * BOUNDS.toolArguments.limit,
    ],
    ['calls', '', index => delta(call(index, '{}')), 1_000_000],
  ])('%s', async (_name, beginning, more, atMost) => {
    const sent = await endless(beginning, more)
    const before = process.memoryUsage().rss
    expect(await askHostile()).toMatchObject({ finishReason: 'too-large', text: '' })
    await sent.closed
    // What the network holds of it counts too.
    expect(sent.bytes).toBeLessThan(atMost + 16_000_000)
    expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000)
  })
})

describe('an answer that never gets anywhere', () => {
  const failure = async (options: object): Promise<AppError> => {
    const error: unknown = await askHostile(options).catch(thrown => thrown)
    if (error instanceof AppError) return error
    throw new Error(`Not an AppError: ${String(error)}`)
  }

  it('one byte after the other for ever (slow drip) is given up, with words', async () => {
    hostile = await startLoopback((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const line = delta({ content: 'a' })
      let at = 0
      const timer = setInterval(() => response.write(line.charAt(at++ % line.length)), 2)
      response.once('close', () => clearInterval(timer))
    })
    const error = await failure({ limits: { progressMs: 400 } })
    expect([error.code, error.message]).toEqual(['llm_unreachable', expect.stringMatching(/grew by \d+ characters/)])
  })

  it('signs of life without a word (keep-alive comments) are silence', async () => {
    hostile = await startLoopback((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const timer = setInterval(() => response.write(': still here\n\n'), 10)
      response.once('close', () => clearInterval(timer))
    })
    const error = await failure({ limits: { silenceMs: 200 } })
    expect([error.code, error.message]).toEqual(['llm_unreachable', expect.stringContaining('Nothing came for')])
  })

  it('words without an end are cut off after a time', async () => {
    hostile = await startLoopback((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const timer = setInterval(() => response.write(delta({ content: 'x'.repeat(200) })), 10)
      response.once('close', () => clearInterval(timer))
    })
    const error = await failure({ limits: { totalMs: 300 } })
    expect(error.message).toContain('had no end')
  })
})

describe('an answer whose names and ids are huge', () => {
  it('is kept with short ones, each still its own', async () => {
    const id = (last: string) => `${'q'.repeat(2_000_000)}${last}`
    hostile = await startLoopback((_, response) => {
      const calls = ['a', 'b'].map((last, index) => ({
        index,
        id: id(last),
        type: 'function',
        function: { name: 't'.repeat(1_000_000), arguments: '{}' },
      }))
      const chunk = (fields: object, finish_reason: string | null) =>
        `data: ${JSON.stringify({ ...CHUNK, id: id(''), choices: [{ index: 0, delta: fields, finish_reason }] })}\n\n`
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(`${chunk({ tool_calls: calls }, null)}${chunk({}, 'tool_calls')}data: [DONE]\n\n`)
    })
    const { toolCalls, responseId } = await askHostile()
    const lengths = [responseId, ...toolCalls.flatMap(each => [each.id, each.name])].map(text => text.length)
    expect(Math.max(...lengths)).toBeLessThanOrEqual(BOUNDS.modelName.limit)
    expect(new Set(toolCalls.map(each => each.id)).size).toBe(2)
  })
})

describe.each(WIRE_NAMES)('arguments that are nested 100,000 deep, over %s', wire => {
  it('are no reason why the model cannot be asked again', async ({ model }) => {
    const written = `{"command":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
    model.setScript([{ text: 'I go on.' }])
    const called = { id: 'call-1', name: 'terminal', arguments: written }
    const { text } = await modelOn(
      wire,
      model,
    )({
      ...ask(),
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Begin.' }] },
        { role: 'assistant', text: '', reasoning: [], toolCalls: [called] },
        { role: 'tool', toolCallId: 'call-1', toolName: 'terminal', text: 'Refused.', imageUrls: [], isError: true },
      ],
    })
    expect(text).toBe('I go on.')
  })
})

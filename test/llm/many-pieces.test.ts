import { afterEach, expect, it } from 'vitest'
import { type LoopbackServer, startLoopback } from '../parts/loopback.ts'
import { ask, completeWith } from './ask.ts'

let model: LoopbackServer | undefined

afterEach(() => model?.close())

const PIECES = 20_000
const frame = (delta: object, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ id: 'a', object: 'chat.completion.chunk', created: 1, model: 'x', choices: [{ index: 0, delta, finish_reason }] })}\n\n`
const numbers = Array.from({ length: PIECES }, (_, index) => `${index} `)

/** Thinking and text take turns, as of models that think in between. */
const isText = (index: number) => Math.floor(index / 100) % 2 === 1
const pieces = numbers.map((number, index) =>
  frame(isText(index) ? { content: number } : { reasoning_content: number }),
)
const TEXT = numbers.filter((_, index) => isText(index)).join('')
const THINKING = numbers.filter((_, index) => !isText(index)).join('')

it('20,000 pieces at once come in few deltas, none lost and in their order', async () => {
  model = await startLoopback((_, reply) => {
    reply.writeHead(200, { 'content-type': 'text/event-stream' })
    reply.end(`${pieces.join('')}${frame({}, 'stop')}data: [DONE]\n\n`)
  })
  const request = ask()
  const answer = await completeWith(async () => ({
    model: 'openai/x',
    baseUrl: model?.origin ?? '',
    apiKey: null,
  }))(request)
  // Compared whole, and not shown: they are long.
  expect(answer.text === TEXT).toBe(true)
  expect(request.heard.text.join('') === TEXT).toBe(true)
  expect(request.heard.reasoning.join('') === THINKING).toBe(true)
  expect(request.heard.text.length).toBeLessThan(PIECES / 20)
  expect(request.heard.text.length).toBeGreaterThan(10)
})

import { describe, expect, it } from 'vitest'
import type { ModelRequest } from '../fakes/model-server.ts'
import { flawsOf, type Said, sightOf } from './sight.ts'

const user: Said = { kind: 'user', text: 'Go' }
const call = (id: string, text = '{}'): Said => ({ kind: 'call', id, name: 'think', text })
const result = (id: string): Said => ({ kind: 'result', id, text: 'ok' })

const FLAWED: [what: string, said: Said[]][] = [
  ['a call without a result', [user, call('a')]],
  ['a result without a call', [user, result('a')]],
  ['two results of one call', [user, call('a'), result('a'), result('a')]],
  ['results in another order', [user, call('a'), call('b'), result('b'), result('a')]],
  ['a result that is missing among others', [user, call('a'), call('b'), result('a'), user]],
  ['words between a call and its result', [user, call('a'), user, result('a')]],
  ['an id that comes again', [user, call('a'), result('a'), call('a'), result('a')]],
  ['arguments that are no JSON', [user, call('a', '{"b": '), result('a')]],
  ['arguments that are no object', [user, call('a', '[]'), result('a')]],
  ['an assistant that begins', [{ kind: 'assistant', text: 'I am here.' }]],
]

const BODIES: Record<ModelRequest['wire'], object> = {
  openai: {
    messages: [
      { role: 'system', content: 'rules' },
      { role: 'user', content: [{ type: 'text', text: 'Go' }] },
      {
        role: 'assistant',
        content: 'Well',
        tool_calls: [{ id: '0', function: { name: 'think', arguments: '{"a":1}' } }],
      },
      { role: 'tool', tool_call_id: '0', content: 'ok' },
    ],
  },
  responses: {
    input: [
      { role: 'developer', content: 'rules' },
      { role: 'user', content: [{ type: 'input_text', text: 'Go' }] },
      { role: 'assistant', content: [{ type: 'output_text', text: 'Well' }] },
      { type: 'function_call', call_id: '0', name: 'think', arguments: '{"a":1}' },
      { type: 'function_call_output', call_id: '0', output: 'ok' },
    ],
  },
  anthropic: {
    system: [{ type: 'text', text: 'rules' }],
    messages: [
      { role: 'user', content: 'Go' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Well' },
          { type: 'tool_use', id: '0', name: 'think', input: { a: 1 } },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: '0', content: [{ type: 'text', text: 'ok' }] }] },
    ],
  },
  gemini: {
    systemInstruction: { parts: [{ text: 'rules' }] },
    contents: [
      { role: 'user', parts: [{ text: 'Go' }] },
      { role: 'model', parts: [{ text: 'Well' }, { functionCall: { name: 'think', args: { a: 1 } } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'think', response: { content: 'ok' } } }] },
    ],
  },
}

const requestOn = (wire: ModelRequest['wire'], body: object): ModelRequest => ({
  wire,
  path: '/',
  model: 'm',
  stream: true,
  headers: {},
  body,
  closed: Promise.resolve(),
})

describe('what a provider would refuse', () => {
  it.each(FLAWED)('%s is noticed', (_, said) => {
    const sight = sightOf(requestOn('openai', BODIES.openai))
    expect(flawsOf({ ...sight, said })).not.toEqual([])
  })
})

it.each(Object.entries(BODIES))('a request is read the same on every wire: %s', (wire, body) => {
  const sight = sightOf(requestOn(wire as ModelRequest['wire'], body))
  expect(sight).toMatchObject({ system: expect.stringContaining('rules'), result: 'ok', results: ['ok'] })
  expect(sight.said).toEqual([user, { kind: 'assistant', text: 'Well' }, call('0', '{"a":1}'), result('0')])
  expect(flawsOf(sight)).toEqual([])
})

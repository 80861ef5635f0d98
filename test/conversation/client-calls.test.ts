import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ExecutionStatus, NewEvent } from '../../server/api/event/events.ts'
import { ClientCalls } from '../../server/conversation/tools/client-calls.ts'
import type { Conversation } from '../../server/store/conversation/conversations.ts'
import { aConversation, openStore } from '../parts/service/store.ts'

let store: ReturnType<typeof openStore>
let calls: ClientCalls
let conversation: Conversation
let actionId: string

beforeEach(() => {
  store = openStore()
  calls = new ClientCalls(store.eventLog)
  conversation = aConversation({ execution_status: 'running' })
  store.conversations.insert(conversation)
  actionId = store.eventLog.append(conversation.id, call({ kind: 'ClientToolAction', data: {} })).id
})
afterEach(() => store.remove())

function call(action: Extract<NewEvent, { kind: 'ActionEvent' }>['action']): NewEvent {
  return {
    kind: 'ActionEvent',
    source: 'agent',
    thought: [],
    thinking_blocks: [],
    action,
    tool_name: 'show',
    tool_call_id: 'call_0',
    tool_call: { id: 'call_0', name: 'show', arguments: '{}', origin: 'completion' },
    llm_response_id: 'answer',
    security_risk: 'UNKNOWN',
  }
}

const patiently = (signal = new AbortController().signal) => ({ timeoutMs: 60_000, signal })
const answer = (text: string, id = actionId) =>
  calls.answer(conversation, { action_id: id, content: [{ type: 'text', text }], is_error: false })
const says = (text: string) => ({ content: [{ type: 'text', text }], isError: false })

describe('a call that a client carries out', () => {
  it('is answered while the agent waits', async () => {
    const result = calls.result(conversation.id, actionId, patiently())
    answer('shown')
    expect(await result).toEqual(says('shown'))
  })

  it('may be answered before the agent waits, but only once', async () => {
    answer('shown')
    expect(() => answer('shown again')).toThrow(expect.objectContaining({ code: 'conflict' }))
    expect(await calls.result(conversation.id, actionId, patiently())).toEqual(says('shown'))
  })

  it('is given up after its time', async () => {
    const given = { timeoutMs: 1, signal: new AbortController().signal }
    expect(await calls.result(conversation.id, actionId, given)).toBeNull()
  })

  it('is given up with the signal, before and while it waits', async () => {
    const stop = new AbortController()
    const result = calls.result(conversation.id, actionId, patiently(stop.signal))
    stop.abort(new Error('Stopped.'))
    await expect(result).rejects.toThrow('Stopped.')
    await expect(calls.result(conversation.id, actionId, patiently(stop.signal))).rejects.toThrow('Stopped.')
  })

  it('that is not there, or is no call of a client’s tool, takes no answer', () => {
    const thought = store.eventLog.append(conversation.id, call({ kind: 'ThinkAction', thought: 'Hm.' }))
    const message = store.eventLog.append(conversation.id, {
      kind: 'MessageEvent',
      source: 'user',
      llm_message: { role: 'user', content: [] },
      activated_skills: [],
      extended_content: [],
    })
    for (const id of ['nothing', thought.id, message.id]) {
      expect(() => answer('x', id)).toThrow(expect.objectContaining({ code: 'not_found' }))
    }
  })

  it('that has its result takes no other one', () => {
    store.eventLog.append(conversation.id, {
      kind: 'AgentErrorEvent',
      source: 'agent',
      tool_name: 'show',
      tool_call_id: 'call_0',
      error: 'The user stopped the agent.',
    })
    expect(() => answer('late')).toThrow(/has its result already/)
  })

  it.each<[ExecutionStatus, RegExp]>([
    ['waiting_for_confirmation', /not accepted/],
    ['paused', /not at work/],
    ['error', /not at work/],
  ])('of a conversation that is %s takes no answer', (execution_status, words) => {
    conversation = { ...conversation, execution_status }
    expect(() => answer('x')).toThrow(words)
  })

  it('of one conversation is not answered through another one', () => {
    const other = aConversation({ execution_status: 'running' })
    store.conversations.insert(other)
    conversation = other
    expect(() => answer('x')).toThrow(expect.objectContaining({ code: 'not_found' }))
  })
})

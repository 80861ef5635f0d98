import { describe, expect, it } from 'vitest'
import { activeBranch } from '../../server/api/event/branch.ts'
import type { Event } from '../../server/api/event/events.ts'
import { viewOf } from '../../server/event/condensed.ts'
import { openCalls, toMessages } from '../../server/event/model-messages.ts'
import type { ModelMessage } from '../../server/llm/completion.ts'
import { createLog } from './events.ts'

const line = (message: ModelMessage) => {
  if (message.role === 'tool') return `tool ${message.toolCallId}: ${message.text}`
  if (message.role === 'assistant') return `assistant ${message.toolCalls.map(({ id }) => id).join('+')}${message.text}`
  const [text = ''] = message.content.map(part => (part.type === 'text' ? part.text : part.url))
  return text.includes('<summary>') ? `summary ${/<summary>\n(.*)\n<\/summary>/s.exec(text)?.[1]}` : `user ${text}`
}
const shape = (events: readonly Event[]) => toMessages(events).map(line)

describe('what the model sees', () => {
  it('is one message for the calls of one answer, each with its result in the order of the calls', () => {
    const log = createLog()
    log.say('go')
    const [a, b] = [log.call('a', 'r1'), log.call('b', 'r1')]
    log.answer(b, 'B')
    log.answer(a, 'A')
    expect(shape(log.events)).toEqual(['user go', 'assistant a+b', 'tool a: A', 'tool b: B'])
  })

  it('has what was said meanwhile after the results', () => {
    const log = createLog()
    log.say('go')
    const [a, b] = [log.call('a', 'r1'), log.call('b', 'r1')]
    log.say('wait')
    log.answer(a, 'A')
    log.say('more')
    log.fail(b)
    log.say('after')
    expect(shape(log.events)).toEqual([
      'user go',
      'assistant a+b',
      'tool a: A',
      'tool b: It failed.',
      'user wait',
      'user more',
      'user after',
    ])
  })

  it('tells calls with the same id apart, as some servers repeat theirs and others refuse that', () => {
    const log = createLog()
    log.say('go')
    log.answer(log.call('call_0', 'r1'), 'one')
    log.fail(log.call('call_0', 'r2'))
    expect(shape(log.events)).toEqual([
      'user go',
      'assistant call_0',
      'tool call_0: one',
      'assistant call_0_2',
      'tool call_0_2: It failed.',
    ])
  })

  it('does not take two answers for one because a server gives all of them the same id', () => {
    const log = createLog()
    log.say('go')
    log.answer(log.call('a', 'same'))
    log.answer(log.call('b', 'same'))
    expect(shape(log.events)).toEqual(['user go', 'assistant a', 'tool a: ok', 'assistant b', 'tool b: ok'])
  })

  it('has a result for every call, whatever happened', () => {
    const log = createLog()
    log.say('go')
    log.call('a', 'r1')
    expect(openCalls(log.events).map(call => call.tool_call_id)).toEqual(['a'])
    expect(shape(log.events).slice(1)).toEqual(['assistant a', 'tool a: The call was not carried out.'])
  })

  it('has no result without its call, and none twice', () => {
    const log = createLog()
    log.say('go')
    const call = log.call('a', 'r1')
    log.answer(call, 'first')
    log.fail(call, 'second')
    const orphan = { ...call, id: 'elsewhere', tool_call_id: 'elsewhere' }
    log.answer(orphan)
    log.fail(orphan)
    expect(shape(log.events)).toEqual(['user go', 'assistant a', 'tool a: first'])
  })

  it('begins with a user, because providers refuse anything else', () => {
    const log = createLog()
    log.speak('Hello')
    expect(shape(log.events)).toEqual(['user (The conversation begins here.)', 'assistant Hello'])
    expect(toMessages([])).toEqual([])
  })

  it('says who rejected a call and why', () => {
    const log = createLog()
    log.say('go')
    log.reject(log.call('a', 'r1'), 'user')
    log.reject(log.call('b', 'r2'), 'hook')
    expect(shape(log.events).filter(text => text.startsWith('tool'))).toEqual([
      'tool a: The user rejected this action: No.',
      'tool b: A hook of the repository did not allow this action: No.',
    ])
  })

  it('has what skills and hooks add to a message and to a result', () => {
    const log = createLog()
    const message = log.say('go')
    const answer = log.answer(log.call('a', 'r1'), 'output')
    const added = [{ type: 'text' as const, text: 'A rule for this path' }]
    const events = log.events.map(event =>
      event.id === message.id || event.id === answer.id ? { ...event, extended_content: added } : event,
    )
    expect(toMessages(events as Event[])).toMatchObject([
      {
        content: [
          { type: 'text', text: 'go' },
          { type: 'text', text: 'A rule for this path' },
        ],
      },
      {},
      { text: 'output\nA rule for this path' },
    ])
  })

  it('has images of messages and results', () => {
    const log = createLog()
    const image = { type: 'image' as const, image_urls: ['data:image/png;base64,AA=='] }
    log.add({
      kind: 'MessageEvent',
      source: 'user',
      llm_message: { role: 'user', content: [image] },
      activated_skills: [],
      extended_content: [],
    })
    const call = log.call('a', 'r1')
    log.add({
      kind: 'ObservationEvent',
      source: 'environment',
      tool_name: 'think',
      tool_call_id: 'a',
      action_id: call.id,
      observation: { kind: 'ThinkObservation', content: [image], is_error: false },
    })
    expect(toMessages(log.events)).toMatchObject([
      { content: [{ type: 'image', url: image.image_urls[0] }] },
      {},
      { imageUrls: image.image_urls, text: '' },
    ])
  })
})

describe('after a condensation', () => {
  it('a summary stands where it says for what was forgotten', () => {
    const log = createLog()
    log.state('stats', {})
    const told = log.say('go')
    const [a, b] = [log.call('a', 'r1'), log.call('b', 'r2')]
    const [resultA] = [log.answer(a), log.answer(b)]
    log.say('more')
    log.condense([a.id, resultA.id], 'a was done', 1)
    expect(shape(log.events)).toEqual(['user go', 'summary a was done', 'assistant b', 'tool b: ok', 'user more'])
    expect(viewOf(log.events)[0]?.id).toBe(told.id)
  })

  it('nothing stands for what was forgotten without a summary', () => {
    const log = createLog()
    log.say('go')
    const spoken = log.speak('Hello')
    log.condense([spoken.id])
    expect(shape(log.events)).toEqual(['user go'])
  })

  it('the next one forgets the summary of the last', () => {
    const log = createLog()
    log.say('go')
    const first = log.speak('one')
    const condensation = log.condense([first.id], 'one', 1)
    const second = log.speak('two')
    log.condense([second.id, `${condensation.id}-summary`], 'one and two', 1)
    log.say('on')
    expect(shape(log.events)).toEqual(['user go', 'summary one and two', 'user on'])
  })

  it('is as if it had not been once one goes back to before it', () => {
    const log = createLog()
    log.say('go')
    const spoken = log.speak('one')
    log.condense([spoken.id], 'summary', 1)
    log.goTo(spoken.id)
    expect(shape(activeBranch(log.events))).toEqual(['user go', 'assistant one'])
  })

  it('a call is forgotten with its result, whichever was named, also when the result comes later', () => {
    const log = createLog()
    log.say('go')
    const [a, b] = [log.call('a', 'r1'), log.call('b', 'r1')]
    const resultA = log.answer(a)
    log.condense([resultA.id, b.id], 'both', 9)
    log.answer(b)
    expect(shape(log.events)).toEqual(['user go', 'summary both'])
  })

  it('a summary within an answer waits for its results', () => {
    const log = createLog()
    log.say('go')
    const [a, b] = [log.call('a', 'r1'), log.call('b', 'r1')]
    log.answer(a)
    log.condense([], 'meanwhile', 3)
    log.answer(b)
    expect(shape(log.events)).toEqual(['user go', 'assistant a+b', 'tool a: ok', 'tool b: ok', 'summary meanwhile'])
  })
})

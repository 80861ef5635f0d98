import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Bus } from '../../server/bus.ts'
import { Titles } from '../../server/conversation/titles.ts'
import { AppError } from '../../server/domain/errors.ts'
import type { Complete } from '../../server/llm/completion.ts'
import { createMask } from '../../server/secret/mask/mask.ts'
import { completionOf, summariser } from '../agent/condenser-model.ts'
import { createLog } from '../event/events.ts'
import { aConversation, openStore } from '../parts/service/store.ts'

let store: ReturnType<typeof openStore>
let titles: Titles
let counted: number
beforeEach(() => {
  store = openStore()
  counted = 0
  titles = new Titles({
    wantsTitle: () => true,
    titleModel: () => null,
    ...store,
    bus: new Bus(),
    parts: { countUsage: () => counted++ },
    mask: createMask(['hunter22']).mask,
    log: pino({ level: 'silent' }),
  })
})
afterEach(async () => {
  await titles.close()
  store.remove()
})

function insert(fields: Parameters<typeof aConversation>[0] = {}) {
  const conversation = aConversation({ title: 'Please fix it', title_is_default: true, ...fields })
  store.conversations.insert(conversation)
  return conversation
}

const spoken = (text = 'Please fix it') => {
  const log = createLog()
  log.say(text)
  return log.events
}

/** Answers when it is let. */
function patient(text: string) {
  let answer = () => {}
  const asked: AbortSignal[] = []
  const complete: Complete = ({ signal }) =>
    new Promise((resolve, reject) => {
      asked.push(signal)
      signal.addEventListener('abort', () => reject(signal.reason))
      answer = () => resolve(completionOf(text, 't'))
    })
  return { complete, asked, answer: () => answer() }
}

describe('a title by the model', () => {
  it('replaces the first line, stands in the log once, and is paid for', async () => {
    const one = insert()
    titles.consider(one, spoken(), summariser('Fix the parser').options.complete)
    await titles.settled(one.id)
    const named = store.conversations.get(one.id)
    expect(named).toMatchObject({ title: 'Fix the parser', title_is_default: false })
    expect(named?.stats).toMatchObject({ steps: 0, usage_to_metrics: { title: { accumulated_cost: 0.01 } } })
    expect(counted).toBe(1)
    expect(store.eventLog.read(one.id, 0, 1000)).toMatchObject([
      { key: 'title', value: 'Fix the parser' },
      { key: 'stats', value: { usage_to_metrics: { title: { accumulated_cost: 0.01 } } } },
    ])
  })

  it('is asked for once, however often the agent answers', async () => {
    const one = insert()
    const model = summariser(new AppError('llm_unreachable', 'Away.'))
    for (const _ of [1, 2, 3]) titles.consider(one, spoken(), model.options.complete)
    await titles.settled(one.id)
    titles.consider(one, spoken(), model.options.complete)
    expect(model.requests).toHaveLength(1)
    expect(store.conversations.get(one.id)).toEqual(one)
    expect(counted).toBe(0)
  })

  it.each([
    ['named by a person', { title_is_default: false }, 'Go'],
    ['a replay', { replay: '[]' }, 'Go'],
    ['without words', {}, ' \n'],
  ])('is not asked for one that is %s', (_what, fields, words) => {
    const model = summariser('A title')
    titles.consider(insert(fields), spoken(words), model.options.complete)
    expect(model.requests).toEqual([])
  })

  it('comes too late when a person has named it meanwhile, but is paid for', async () => {
    const one = insert()
    const model = patient('By the model')
    titles.consider(one, spoken(), model.complete)
    store.conversations.update(one.id, { title: 'By me', title_is_default: false })
    model.answer()
    await titles.settled(one.id)
    const named = store.conversations.get(one.id)
    expect(named).toMatchObject({ title: 'By me', stats: { usage_to_metrics: { title: {} } } })
    expect(store.eventLog.read(one.id, 0, 1000)).toEqual([])
  })

  it('stops waiting when the conversation is deleted, and writes nothing', async () => {
    const one = insert()
    const model = patient('Too late')
    titles.consider(one, spoken(), model.complete)
    await titles.release(one.id)
    expect(model.asked.map(signal => signal.aborted)).toEqual([true])
    expect(store.conversations.get(one.id)).toEqual(one)
  })

  it('leaves nothing of a conversation that was deleted while the model answered', async () => {
    const one = insert()
    const model = patient('Too late')
    titles.consider(one, spoken(), model.complete)
    store.conversations.delete(one.id)
    model.answer()
    await titles.settled(one.id)
    expect(store.eventLog.read(one.id, 0, 1000)).toEqual([])
    expect(counted).toBe(0)
  })

  it('neither gets nor shows a secret', async () => {
    const one = insert()
    const model = summariser('Log in with hunter22')
    titles.consider(one, spoken('Log in with hunter22 and look'), model.options.complete)
    await titles.settled(one.id)
    expect(model.prompts()[0]).not.toContain('hunter22')
    expect(store.conversations.get(one.id)?.title).toBe('Log in with <secret-hidden>')
  })
})

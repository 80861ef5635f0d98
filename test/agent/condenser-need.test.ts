import { describe, expect, it } from 'vitest'
import { createCondenser } from '../../server/agent/condenser.ts'
import { NO_STATS } from '../../server/agent/limits.ts'
import type { ConversationStats } from '../../server/api/event/metrics.ts'
import { createLog, type TestLog } from '../event/events.ts'
import { completionOf, summariser, work, worked } from './condenser-model.ts'

describe('the condenser of a run', () => {
  const ask = (log: TestLog, force = false, model = summariser(), stats = NO_STATS) =>
    createCondenser(model.options).condense(log.events, { force, stats, signal: model.options.signal })

  it('does nothing until there are too many events', async () => {
    expect(await ask(worked('Go', 19))).toBeNull()
    expect(await ask(worked('Go', 20))).not.toBeNull()
  })

  it('does not wait for a good cut without end', async () => {
    const oneAnswer = (count: number) => {
      const log = createLog()
      log.say('go')
      const calls = [...Array(count).keys()].map(n => log.call(`c${n}`, 'one answer'))
      for (const call of calls) log.answer(call, 'x'.repeat(100))
      return log
    }
    expect(await ask(oneAnswer(39))).toBeNull()
    expect(await ask(oneAnswer(40))).not.toBeNull()
  })

  it('does what the model or a person asks for, also when it is switched off', async () => {
    const off = summariser()
    off.options.maxEvents = null
    expect(await ask(worked('Go', 200), false, off)).toBeNull()
    expect(await ask(worked('Go', 10), true, off)).not.toBeNull()
    const log = worked('Go', 10)
    log.add({ kind: 'CondensationRequest', source: 'environment' })
    expect(await ask(log, false, off)).not.toBeNull()
  })

  it('does not do again what was asked for once', async () => {
    const log = worked('Go', 10)
    log.add({ kind: 'CondensationRequest', source: 'environment' })
    const done = await ask(log)
    if (done) log.add(done.event)
    expect(await ask(log)).toBeNull()
    const tooEarly = worked('Go', 0)
    tooEarly.add({ kind: 'CondensationRequest', source: 'environment' })
    work(tooEarly, 5)
    expect(await ask(tooEarly)).toBeNull()
  })

  it('acts before the window is full, by the counts of the model and what came since', async () => {
    const log = worked('Go', 10)
    const last = log.events.findLast(event => event.kind === 'ActionEvent')
    const answer = last?.llm_response_id ?? ''
    expect(await ask(log, false, summariser(), counted(7_000, answer))).toBeNull()
    expect(await ask(log, false, summariser(), counted(8_000, answer))).not.toBeNull()
    // A count of an answer that is not part of this branch says nothing about it.
    expect(await ask(log, false, summariser(), counted(8_000, 'elsewhere'))).toBeNull()
    log.answer(log.call('more', 'r-more'), 'x'.repeat(20_000))
    expect(await ask(log, false, summariser(), counted(2_000, answer))).toBeNull()
    expect(await ask(log, false, summariser(), counted(3_000, answer))).not.toBeNull()
  })

  it('is not misled by the count from before a condensation', async () => {
    const log = worked('Go', 10, 2_000)
    const stats = counted(9_900, 'r10')
    const first = await ask(log, false, summariser(), stats)
    expect(first).not.toBeNull()
    if (first) log.add(first.event)
    expect(await ask(log, false, summariser(), stats)).toBeNull()
  })
})

/** Statistics after an answer of a model whose window is 10,000 tokens. */
function counted(prompt_tokens: number, response_id: string): ConversationStats {
  const { usage } = completionOf('', response_id)
  const counts = { ...usage, prompt_tokens, completion_tokens: 100, context_window: 10_000 }
  return { ...NO_STATS, last_step: { response_id, cost: null, latency_ms: 1, usage: counts } }
}

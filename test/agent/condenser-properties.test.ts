import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { condensationNeed } from '../../server/agent/condenser/need.ts'
import { unitsOf } from '../../server/agent/condenser/selection.ts'
import { estimateTokens } from '../../server/agent/condenser/size.ts'
import { condense } from '../../server/agent/condenser.ts'
import { activeBranch } from '../../server/api/event/branch.ts'
import type { NewEvent } from '../../server/api/event/events.ts'
import { type ViewItem, viewOf } from '../../server/event/condensed.ts'
import { openCalls, toMessages } from '../../server/event/model-messages.ts'
import type { TestLog } from '../event/events.ts'
import { anyLog, grow, type LogStep } from '../event/random-log.ts'
import { summariser } from './condenser-model.ts'

const need = fc.constantFrom('soft' as const, 'hard' as const)
const size = fc.record({
  maxEvents: fc.integer({ min: 6, max: 30 }),
  keepFirst: fc.nat(6),
  contextWindow: fc.option(fc.integer({ min: 200, max: 20_000 })),
})

/** A log as it is when the loop looks: every call has its result. Results are long enough to be worth a summary. */
function restingLog(steps: readonly LogStep[]): TestLog {
  const log = grow(steps)
  for (const call of openCalls(activeBranch(log.events))) log.answer(call, 'long '.repeat(400))
  return log
}

async function run(log: TestLog, how: 'soft' | 'hard', options: Partial<ReturnType<typeof summariser>['options']>) {
  const before = viewOf(activeBranch(log.events))
  const model = summariser()
  const result = await condense(activeBranch(log.events), how, { ...model.options, ...options })
  if (result) log.add(result.event as NewEvent)
  return { before, after: viewOf(activeBranch(log.events)), result, model }
}

const idsOf = (view: readonly ViewItem[]) => view.map(({ id }) => id)
const isPersons = (item: ViewItem) => item.kind === 'MessageEvent' && item.source === 'user'

describe('of any log', () => {
  it('a condensation keeps calls with their results, and what it keeps in order', async () => {
    await fc.assert(
      fc.asyncProperty(anyLog({ condensation: true, navigation: true }), need, size, async (steps, how, options) => {
        const log = restingLog(steps)
        const { before, after, result } = await run(log, how, options)
        if (!result) return
        const kept = after.filter(item => item.kind !== 'CondensationSummaryEvent')
        expect(idsOf(kept)).toEqual(idsOf(before).filter(id => idsOf(kept).includes(id)))
        expect(after.filter(item => item.kind === 'CondensationSummaryEvent')).toHaveLength(1)
        const target = Math.floor(options.maxEvents / 2)
        const left = how === 'soft' ? target : Math.min(target, Math.ceil(before.length / 2))
        for (const unit of unitsOf(before, Math.floor(left / 2))) {
          const calls = unit.filter(item => !isPersons(item))
          const stayed = calls.filter(item => idsOf(kept).includes(item.id))
          expect([0, calls.length]).toContain(stayed.length)
        }
        const roles = toMessages(activeBranch(log.events)).map(({ role }) => role)
        expect(roles[0]).toBe('user')
      }),
      { numRuns: 400 },
    )
  })

  it('the task and what a person said last stay, or stand in the summary', async () => {
    await fc.assert(
      fc.asyncProperty(anyLog(), need, size, async (steps, how, options) => {
        const log = restingLog(steps)
        const { before, result } = await run(log, how, options)
        if (!result) return
        const said = before.filter(isPersons)
        const told = JSON.stringify(toMessages(log.events))
        for (const item of [said[0], said.at(-1)]) {
          const [text] = item?.kind === 'MessageEvent' ? item.llm_message.content : []
          if (text?.type === 'text') expect(told).toContain(text.text)
        }
      }),
    )
  })

  it('a soft condensation keeps the beginning and comes down to its target', async () => {
    await fc.assert(
      fc.asyncProperty(anyLog(), size, async (steps, options) => {
        const { before, after, result } = await run(restingLog(steps), 'soft', { ...options, contextWindow: null })
        if (!result) return
        const keepFirst = Math.min(options.keepFirst, Math.ceil(options.maxEvents / 2) - 1)
        const ends = unitsOf(before, Math.floor(options.maxEvents / 4)).map(
          (_, index, units) => units.slice(0, index + 1).flat().length,
        )
        const head = ends.findLast(end => end <= keepFirst) ?? 0
        expect(idsOf(after).slice(0, head)).toEqual(idsOf(before).slice(0, head))
        expect(after.length).toBeLessThanOrEqual(Math.max(Math.floor(options.maxEvents / 2), head + 3))
      }),
    )
  })

  it('a hard condensation makes progress while there is anything worth it, and comes to an end', async () => {
    await fc.assert(
      fc.asyncProperty(anyLog({ condensation: true }), size, async (steps, options) => {
        const log = restingLog(steps)
        for (let round = 0; round <= steps.length * 4; round++) {
          const { before, after, result } = await run(log, 'hard', options)
          const fresh = (view: ViewItem[]) => view.filter(item => item.kind !== 'CondensationSummaryEvent')
          if (!result) return
          expect(fresh(after).length).toBeLessThan(fresh(before).length)
          expect(estimateTokens(fresh(after))).toBeLessThan(estimateTokens(fresh(before)))
        }
        expect.fail('It never ended.')
      }),
    )
  })

  it('what was condensed because of its size needs no condensation after it', async () => {
    await fc.assert(
      fc.asyncProperty(anyLog(), fc.integer({ min: 20, max: 40 }), async (steps, maxEvents) => {
        const log = restingLog(steps)
        const circumstances = { maxEvents, contextWindow: null, usage: null, refused: false }
        const before = condensationNeed(log.events, circumstances)
        const { result } = await run(log, 'soft', { maxEvents, keepFirst: 4 })
        if (before === 'soft' && result) expect(condensationNeed(log.events, circumstances)).toBe('none')
        if (before === 'none' && log.events.length < maxEvents / 2) expect(result).toBeNull()
      }),
    )
  })

  it('nothing of a log can pose as another part of the prompt', async () => {
    const hostile = fc.array(
      fc.constantFrom('<', '</', '>', 'log', 'entry', 'task', 'summary', 'facts', 'earlier_summary', ' ', '\n', '&lt;'),
      { maxLength: 30 },
    )
    await fc.assert(
      fc.asyncProperty(hostile, async parts => {
        const log = grow([{ kind: 'say' }])
        for (let n = 0; n < 12; n++) log.answer(log.call(`c${n}`, `r${n}`), parts.join(''))
        const { model } = await run(log, 'soft', { maxEvents: 20 })
        const [text = ''] = model.prompts()
        expect(text.match(/<\/?(log|task)>/g)).toEqual(['<task>', '</task>', '<log>', '</log>'])
        expect(text.match(/<\/?(summary|facts|earlier_summary)\b/g)).toBeNull()
      }),
    )
  })
})

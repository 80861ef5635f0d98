import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addStep, addUsage, NO_STATS } from '../../server/agent/limits.ts'
import { usageReport } from '../../server/api/v1/system/usage.ts'
import { UsageLedger, usageBetween } from '../../server/conversation/run/usage-ledger.ts'
import { UsageTable } from '../../server/store/usage.ts'
import { completionOf } from '../agent/condenser-model.ts'
import { openStore } from '../parts/service/store.ts'

const LIMITS = { max_iterations: 10, max_budget_per_task: null }
const NOON = new Date(2026, 2, 30, 12)

let store: ReturnType<typeof openStore>
let now = NOON
let spending: UsageLedger
beforeEach(() => {
  store = openStore()
  now = NOON
  spending = new UsageLedger({ table: new UsageTable(store.database), now: () => now })
})
afterEach(() => store.remove())

/** An answer of `tokens` prompt tokens for `cost` dollars. */
function answer(model: string, tokens: number, cost: number | null) {
  const completion = completionOf('', `r${tokens}`)
  const usage = { ...completion.usage, model, prompt_tokens: tokens, completion_tokens: 1, cache_read_tokens: 2 }
  return { ...completion, cost, usage }
}

describe('spending', () => {
  it('is told for every day of the range, today last', () => {
    const report = usageReport.parse(spending.report(3))
    expect(report.days.map(({ day }) => day)).toEqual(['2026-03-28', '2026-03-29', '2026-03-30'])
    expect(report).toMatchObject({ total: { steps: 0, cost: 0 }, by_model: [] })
    now = new Date(2027, 0, 1, 0, 1)
    expect(spending.report(2).days.map(({ day }) => day)).toEqual(['2026-12-31', '2027-01-01'])
    expect(new Set(spending.report(366).days.map(({ day }) => day)).size).toBe(366)
  })

  it('counts each answer once, by day, model and purpose', () => {
    const first = addStep(NO_STATS, answer('small', 100, 0.1), LIMITS)
    const second = addStep(first, answer('large', 300, 0.5), LIMITS)
    const third = addUsage(second, 'condenser', answer('small', 50, 0.02), LIMITS)
    spending.count(NO_STATS, first)
    now = new Date(2026, 2, 31, 1)
    spending.count(first, second)
    spending.count(second, third)
    const { days, total, by_model } = usageReport.parse(spending.report(2))
    expect(days[0]).toMatchObject({ day: '2026-03-30', steps: 1, prompt_tokens: 100, cache_read_tokens: 2, cost: 0.1 })
    expect(days[1]?.by_model.map(({ model, usage_id }) => `${model} ${usage_id}`)).toEqual([
      'large default',
      'small condenser',
    ])
    expect(total).toMatchObject({ steps: 3, prompt_tokens: 450, completion_tokens: 3, unknown_cost_steps: 0 })
    expect(total.cost).toBeCloseTo(0.62)
    expect(by_model[0]).toMatchObject({ model: 'large', steps: 1, prompt_tokens: 300 })
    expect(spending.report(1).total.steps).toBe(2)
  })

  it('adds up what several conversations take', () => {
    const stats = addStep(NO_STATS, answer('m', 10, 0.25), LIMITS)
    for (let n = 0; n < 4; n++) spending.count(NO_STATS, stats)
    expect(spending.report(1).days[0]?.by_model).toMatchObject([{ model: 'm', steps: 4, prompt_tokens: 40, cost: 1 }])
  })

  it('says how many answers have no known price', () => {
    const unknown = addStep(NO_STATS, answer('own', 10, null), LIMITS)
    const known = addStep(unknown, answer('own', 10, 0.1), LIMITS)
    const aside = addUsage(known, 'title', answer('own', 5, null), LIMITS)
    spending.count(NO_STATS, unknown)
    spending.count(unknown, known)
    spending.count(known, aside)
    expect(spending.report(1).total).toMatchObject({ steps: 3, cost: 0.1, unknown_cost_steps: 2 })
  })

  it('is part of the transaction that stores the step', () => {
    const stats = addStep(NO_STATS, answer('m', 10, 0.1), LIMITS)
    const fail = () =>
      store.database.transaction(() => {
        spending.count(NO_STATS, stats)
        throw new Error('The step was not stored.')
      })
    expect(fail).toThrow('The step was not stored.')
    expect(spending.report(1).total.steps).toBe(0)
  })

  it('counts nothing where nothing was used', () => {
    const stats = addStep(NO_STATS, answer('m', 10, 0.1), LIMITS)
    expect(usageBetween(stats, stats)).toEqual([])
    expect(usageBetween(stats, { ...stats, cost_unknown: true })).toEqual([])
  })

  it('never goes down, even if statistics begin anew', () => {
    const stats = addStep(NO_STATS, answer('m', 10, 0.1), LIMITS)
    expect(usageBetween(stats, NO_STATS)).toEqual([])
    const anew = addStep(NO_STATS, answer('m', 5, 0.05), LIMITS)
    for (const usage of usageBetween(addStep(stats, answer('m', 10, 0.1), LIMITS), anew)) {
      expect(usage.prompt_tokens).toBe(0)
      expect(usage.cost).toBe(0)
    }
  })

  it('is kept when the service starts again', () => {
    spending.count(NO_STATS, addStep(NO_STATS, answer('m', 10, 0.1), LIMITS))
    store.close()
    store = openStore(store.folder)
    const again = new UsageLedger({ table: new UsageTable(store.database), now: () => now })
    expect(again.report(1).total).toMatchObject({ steps: 1, prompt_tokens: 10 })
  })
})

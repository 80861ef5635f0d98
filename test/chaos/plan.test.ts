import { expect, test } from 'vitest'
import { FAULT_KINDS, type PlanOptions, plan } from './plan.ts'

const OPTIONS: PlanOptions = { seed: 7, users: 4, faults: 300, kinds: FAULT_KINDS }

test('the same seed gives the same faults, another one others', () => {
  expect([...plan(OPTIONS)]).toEqual([...plan(OPTIONS)])
  expect([...plan({ ...OPTIONS, seed: 8 })]).not.toEqual([...plan(OPTIONS)])
})

test('there are as many faults as were asked for, of every kind', () => {
  const faults = [...plan(OPTIONS)].flatMap(round => round.faults)
  expect(faults).toHaveLength(300)
  expect(new Set(faults.map(({ kind }) => kind))).toEqual(new Set(FAULT_KINDS))
})

test('a shorter run begins as the longer one does', () => {
  const short = [...plan({ ...OPTIONS, faults: 40 })]
  expect([...plan(OPTIONS)].slice(0, short.length - 1)).toEqual(short.slice(0, -1))
})

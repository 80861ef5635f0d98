import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Lane } from './lane.ts'
import { plan } from './plan.ts'

/** Each lane dies once at each kind of moment, and twice in its first start; `KILLS=200` tries more. */
const KILLS = Number(process.env.KILLS) || 18
const LANES = 2

const seed = Number(process.env.ATELIER_TEST_SEED) || Math.floor(Math.random() * 2 ** 31)
const lanes: Lane[] = []

beforeAll(async () => {
  for (let index = 0; index < LANES; index++) lanes.push(await Lane.open())
})

afterAll(async () => {
  await Promise.all(lanes.map(lane => lane.close()))
})

describe(`a service that is killed ${KILLS} times at any moment of its tasks (ATELIER_TEST_SEED=${seed})`, () => {
  it('loses nothing, does nothing twice, and finishes every task when told to go on', {
    timeout: KILLS * 25_000,
  }, async () => {
    const work = lanes.map(async (lane, index) => {
      for (const kill of plan(seed + index, KILLS / LANES)) {
        await lane.dieBy(kill).catch(error => {
          throw new Error(`ATELIER_TEST_SEED=${seed}, killed at ${kill.moment}:${kill.count}`, { cause: error })
        })
      }
      return lane.finish()
    })
    const tasks = await Promise.all(work)
    expect(Math.min(...tasks)).toBeGreaterThan(0)
  })
})

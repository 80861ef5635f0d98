import { expect, test } from 'vitest'
import { AppError } from '../../../server/domain/errors.ts'
import { RunningLimit } from '../../../server/sandbox/pause/running-limit.ts'
import type { Sandbox } from '../../../server/sandbox/state.ts'

function running(id: string): Sandbox {
  return { id, specId: 'spec', createdAt: '2026-01-01T00:00:00.000Z', kind: 'booting', detail: '' }
}

/** @param outcomes what comes of pausing the one that was idle for longest, one after the other */
function limited(...outcomes: (AppError | true | false)[]) {
  let sandboxes = [running('one')]
  const pauseLongestIdle = async () => {
    const outcome = outcomes.shift()
    if (outcome instanceof AppError) throw outcome
    if (outcome) sandboxes = []
    return outcome ?? false
  }
  return new RunningLimit({
    runningLimit: () => 1,
    sandboxes: () => sandboxes,
    idle: { pauseLongestIdle, giveWay: async () => {} },
    onEntered: () => {},
  })
}

test('one that cannot be paused keeps nobody from the place of another one', async () => {
  const limit = limited(new AppError('engine_failed', 'There is no freezer.'), true)
  const leave = await limit.enter()
  expect(limit.room()).toBe(0)
  leave()
  expect(limit.room()).toBe(1)
})

test('where no other one rests, it is said that there are too many', async () => {
  await expect(limited(new AppError('conflict', 'It ended.'), false).enter()).rejects.toMatchObject({
    code: 'too_many_sandboxes',
  })
})

test('an engine that is away is said', async () => {
  await expect(limited(new AppError('engine_unavailable', 'It is away.')).enter()).rejects.toMatchObject({
    code: 'engine_unavailable',
  })
})

import { expect, test } from 'vitest'
import type { RunOutcome } from '../../../server/agent/run.ts'
import type { EngineStatus } from '../../../server/api/v1/system/system.ts'
import { type EngineStatusSource, runWithEngineRecovery } from '../../../server/conversation/run/engine-wait.ts'
import { AppError } from '../../../server/domain/errors.ts'

const LOST: RunOutcome = { kind: 'failed', error: new AppError('engine_unavailable', 'Gone. Start it.') }
const DONE = { kind: 'finished' } as unknown as RunOutcome

function source(answers: EngineStatusSource['answers']): EngineStatusSource {
  return { losses: 0, recheck: async () => ({}) as EngineStatus, answers }
}

function runOn(engine: () => EngineStatusSource) {
  const outcomes = [LOST, DONE]
  const states: unknown[] = []
  const end = runWithEngineRecovery(
    async () => outcomes.shift() ?? DONE,
    { abort: new AbortController(), pauseRequested: false },
    { engine, record: event => states.push((event as { value?: unknown }).value) },
  )
  return { end, states }
}

/** Until the signal ends it. */
const silent = (signal: AbortSignal) =>
  new Promise<void>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

test('a run goes on when the engine of its sandbox is known under another entry', async () => {
  const [before, after] = [source(silent), source(async () => {})]
  let now = before
  const { end, states } = runOn(() => now)
  await new Promise(resolve => setTimeout(resolve))
  now = after
  expect(await end).toBe(DONE)
  expect(states).toEqual([{ state: 'away' }, { state: 'back' }])
})

test('a run whose engine was removed waits no longer', async () => {
  const removed = new AppError('engine_unavailable', 'Removed. Add it again.')
  const closed = source(async () => {
    throw removed
  })
  expect(await runOn(() => closed).end).toEqual({ kind: 'failed', error: removed })
})

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ContainerState } from '../../../server/docker/engine.ts'
import { AppError } from '../../../server/domain/errors.ts'
import { SandboxPool, type SandboxPoolOptions } from '../../../server/sandbox/prepared/pool.ts'

const MINUTE = 60_000

interface World {
  pool: SandboxPool
  /** Names of what was booted, and is not removed. */
  running: Set<string>
  booted: string[]
  limit: number
  fails: boolean
}

/** A pool with an engine that does what it is asked for at once. */
function world(): World {
  let count = 0
  const state: World = { pool: undefined as never, running: new Set(), booted: [], limit: 3, fails: false }
  const draft = async () => ({
    specId: 'default',
    request: { name: `sandbox-${count++}`, image: 'image', labels: {}, mounts: [] },
    canWait: true,
    context: '',
  })
  const engine = { image: async () => ({ id: 'sha256:1' }) }
  const options = {
    connection: {
      engine: () => engine,
      info: () => ({ memoryBytes: 16 * 1024 ** 3 }),
      subscribe: (listener: { onConnected(): void }) => {
        listener.onConnected()
        return () => {}
      },
    },
    bus: { subscribe: () => () => {} },
    log: { info: () => {} },
    networks: { forget: () => {} },
    shells: { take: async () => ({ close: () => {} }), giveBack: () => {} },
    removals: { begin: () => {} },
    reconciler: { remove: async (id: string) => void state.running.delete(id) },
    limit: async () => state.limit,
    newestSpec: () => undefined,
    draft,
    boot: async ({ name }: { name: string }) => {
      state.booted.push(name)
      if (state.fails) throw new AppError('engine_failed', 'No.')
      state.running.add(name)
      return { id: name } as ContainerState
    },
    isStarting: () => false,
  } as unknown as SandboxPoolOptions
  state.pool = new SandboxPool(options)
  return state
}

/** As a start of somebody's, which is over at once. */
async function start({ pool }: World): Promise<void> {
  pool.take({ specId: 'default', request: { labels: {} }, canWait: true, context: 'elsewhere' } as never)
  pool.startEnded()
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('nothing is prepared within two seconds of a start', async () => {
  const here = world()
  here.pool.start()
  await vi.advanceTimersByTimeAsync(1500)
  await start(here)
  await vi.advanceTimersByTimeAsync(1900)
  expect(here.booted).toEqual([])
  await vi.advanceTimersByTimeAsync(200)
  expect(here.running.size).toBe(1)
})

test('what was wanted because of many starts goes when they are ten minutes ago', async () => {
  const here = world()
  here.pool.start()
  for (let count = 0; count < 5; count++) await start(here)
  await vi.advanceTimersByTimeAsync(3000)
  expect(here.running.size).toBe(3)
  await vi.advanceTimersByTimeAsync(9 * MINUTE)
  expect(here.running.size).toBe(3)
  await vi.advanceTimersByTimeAsync(2 * MINUTE)
  expect(here.running.size).toBe(1)
  const timers = vi.getTimerCount()
  await vi.advanceTimersByTimeAsync(24 * 60 * MINUTE)
  expect([here.running.size, here.booted.length, timers]).toEqual([1, 3, 0])
})

test('what could not be made is tried again after five minutes, and not before', async () => {
  const here = world()
  here.fails = true
  here.pool.start()
  await vi.advanceTimersByTimeAsync(4 * MINUTE)
  expect(here.booted).toHaveLength(1)
  here.fails = false
  await vi.advanceTimersByTimeAsync(2 * MINUTE)
  expect(here.running.size).toBe(1)
})

test('those that are not wanted any more go, also while others are being started', async () => {
  const here = world()
  here.pool.start()
  await vi.advanceTimersByTimeAsync(3000)
  here.limit = 0
  await start(here)
  await vi.advanceTimersByTimeAsync(3000)
  expect(here.running.size).toBe(0)
})

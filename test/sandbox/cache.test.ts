import { expect, test } from 'vitest'
import { Bus } from '../../server/bus.ts'
import { writeLabels } from '../../server/docker/container/labels.ts'
import type { ContainerState, Engine, EngineListener } from '../../server/docker/engine.ts'
import { AppError } from '../../server/domain/errors.ts'
import { SandboxCache, type SandboxCacheOptions } from '../../server/sandbox/cache.ts'

const LABELS = writeLabels({
  instanceId: 'i',
  createdAt: '2026-01-01T00:00:00Z',
  specId: 's',
  workingDir: '/w',
  network: 'full',
})

function cacheWith(options: { connection: object; log?: object; known?: readonly { id: string }[] }) {
  const { connection, log = console, known = [] } = options
  return new SandboxCache({
    connection,
    bus: new Bus(),
    log,
    instanceId: 'i',
    lastKnown: { read: () => new Map(known.map(each => [each.id, each])), keep: () => {} },
    prepared: () => ({ has: () => false, heard: () => {} }),
    isToGo: () => false,
    onUnstarted: () => {},
  } as unknown as SandboxCacheOptions)
}

/** A cache of an engine that is there, and the listener of its events. */
function cacheOf(answers: Pick<Engine, 'listContainers' | 'inspectContainer'>, log?: object) {
  let listener: EngineListener | undefined
  const watch = (_: unknown, given: EngineListener) => {
    listener = given
    return { close: () => {} }
  }
  const engine = { ...answers, watch }
  const connection = {
    subscribe: ({ onConnected }: { onConnected: (one: unknown) => void }) => {
      onConnected(engine)
      return () => {}
    },
    engine: () => engine,
  }
  const cache = cacheWith({ connection, ...(log && { log }) })
  cache.start()
  return { cache, listener }
}

test('an answer that was under way when a sandbox was removed does not bring it back', async () => {
  const container = { id: 'c', name: 'atelier-a', status: 'running', labels: LABELS } as unknown as ContainerState
  let answer = (_: ContainerState) => {}
  const { cache, listener } = cacheOf({
    listContainers: async () => [container],
    inspectContainer: () =>
      new Promise<ContainerState>(resolve => {
        answer = resolve
      }),
  })
  listener?.onReconnect()
  await expect.poll(() => cache.list().length).toBe(1)
  const asked = cache.refresh('atelier-a')
  await new Promise(resolve => setTimeout(resolve))
  cache.remove('atelier-a')
  answer(container)
  await asked
  expect(cache.list()).toEqual([])
  await cache.close()
})

test("what one entry has known of an engine is the other entry's once that one has it", async () => {
  const container = { id: 'c', name: 'atelier-a', status: 'running', labels: LABELS } as unknown as ContainerState
  const row = { kind: 'unreachable', id: 'atelier-a', specId: 's', createdAt: '2026', container }
  const gone = { ...row, id: 'atelier-gone' }
  const engine = {
    watch: () => ({ close: () => {} }),
    listContainers: async () => [container],
  }
  const connection = { subscribe: () => () => {}, engine: () => engine }
  const [loser, winner] = [cacheWith({ connection, known: [row, gone] }), cacheWith({ connection })]
  winner.adopt(loser.list())
  loser.giveUp()
  expect([loser.list(), winner.list().map(({ id, kind }) => [id, kind])]).toEqual([
    [],
    [
      ['atelier-gone', 'unreachable'],
      ['atelier-a', 'unreachable'],
    ],
  ])
  await expect.poll(() => winner.list().map(({ id, kind }) => [id, kind])).toEqual([['atelier-a', 'container']])
})

test('what an engine could not say of a sandbox is asked again, and holds nothing up that it says of others', async () => {
  const of = (name: string) => ({ id: name, name, status, labels: LABELS }) as unknown as ContainerState
  const failures = ['atelier-a']
  let status = 'running'
  let listFailures = 1
  const answers = {
    listContainers: async () => {
      if (listFailures-- > 0) throw new AppError('engine_failed', 'Something holds it.')
      return [of('atelier-a'), of('atelier-b')]
    },
    inspectContainer: async (id: string) => {
      if (failures.shift() === id) throw new AppError('engine_failed', 'Something holds it.')
      return of(id)
    },
  }
  const { cache, listener } = cacheOf(answers, { warn: () => {} })
  const states = () =>
    Object.fromEntries(cache.list().map(each => [each.id, each.kind === 'container' && each.container.status]))
  listener?.onReconnect()
  await expect.poll(states).toEqual({ 'atelier-a': 'running', 'atelier-b': 'running' })
  status = 'paused'
  for (const name of ['atelier-a', 'atelier-b']) listener?.onContainer({ id: name, name, action: 'pause', labels: {} })
  await cache.refresh('atelier-b')
  expect(states()).toEqual({ 'atelier-a': 'running', 'atelier-b': 'paused' })
  await expect.poll(states).toEqual({ 'atelier-a': 'paused', 'atelier-b': 'paused' })
  await cache.close()
})

import { afterAll, describe, expect } from 'vitest'
import { batchGetStartTasks, cancelStartTask } from '../../../server/api/v1/conversation/start-tasks.ts'
import { type AppConversationStartTask, createAppConversation } from '../../../server/api/v1/conversation/starts.ts'
import { batchGetSandboxes, searchSandboxes } from '../../../server/api/v1/sandbox/sandboxes.ts'
import { openWebSocket } from '../../../server/client/node/connect.ts'
import { until } from '../../../server/client/until.ts'
import { EngineProxy } from '../../docker/proxy.ts'
import { startModelServer } from '../../fakes/model-server.ts'
import { it as base, scripted } from '../../fixtures/service.ts'
import { said, settled } from '../../parts/client/conversation.ts'

const it = base
  .extend('engine', { scope: 'file' }, ({}, { onCleanup }) => {
    const engine = new EngineProxy(realEngine ?? '')
    onCleanup(() => engine.down())
    return engine
  })
  .extend('model', { scope: 'file' }, async ({ engine }, { onCleanup }) => {
    await engine.up()
    process.env.DOCKER_HOST = engine.host
    const model = await startModelServer({ script: () => ({ text: 'Hello.' }) })
    onCleanup(() => model.close())
    return model
  })
  .extend('serviceOptions', { scope: 'file' }, ({ model }) => ({
    settings: scripted(model, { llm_api_key: 'sk-many-0123456789' }),
  }))
  .extend('start', { scope: 'file' }, ({ service }) => () => {
    return service.client.call(createAppConversation, { body: { initial_message: said('Hello') } })
  })
  /** The one that waits for others, once one does. Which one that is, is for the engine to say: its answers come in any order. */
  .extend(
    'waiting',
    { scope: 'file' },
    ({ service }) =>
      (tasks: AppConversationStartTask[]): Promise<AppConversationStartTask> => {
        const read = async () => {
          const now = await service.client.call(batchGetStartTasks, { query: { ids: tasks.map(({ id }) => id) } })
          if (now.every(task => task?.status === 'READY')) throw new Error('None of them waited.')
          return now.find(task => task?.detail?.startsWith('Waiting for ')) ?? undefined
        }
        const concerns = ({ resource }: { resource: string }) => resource === 'start-task'
        return until({ ...service, connect: openWebSocket }, { concerns, read })
      },
  )

/** As many as a test run has time for; `STARTS=30` tries more. */
const STARTS = Number(process.env.STARTS ?? 12)
const MINUTES = 60_000

const realEngine = process.env.DOCKER_HOST
it.afterEach(({ engine }) => {
  engine.lateness = () => 0
})
afterAll(() => {
  process.env.DOCKER_HOST = realEngine
})

it(
  `${STARTS} starts at once all become READY, and say what they wait for meanwhile`,
  async ({ start, waiting, service }) => {
    const tasks = await Promise.all(Array.from({ length: STARTS }, start))
    const late = await waiting(tasks)
    expect(late).toMatchObject({
      status: 'WAITING_FOR_SANDBOX',
      detail: expect.stringMatching(/^Waiting for \d+ other start/),
    })
    const [sandbox] = await service.client.call(batchGetSandboxes, { query: { id: [late.sandbox_id ?? ''] } })
    expect(sandbox).toMatchObject({ status: 'STARTING' })
    const ended = await Promise.all(tasks.map(task => settled(service, task)))
    expect(ended.map(({ status, detail }) => ({ status, detail }))).toEqual(
      ended.map(() => ({ status: 'READY', detail: null })),
    )
  },
  5 * MINUTES,
)

it(
  'a start that waits for others is cancelled at once, and leaves nothing behind',
  async ({ engine, start, waiting, service }) => {
    engine.lateness = path => (path === '/containers/create' ? 10_000 : 0)
    const tasks = await Promise.all(Array.from({ length: 4 }, start))
    const { id, sandbox_id } = await waiting(tasks)
    const began = Date.now()
    await service.client.call(cancelStartTask, { params: { task_id: id } })
    expect(Date.now() - began).toBeLessThan(8000)
    const [task] = await service.client.call(batchGetStartTasks, { query: { ids: [id] } })
    expect(task).toMatchObject({ status: 'ERROR', detail: 'Cancelled.' })
    const { items } = await service.client.call(searchSandboxes, { query: {} })
    expect(items.map(({ id }) => id)).not.toContain(sandbox_id)
    engine.lateness = () => 0
    const others = await Promise.all(tasks.filter(each => each.id !== id).map(each => settled(service, each)))
    expect(others.map(({ status }) => status)).toEqual(['READY', 'READY', 'READY'])
  },
  3 * MINUTES,
)

describe('an engine under load', () => {
  it(
    'that answers a ping 6.5 seconds late and makes a container in 14 delays a start, no more',
    async ({ engine, service, start }) => {
      engine.lateness = path => (path === '/_ping' ? 6500 : path === '/containers/create' ? 14_000 : 0)
      const task = await settled(service, await start())
      expect(task).toMatchObject({ status: 'READY', detail: null })
    },
    3 * MINUTES,
  )

  it(
    'that is stopped for 17 seconds delays starts, no more',
    async ({ start, engine, service }) => {
      const tasks = await Promise.all(Array.from({ length: 6 }, start))
      engine.freeze()
      await new Promise(resolve => setTimeout(resolve, 17_000))
      engine.thaw()
      const ended = await Promise.all(tasks.map(task => settled(service, task)))
      expect(ended.map(({ status }) => status)).toEqual(ended.map(() => 'READY'))
    },
    3 * MINUTES,
  )

  it(
    'that goes away in the middle of starts and comes back delays them, and leaves no second sandbox',
    async ({ service, engine, start }) => {
      const before = await service.client.call(searchSandboxes, { query: { limit: 100 } })
      const asked = engine.asked.filter(path => path.endsWith('/start')).length
      const tasks = await Promise.all(Array.from({ length: 4 }, start))
      await expect.poll(() => engine.asked.filter(path => path.endsWith('/start')).length).toBeGreaterThan(asked)
      await engine.down()
      await engine.up()
      const ended = await Promise.all(tasks.map(task => settled(service, task)))
      expect(ended.map(({ status }) => status)).toEqual(ended.map(() => 'READY'))
      const after = await service.client.call(searchSandboxes, { query: { limit: 100 } })
      expect(after.items).toHaveLength(before.items.length + tasks.length)
    },
    3 * MINUTES,
  )
})

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { batchGetStartTasks, cancelStartTask } from '../../../server/api/v1/conversation/start-tasks.ts'
import { type AppConversationStartTask, createAppConversation } from '../../../server/api/v1/conversation/starts.ts'
import { batchGetSandboxes, searchSandboxes } from '../../../server/api/v1/sandbox/sandboxes.ts'
import { EngineProxy } from '../../docker/proxy.ts'
import { type ModelServer, startModelServer } from '../../fakes/model-server.ts'
import { openChanges, said, settled } from '../../parts/client/conversation.ts'
import { startTestService, type TestService } from '../../parts/service/service.ts'

/** As many as a test run has time for; `STARTS=30` tries more. */
const STARTS = Number(process.env.STARTS ?? 12)
const MINUTES = 60_000

const realEngine = process.env.DOCKER_HOST
let engine: EngineProxy
let model: ModelServer
let service: TestService

beforeAll(async () => {
  engine = new EngineProxy(realEngine ?? '')
  await engine.up()
  process.env.DOCKER_HOST = engine.host
  model = await startModelServer({ script: () => ({ text: 'Hello.' }) })
  service = await startTestService({
    settings: { llm_model: 'openai/scripted', llm_base_url: model.url.openai, llm_api_key: 'sk-many-0123456789' },
  })
})
afterEach(() => {
  engine.lateness = () => 0
})
afterAll(async () => {
  process.env.DOCKER_HOST = realEngine
  await service?.close()
  await model?.close()
  await engine?.down()
})

const start = () => service.client.call(createAppConversation, { body: { initial_message: said('Hello') } })

/** The task once `shown` holds. */
async function seen(id: string, shown: (task: AppConversationStartTask) => boolean): Promise<AppConversationStartTask> {
  const changes = await openChanges(service)
  try {
    for (;;) {
      const changed = changes.next()
      const [task] = await service.client.call(batchGetStartTasks, { query: { ids: [id] } })
      if (task && shown(task)) return task
      await changed
    }
  } finally {
    changes.close()
  }
}

it(
  `${STARTS} starts at once all become READY, and say what they wait for meanwhile`,
  async () => {
    const tasks = await Promise.all(Array.from({ length: STARTS }, start))
    const last = tasks.at(-1)?.id ?? ''
    const waiting = await seen(last, ({ detail, status }) => detail !== null || status === 'READY')
    expect(waiting).toMatchObject({
      status: 'WAITING_FOR_SANDBOX',
      detail: expect.stringMatching(/^Waiting for \d+ other start/),
    })
    const [sandbox] = await service.client.call(batchGetSandboxes, { query: { id: [waiting.sandbox_id ?? ''] } })
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
  async () => {
    engine.lateness = path => (path === '/containers/create' ? 2000 : 0)
    const tasks = await Promise.all(Array.from({ length: 4 }, start))
    const last = tasks.at(-1)?.id ?? ''
    const { sandbox_id } = await seen(last, ({ detail }) => detail !== null)
    const began = Date.now()
    await service.client.call(cancelStartTask, { params: { task_id: last } })
    expect(Date.now() - began).toBeLessThan(1500)
    const [task] = await service.client.call(batchGetStartTasks, { query: { ids: [last] } })
    expect(task).toMatchObject({ status: 'ERROR', detail: 'Cancelled.' })
    const { items } = await service.client.call(searchSandboxes, { query: {} })
    expect(items.map(({ id }) => id)).not.toContain(sandbox_id)
    engine.lateness = () => 0
    const others = await Promise.all(tasks.slice(0, -1).map(each => settled(service, each)))
    expect(others.map(({ status }) => status)).toEqual(['READY', 'READY', 'READY'])
  },
  MINUTES,
)

describe('an engine under load', () => {
  it(
    'that answers a ping 6.5 seconds late and makes a container in 14 delays a start, no more',
    async () => {
      engine.lateness = path => (path === '/_ping' ? 6500 : path === '/containers/create' ? 14_000 : 0)
      const task = await settled(service, await start())
      expect(task).toMatchObject({ status: 'READY', detail: null })
    },
    MINUTES,
  )

  it(
    'that is stopped for 17 seconds delays starts, no more',
    async () => {
      const tasks = await Promise.all(Array.from({ length: 6 }, start))
      engine.freeze()
      await new Promise(resolve => setTimeout(resolve, 17_000))
      engine.thaw()
      const ended = await Promise.all(tasks.map(task => settled(service, task)))
      expect(ended.map(({ status }) => status)).toEqual(ended.map(() => 'READY'))
    },
    2 * MINUTES,
  )

  it(
    'that goes away in the middle of starts and comes back delays them, and leaves no second sandbox',
    async () => {
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
    MINUTES,
  )
})

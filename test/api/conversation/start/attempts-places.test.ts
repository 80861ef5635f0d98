import { expect } from 'vitest'
import { beginAttempts } from '../../../../server/api/v1/conversation/attempts.ts'
import { createAppConversation } from '../../../../server/api/v1/conversation/starts.ts'
import { deleteSandbox, searchSandboxes, startSandbox } from '../../../../server/api/v1/sandbox/sandboxes.ts'
import { storeSettingsV1 } from '../../../../server/api/v1/settings/settings.ts'
import { it as base, scripted } from '../../../fixtures/service.ts'
import { untilAttempts } from '../../../parts/client/attempts.ts'
import { said, settled, startConversation } from '../../../parts/client/conversation.ts'

const it = base
  .extend('serviceOptions', { scope: 'file' }, ({ model }) => ({ settings: scripted(model) }))
  .extend('atMost', { scope: 'file' }, ({ service }) => async (max_running_sandboxes: number | null) => {
    await service.client.call(storeSettingsV1, { body: { max_running_sandboxes } })
  })
  .extend('sandboxes', { scope: 'file' }, ({ service }) => async () => {
    return (await service.client.call(searchSandboxes, { query: {} })).items
  })

it.beforeEach(async ({ model, sandboxes, service }) => {
  model.setScript(() => ({ text: 'Done.' }))
  for (const { id } of await sandboxes()) await service.client.call(deleteSandbox, { params: { sandbox_id: id } })
})

const begun = (count: number) => ({
  initial_message: said('Make it.'),
  attempts: { models: Array<null>(count).fill(null) },
})

it('attempts of which as many are made as may run all get a place, that of the prepared sandbox too', async ({
  service,
  atMost,
  sandboxes,
}) => {
  await atMost(2)
  const task = await startConversation(service, begun(2))
  expect(task).toMatchObject({ status: 'READY', detail: null })
  const set = await untilAttempts(service, task.app_conversation_id ?? '', ({ state }) =>
    ['done', 'failed'].includes(state),
  )
  expect(set.attempts.map(({ state, detail }) => ({ state, detail }))).toEqual([
    { state: 'done', detail: null },
    { state: 'done', detail: null },
  ])
  // Whoever needs it has it again.
  const all = await sandboxes()
  expect(all.find(({ id }) => id === task.sandbox_id)).toMatchObject({
    status: 'PAUSED',
    status_detail: 'Paused to make room for others.',
    resumes_by_itself: true,
  })
  expect(all.map(({ status }) => status).sort()).toEqual(['PAUSED', 'RUNNING', 'RUNNING'])
})

it('the prepared sandbox goes on where there is room for it', async ({ service, atMost, sandboxes }) => {
  await atMost(2)
  const task = await startConversation(service, begun(1))
  await untilAttempts(service, task.app_conversation_id ?? '', ({ state }) => state === 'done')
  expect((await sandboxes()).map(({ status }) => status)).toEqual(['RUNNING', 'RUNNING'])
})

it('more attempts than may ever run at once are refused before anything is started', async ({
  service,
  atMost,
  sandboxes,
}) => {
  await atMost(1)
  const words =
    '2 attempts need a sandbox each, and only one sandbox may run at once. Ask for fewer attempts, or raise "Running sandboxes at most" in Settings › Sandbox (max_running_sandboxes).'
  const refused = { code: 'too_many_sandboxes', message: words }
  await expect(service.client.call(createAppConversation, { body: begun(2) })).rejects.toMatchObject(refused)
  expect(await sandboxes()).toEqual([])
  const { app_conversation_id } = await startConversation(service, {})
  const params = { conversation_id: app_conversation_id ?? '' }
  const body = { task: 'Make it.', models: [null, null] }
  await expect(service.client.call(beginAttempts, { params, body })).rejects.toMatchObject(refused)
})

it('attempts need a place beside the sandbox in which their conversation was asked for', async ({
  service,
  atMost,
}) => {
  await atMost(2)
  const { id: sandbox_id } = await service.client.call(startSandbox, { query: {} })
  const start = (count: number) => service.client.call(createAppConversation, { body: { ...begun(count), sandbox_id } })
  await expect(start(2)).rejects.toMatchObject({
    code: 'too_many_sandboxes',
    message: expect.stringContaining('2 attempts need a sandbox each beside that of the conversation, and only 2'),
  })
  expect(await settled(service, await start(1))).toMatchObject({ status: 'READY', sandbox_id })
})

it('attempts that find no place beside what runs are refused before anything is prepared', async ({
  service,
  atMost,
  sandboxes,
}) => {
  const { id } = await service.client.call(startSandbox, { query: {} })
  await atMost(3)
  const failed = await settled(service, await service.client.call(createAppConversation, { body: begun(3) }))
  expect(failed).toMatchObject({
    status: 'ERROR',
    detail: expect.stringContaining('There is no room for 2 more sandboxes: no more than 3 may run at once. Pause'),
  })
  expect(failed.steps.map(({ status }) => status)).toEqual(['WAITING_FOR_SANDBOX'])
  expect((await sandboxes()).map(each => each.id)).toEqual([id])
  // What it kept is free again.
  expect(await startConversation(service, begun(2))).toMatchObject({ status: 'READY' })
})

it('the places of attempts are kept while their sandbox is prepared, and nobody else gets one', async ({
  service,
  atMost,
}) => {
  await atMost(2)
  const task = await service.client.call(createAppConversation, { body: begun(2) })
  const other = await settled(service, await service.client.call(createAppConversation, { body: {} }))
  expect(other).toMatchObject({ status: 'ERROR', detail: expect.stringContaining('2 sandboxes run, and no more may') })
  const { app_conversation_id } = await settled(service, task)
  const set = await untilAttempts(service, app_conversation_id ?? '', ({ state }) => ['done', 'failed'].includes(state))
  expect(set.attempts.map(({ state }) => state)).toEqual(['done', 'done'])
})

import { randomUUID } from 'node:crypto'
import { readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { deleteAttachment, uploadAttachment } from '../../../../server/api/v1/conversation/attachments.ts'
import { cancelStartTask } from '../../../../server/api/v1/conversation/start-tasks.ts'
import { createAppConversation } from '../../../../server/api/v1/conversation/starts.ts'
import { getFileText } from '../../../../server/api/v1/sandbox/files.ts'
import { saveLlmProfileV1 } from '../../../../server/api/v1/settings/llm-profiles.ts'
import { BOUNDS } from '../../../../server/domain/bounds.ts'
import { it as base, scripted } from '../../../fixtures/service.ts'
import { said, startConversation } from '../../../parts/client/conversation.ts'
import { watch } from '../../../parts/client/watch.ts'

const it = base
  .extend('serviceOptions', { scope: 'file' }, ({ model }) => ({ settings: scripted(model) }))
  .extend('send', { scope: 'file' }, ({ service }) => async (text: string) => {
    const form = new FormData()
    form.set('file', new Blob([text]), 'as-it-was-called.txt')
    return service.client.call(uploadAttachment, { form })
  })
  .extend(
    'waiting',
    { scope: 'file' },
    ({ service }) =>
      () =>
        readdirSync(join(service.dataDir, 'atelier-attachments')),
  )

it.beforeEach(({ model }) => {
  model.setScript(() => ({ text: 'I have read them.' }))
})

it('files go into the sandbox before the first message, which says where', async ({
  service,
  model,
  send,
  waiting,
}) => {
  const [one, other] = [await send('a,b\n'), await send('c\n')]
  expect(one.size_bytes).toBe(4)
  const task = await startConversation(service, {
    initial_message: said('Read these'),
    attachments: [
      { id: one.id, name: 'the "data".csv' },
      { id: other.id, name: 'the "data".csv' },
    ],
  })
  const id = task.app_conversation_id ?? ''
  await (await watch(service, id)).untilStatus('finished')
  const folder = `/tmp/attachments/${id.slice(0, 8)}`
  const paths = [`${folder}/the "data".csv`, `${folder}/the "data" (2).csv`]
  const text = `Read these\n\nAttached files:\n${paths.map(path => `- ${JSON.stringify(path)}`).join('\n')}`
  expect(JSON.stringify(model.requests.at(-1))).toContain(JSON.stringify(text).slice(1, -1))
  const read = async (path: string) =>
    (await service.client.call(getFileText, { params: { conversation_id: id }, query: { path } })).text
  expect(await Promise.all(paths.map(read))).toEqual(['a,b\n', 'c\n'])
  expect(waiting()).toEqual([])
})

it('a start that fails keeps them for another', async ({ service, send, waiting }) => {
  const { id } = await send('kept')
  const attachments = [{ id, name: 'notes.txt' }]
  const body = { initial_message: said('Read it'), attachments }
  const failed = await startConversation(service, { ...body, source: { kind: 'folder', path: '/nowhere/at/all' } })
  expect(failed.status).toBe('ERROR')
  expect(failed.request.attachments).toEqual(attachments)
  expect(waiting()).toEqual([id])
  expect((await startConversation(service, body)).status).toBe('READY')
  expect(waiting()).toEqual([])
})

it('two starts do not get the same file: the second is refused at once, and may have it when the first fails', async ({
  service,
  send,
}) => {
  const { id } = await send('wanted')
  const body = { initial_message: said('Read it'), attachments: [{ id, name: 'notes.txt' }] }
  const begin = () => service.client.call(createAppConversation, { body })
  const first = await begin()
  await expect(begin()).rejects.toMatchObject({ code: 'conflict' })
  await service.client.call(cancelStartTask, { params: { task_id: first.id } })
  expect((await startConversation(service, body)).status).toBe('READY')
  await expect(begin()).rejects.toMatchObject({ code: 'not_found' })
})

it.for([
  ['a file that is not kept', [{ id: 'never', name: 'a.txt' }], 'not_found'],
  ['an id that leads elsewhere', [{ id: '../atelier.db', name: 'a.txt' }], 'not_found'],
  ['a name that leads elsewhere', [{ id: 'never', name: '../a.txt' }], 'validation'],
  ['a name that no file system takes', [{ id: 'never', name: '名'.repeat(90) }], 'validation'],
] as const)('%s is refused before anything is started', async ([, attachments, code], { service }) => {
  const body = { initial_message: said('Read it'), attachments: [...attachments] }
  await expect(service.client.call(createAppConversation, { body })).rejects.toMatchObject({ code })
})

it('files without a message are refused', async ({ service, send }) => {
  const { id } = await send('x')
  const body = { attachments: [{ id, name: 'x' }] }
  await expect(service.client.call(createAppConversation, { body })).rejects.toMatchObject({ code: 'bad_request' })
  await service.client.call(deleteAttachment, { params: { attachment_id: id } })
})

it('what has waited for a day is removed by the next file', async ({ service, send, waiting }) => {
  const { id } = await send('old')
  const then = new Date(Date.now() - BOUNDS.attachmentAge.limit - 1000)
  utimesSync(join(service.dataDir, 'atelier-attachments', id), then, then)
  const { id: next } = await send('new')
  expect(waiting()).toEqual([next])
  await service.client.call(deleteAttachment, { params: { attachment_id: next } })
})

it('a saved model is what the conversation is held with', async ({ service, model }) => {
  const name = randomUUID()
  const llm = { model: 'openai/spare', base_url: `${model.url.openai}/`, api_key: 'sk-spare-0123456789' }
  await service.client.call(saveLlmProfileV1, { params: { name }, body: { llm } })
  const { app_conversation_id: id, request } = await startConversation(service, {
    initial_message: said('Hello'),
    profile: name,
  })
  expect(request).toMatchObject({ profile: name, llm_model: 'openai/spare' })
  await (await watch(service, id ?? '')).untilStatus('finished')
  expect(model.requests.at(-1)).toMatchObject({
    model: 'spare',
    headers: { authorization: 'Bearer sk-spare-0123456789' },
  })
})

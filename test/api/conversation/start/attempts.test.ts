import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { expect } from 'vitest'
import { uploadAttachment } from '../../../../server/api/v1/conversation/attachments.ts'
import type { AttemptSet } from '../../../../server/api/v1/conversation/attempts.ts'
import { type AppConversation, listAppConversations } from '../../../../server/api/v1/conversation/conversations.ts'
import { batchGetStartTasks } from '../../../../server/api/v1/conversation/start-tasks.ts'
import { createAppConversation } from '../../../../server/api/v1/conversation/starts.ts'
import { searchSandboxes } from '../../../../server/api/v1/sandbox/sandboxes.ts'
import { deleteLlmProfileV1, saveLlmProfileV1 } from '../../../../server/api/v1/settings/llm-profiles.ts'
import type { ModelRequest } from '../../../fakes/model-server.ts'
import { it as base, scripted } from '../../../fixtures/service.ts'
import { untilAttempts } from '../../../parts/client/attempts.ts'
import { said, settled, startConversation } from '../../../parts/client/conversation.ts'
import { readLog } from '../../../parts/service/read-log.ts'

const it = base
  .extend('serviceOptions', { scope: 'file' }, ({ model }) => ({ settings: scripted(model) }))
  .extend('conversation', { scope: 'file' }, ({ service }) => async (id: string): Promise<AppConversation | null> => {
    const found = await service.client.call(listAppConversations, { query: { ids: [id] } })
    return (Array.isArray(found) && found[0]) || null
  })
  .extend('untilDone', { scope: 'file' }, ({ service }) => (conversation_id: string) => {
    return untilAttempts(service, conversation_id, ({ state }) => state === 'done')
  })
  .extend('spare', { scope: 'file' }, ({ service, model }) => async (name: string) => {
    const llm = { model: 'openai/spare', base_url: `${model.url.openai}/`, api_key: 'sk-spare-0123456789' }
    await service.client.call(saveLlmProfileV1, { params: { name }, body: { llm } })
  })

it.beforeEach(({ model }) => {
  model.setScript(answer)
})

function answer({ model: name, body }: ModelRequest) {
  const messages = body.messages as { role: string }[]
  if (messages.at(-1)?.role === 'tool') return { text: 'Done.' }
  const command = `cp /tmp/attachments/*/notes.txt .; echo ${name} >made-by`
  return { toolCalls: [{ name: 'terminal', arguments: { command } }] }
}

const PICTURE = 'data:image/png;base64,iVBORw0KGgo='
const TASK = 'Make it with care.\nAnd test it.'

it('a start begins attempts at its message, which get its files and pictures', async ({
  service,
  model,
  spare,
  conversation,
  untilDone,
}) => {
  await spare('spare')
  const form = new FormData()
  form.set('file', new Blob(['kept']), 'x')
  const { id } = await service.client.call(uploadAttachment, { form })
  const asked = model.requests.length
  const content = [...said(TASK).content, { type: 'image' as const, image_urls: [PICTURE] }]
  const task = await startConversation(service, {
    initial_message: { role: 'user', content, run: true },
    attachments: [{ id, name: 'notes.txt' }],
    max_iterations: 7,
    attempts: { models: [null, null], profiles: [null, 'spare'], check: 'cat notes.txt' },
  })
  expect(task).toMatchObject({ status: 'READY', detail: null })
  const original = task.app_conversation_id ?? ''
  const set = await untilDone(original)
  expect(set.task).toContain(`${TASK}\n\nAttached files:\n- "/tmp/attachments/${original.slice(0, 8)}/notes.txt"`)
  expect(set.attempts).toMatchObject([
    { llm_model: 'openai/scripted', profile: null, changes: { files: 2 }, check: { exit_code: 0, output: 'kept' } },
    { llm_model: 'openai/spare', profile: 'spare', changes: { files: 2 }, check: { exit_code: 0, output: 'kept' } },
  ])
  const first = model.requests.slice(asked).filter(({ body }) => JSON.stringify(body).includes(PICTURE))
  expect(new Set(first.map(({ model: name }) => name))).toEqual(new Set(['scripted', 'spare']))

  // Nothing was said in the conversation that they go on from, which is named after the task all the same.
  expect(await readLog(service, original)).toEqual([])
  expect(await conversation(original)).toMatchObject({ title: 'Make it with care.', execution_status: 'idle' })
  const [one] = set.attempts
  expect(await conversation(one?.conversation_id ?? '')).toMatchObject({
    title: 'Make it with care. (1)',
    forked_from_conversation_id: original,
    max_iterations: 7,
  })
})

it('a start whose attempts cannot be begun fails, and leaves nothing', async ({ service, spare, conversation }) => {
  await spare('gone')
  const before = (await service.client.call(searchSandboxes, { query: {} })).items.length
  const body = { initial_message: said(TASK), attempts: { models: [null], profiles: ['gone'] } }
  const begun = await service.client.call(createAppConversation, { body })
  await service.client.call(deleteLlmProfileV1, { params: { name: 'gone' } })
  const failed = await settled(service, begun)
  expect(failed).toMatchObject({ status: 'ERROR', detail: expect.stringContaining('There is no saved model “gone”') })
  expect(failed.request).toMatchObject({ initial_message: body.initial_message, attempts: body.attempts })
  expect((await service.client.call(searchSandboxes, { query: {} })).items).toHaveLength(before)
  expect(await conversation(failed.app_conversation_id ?? begun.id)).toBeNull()
})

it.for([
  ['none at all', { initial_message: said(TASK), attempts: { models: [] } }, 'validation'],
  ['too many', { initial_message: said(TASK), attempts: { models: Array(9).fill(null) } }, 'validation'],
  ['no message', { attempts: { models: [null] } }, 'bad_request'],
  [
    'a fork',
    { initial_message: said(TASK), attempts: { models: [null] }, forked_from_conversation_id: 'f'.repeat(32) },
    'bad_request',
  ],
  [
    'a saved model that is not there',
    { initial_message: said(TASK), attempts: { models: [null], profiles: ['never'] } },
    'not_found',
  ],
] as const)('attempts with %s are refused before anything is started', async ([, body, code], { service }) => {
  const refused = service.client.call(createAppConversation, { body: structuredClone(body) as never })
  await expect(refused).rejects.toMatchObject({ code })
})

it.for([
  ['begun', 0],
  ['not begun', 1],
] as const)(
  'a start that was cut off when its attempts were %s loses no message',
  async ([, messagesKept], { service, untilDone, conversation }) => {
    const attempts = { models: [null] }
    const task = await startConversation(service, { initial_message: said(TASK), attempts })
    const id = task.app_conversation_id ?? ''
    const set: AttemptSet = await untilDone(id)
    await service.restart(() => {
      const database = new DatabaseSync(join(service.dataDir, 'atelier.db'))
      const sql = `UPDATE start_task SET body = json_set(body, '$.status', 'STARTING_CONVERSATION') WHERE id = ?`
      database.prepare(sql).run(task.id)
      if (messagesKept === 1) database.prepare('DELETE FROM attempts WHERE id = ?').run(set.id)
      database.close()
    })
    const [ended] = await service.client.call(batchGetStartTasks, { query: { ids: [task.id] } })
    expect(ended).toMatchObject({ status: 'READY', app_conversation_id: id })
    const messages = (await readLog(service, id)).filter(({ kind }) => kind === 'MessageEvent')
    expect(messages).toHaveLength(messagesKept)
    expect(JSON.stringify(messages)).toContain(messagesKept === 1 ? 'Make it with care.' : '')
    expect(await conversation(id)).toMatchObject({ execution_status: 'idle' })
  },
)

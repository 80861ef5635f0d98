import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { expect } from 'vitest'
import { MAX_MESSAGE_CHARACTERS } from '../../../../server/api/contract/limits.ts'
import { uploadAttachment } from '../../../../server/api/v1/conversation/attachments.ts'
import { listAppConversations } from '../../../../server/api/v1/conversation/conversations.ts'
import { queuePendingMessage } from '../../../../server/api/v1/conversation/pending-messages.ts'
import { batchGetStartTasks } from '../../../../server/api/v1/conversation/start-tasks.ts'
import { createAppConversation } from '../../../../server/api/v1/conversation/starts.ts'
import { saveLlmProfileV1 } from '../../../../server/api/v1/settings/llm-profiles.ts'
import { storeSettingsV1 } from '../../../../server/api/v1/settings/settings.ts'
import { it as base, scripted } from '../../../fixtures/service.ts'
import { untilAttempts } from '../../../parts/client/attempts.ts'
import { said, settled, startConversation } from '../../../parts/client/conversation.ts'
import { readLog } from '../../../parts/service/read-log.ts'

const it = base
  .extend('serviceOptions', { scope: 'file' }, ({ model }) => ({ settings: scripted(model) }))
  .extend('untilDone', { scope: 'file' }, ({ service }) => (id: string) => {
    return untilAttempts(service, id, ({ state }) => state === 'done')
  })
  /** What was said in a conversation by a person. */
  .extend('saidIn', { scope: 'file' }, ({ service }) => async (id: string): Promise<string[]> => {
    const events = await readLog(service, id)
    return events.flatMap(event =>
      event.kind === 'MessageEvent' && event.source === 'user'
        ? event.llm_message.content.map(part => (part.type === 'text' ? part.text : ''))
        : [],
    )
  })
  .extend('statusOf', { scope: 'file' }, ({ service }) => async (id: string) => {
    const found = await service.client.call(listAppConversations, { query: { ids: [id] } })
    return Array.isArray(found) ? found[0]?.execution_status : undefined
  })
  /** Stops the service as if it had been killed when the row of this start was stored for the last time before its end. */
  .extend('cutOff', { scope: 'file' }, ({ service }) => async (taskId: string, undo: readonly string[]) => {
    await service.restart(() => {
      const database = new DatabaseSync(join(service.dataDir, 'atelier.db'))
      database.exec(`UPDATE start_task SET body = (SELECT body FROM stored_last) WHERE id = '${taskId}'`)
      for (const sql of undo) database.exec(sql)
      database.exec('DROP TRIGGER storing; DROP TABLE stored_last')
      database.close()
    })
  })

it.beforeEach(({ model }) => {
  model.setScript(() => ({ text: 'Done.' }))
})

const ATTEMPTS = { models: [null, null] }

it('what is said while attempts are prepared is said to each of them, in order after the task', async ({
  service,
  untilDone,
  saidIn,
}) => {
  const body = { initial_message: said('The task'), attempts: ATTEMPTS }
  const task = await service.client.call(createAppConversation, { body })
  for (const text of ['first', 'second']) {
    const params = { conversation_id: `task-${task.id}` }
    const queued = await service.client.call(queuePendingMessage, { params, body: said(text) })
    expect(queued).toMatchObject({ queued: true })
  }
  const { app_conversation_id: id } = await settled(service, task)
  const { attempts } = await untilDone(id ?? '')
  for (const { conversation_id } of attempts) {
    await expect.poll(() => saidIn(conversation_id)).toEqual(['The task', 'first', 'second'])
  }
  expect(await saidIn(id ?? '')).toEqual([])
})

it('what was said to attempts of which none came to be waits in the conversation that they were to be made of', async ({
  service,
  untilDone,
  saidIn,
  statusOf,
}) => {
  const { app_conversation_id } = await startConversation(service, {
    initial_message: said('The task'),
    attempts: ATTEMPTS,
  })
  const id = app_conversation_id ?? ''
  const { attempts } = await untilDone(id)
  const more = { role: 'user', content: said('More').content, waits_for: 'start' }
  await service.restart(() => {
    const database = new DatabaseSync(join(service.dataDir, 'atelier.db'))
    for (const [index, { conversation_id }] of attempts.entries()) {
      const waiting = { ...more, id: `m${index}`, conversation_id, created_at: new Date().toISOString() }
      database
        .prepare('INSERT INTO pending_message VALUES (NULL, ?, ?, ?)')
        .run(conversation_id, waiting.id, JSON.stringify(waiting))
      database.prepare('DELETE FROM conversation WHERE id = ?').run(conversation_id)
    }
    database.close()
  })
  await expect.poll(() => saidIn(id)).toEqual(['More'])
  expect(await statusOf(id)).toBe('idle')
})

it('a message as long as may be is said to attempts with the paths of its files', async ({
  service,
  untilDone,
  saidIn,
}) => {
  const form = new FormData()
  form.set('file', new Blob(['kept']), 'x')
  const { id: file } = await service.client.call(uploadAttachment, { form })
  const task = await startConversation(service, {
    initial_message: said('x'.repeat(MAX_MESSAGE_CHARACTERS)),
    attachments: [{ id: file, name: 'notes.txt' }],
    attempts: ATTEMPTS,
  })
  expect(task).toMatchObject({ status: 'READY', detail: null })
  const { attempts } = await untilDone(task.app_conversation_id ?? '')
  const [text = ''] = await saidIn(attempts[0]?.conversation_id ?? '')
  expect(text.slice(-120)).toContain('notes.txt')
})

it('attempts that have their models need none in the settings', async ({ service, model, untilDone }) => {
  const llm = { model: 'openai/spare', base_url: `${model.url.openai}/`, api_key: 'sk-spare-0123456789' }
  await service.client.call(saveLlmProfileV1, { params: { name: 'spare' }, body: { llm } })
  await service.client.call(storeSettingsV1, { body: { llm_model: null } })
  const start = (models: (string | null)[], profiles: (string | null)[]) =>
    startConversation(service, { initial_message: said('The task'), attempts: { models, profiles } })
  await expect(start(['openai/one', null], [null, null])).rejects.toMatchObject({ code: 'model_not_set' })
  const task = await start(['openai/one', null], [null, 'spare'])
  expect(task).toMatchObject({ status: 'READY', detail: null })
  const { attempts } = await untilDone(task.app_conversation_id ?? '')
  expect(attempts.map(({ llm_model }) => llm_model)).toEqual(['openai/one', 'openai/spare'])
  await service.client.call(storeSettingsV1, { body: scripted(model) })
})

it.for([
  ['its agent', undefined],
  ['its attempts', ATTEMPTS],
] as const)(
  'a start that was killed before %s got the message knows where the attached files are',
  async ([, attempts], { service, untilDone, saidIn, statusOf, cutOff }) => {
    const database = new DatabaseSync(join(service.dataDir, 'atelier.db'))
    database.exec(`CREATE TABLE stored_last (body TEXT);
      CREATE TRIGGER storing AFTER UPDATE ON start_task
      WHEN json_extract(new.body, '$.status') = 'STARTING_CONVERSATION'
      AND json_extract(new.body, '$.request.attachments') IS NOT NULL
      BEGIN DELETE FROM stored_last; INSERT INTO stored_last VALUES (new.body); END`)
    database.close()
    const form = new FormData()
    form.set('file', new Blob(['kept']), 'x')
    const { id: file } = await service.client.call(uploadAttachment, { form })
    const attachments = [{ id: file, name: 'notes.txt' }]
    const asked = { initial_message: said('The task'), attachments }
    const task = await startConversation(service, attempts ? { ...asked, attempts: structuredClone(attempts) } : asked)
    const id = task.app_conversation_id ?? ''
    if (attempts) await untilDone(id)
    else await expect.poll(() => statusOf(id)).toBe('finished')
    const message = { id: 'm', conversation_id: id, role: 'user', content: said('More').content, waits_for: 'start' }
    const waiting = JSON.stringify({ ...message, created_at: new Date().toISOString() })
    await cutOff(task.id, [
      `DELETE FROM event WHERE conversation_id = '${id}'`,
      `DELETE FROM attempts WHERE conversation_id = '${id}'`,
      `UPDATE conversation SET execution_status = 'idle' WHERE id = '${id}'`,
      ...(attempts ? [`INSERT INTO pending_message VALUES (NULL, '${id}', 'm', '${waiting}')`] : []),
    ])
    const [ended] = await service.client.call(batchGetStartTasks, { query: { ids: [task.id] } })
    expect(ended).toMatchObject({ status: 'READY', request: { initial_message: asked.initial_message } })
    const path = `/tmp/attachments/${id.slice(0, 8)}/notes.txt`
    expect(await saidIn(id)).toEqual([
      `The task\n\nAttached files:\n- ${JSON.stringify(path)}`,
      ...(attempts ? ['More'] : []),
    ])
    expect(await statusOf(id)).toBe('idle')
  },
)

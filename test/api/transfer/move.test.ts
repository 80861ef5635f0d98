import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { getConversation } from '../../../server/api/legacy/conversation-routes.ts'
import { getLegacyEvents } from '../../../server/api/legacy/event-routes.ts'
import { deleteAppConversation, listAppConversations } from '../../../server/api/v1/conversation/conversations.ts'
import { searchConversationEvents } from '../../../server/api/v1/conversation/event-routes.ts'
import { pauseSandbox } from '../../../server/api/v1/sandbox/sandboxes.ts'
import { searchEverything } from '../../../server/api/v1/system/search.ts'
import { it as base, scripted } from '../../fixtures/service.ts'
import { said, startConversation } from '../../parts/client/conversation.ts'
import { watch } from '../../parts/client/watch.ts'
import { command } from '../../parts/command-line.ts'
import { startTestService } from '../../parts/service/service.ts'

const it = base
  // Another computer.
  .extend('other', { scope: 'file' }, async ({ model }, { onCleanup }) => {
    const other = await startTestService({ settings: scripted(model) })
    onCleanup(() => other.close())
    return other
  })
  .extend('folder', { scope: 'file' }, async ({}, { onCleanup }) => {
    const folder = mkdtempSync(join(tmpdir(), 'atelier-moved-'))
    onCleanup(() => rmSync(folder, { recursive: true, force: true }))
    return folder
  })

const terminal = (line: string) => ({ toolCalls: [{ name: 'terminal', arguments: { command: line } }] })

it('a conversation goes to another computer at the command line, is read and found there, and goes on in a new sandbox', async ({
  service,
  other,
  model,
  folder,
}) => {
  model.setScript([terminal('echo quinces > jar.txt; cat jar.txt'), { text: 'The jar has marmalade.' }])
  const task = await startConversation(service, { initial_message: said('Fill the jar.'), title: 'Preserves' })
  const id = task.app_conversation_id ?? ''
  const seen = await watch(service, id)
  await seen.untilStatus('finished')
  await seen.close()

  const file = join(folder, 'mine.atelier-data.zip')
  const as = ({ dataDir, key }: typeof service) => ({ env: { ATELIER_DATA_DIR: dataDir, SESSION_API_KEY: key } })
  const written = await command(['export', file], as(service))
  expect(written).toMatchObject({ code: 0, stdout: `${file}\n` })
  expect(await command(['export', file], as(service))).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--force'),
  })
  const shown = await command(['import', file, '--check'], as(other))
  expect(shown.stdout).toContain('1 conversation, 0 of them here already')
  const added = await command(['import', file, '--yes'], as(other))
  expect(added).toMatchObject({ code: 0, stdout: expect.stringContaining('Added 1 conversation with') })

  const params = { conversation_id: id }
  const events = async ({ client }: typeof service) =>
    (await client.call(searchConversationEvents, { params, query: { limit: 100 } })).items
  expect(await events(other)).toEqual(await events(service))
  expect((await other.client.call(getConversation, { params }))?.title).toBe('Preserves')
  expect((await other.client.call(getLegacyEvents, { params, query: {} })).events.length).toBeGreaterThan(2)
  const found = await other.client.call(listAppConversations, { query: { ids: [id] } })
  expect(found).toMatchObject([{ sandbox_status: 'MISSING' }])
  await expect
    .poll(async () => (await other.client.call(searchEverything, { query: { query: 'marmalade' } })).items.length, {
      timeout: 30_000,
    })
    .toBeGreaterThan(0)

  model.setScript([terminal('ls'), { text: 'It is empty now.' }])
  const on = await startConversation(other, {
    forked_from_conversation_id: id,
    initial_message: said('And now?'),
  })
  expect(on).toMatchObject({ status: 'READY' })
  const followed = await watch(other, on.app_conversation_id ?? '')
  await followed.untilStatus('finished')
  await followed.close()
  const asked = JSON.stringify(model.requests.at(-1))
  for (const said of ['Fill the jar.', 'marmalade', 'goes on in a new sandbox', 'And now?'])
    expect(asked).toContain(said)
  expect(asked).toContain('quinces')
})

it('a conversation goes on at another computer with the files of its working folder, also one that was paused', async ({
  service,
  other,
  model,
  folder,
}) => {
  const make =
    'mkdir -p deep && echo quinces >deep/jar.txt && echo .env >.gitignore && echo KEY=1 >.env && chmod 700 deep'
  model.setScript([terminal(make), { text: 'It is made.' }])
  const task = await startConversation(service, { initial_message: said('Make it.'), title: 'Kept' })
  const id = task.app_conversation_id ?? ''
  const seen = await watch(service, id)
  await seen.untilStatus('finished')
  await seen.close()
  await service.client.call(pauseSandbox, { params: { sandbox_id: task.sandbox_id ?? '' } })

  const file = join(folder, 'with-folders.atelier-data.zip')
  const as = ({ dataDir, key }: typeof service) => ({ env: { ATELIER_DATA_DIR: dataDir, SESSION_API_KEY: key } })
  expect(await command(['export', file, '--working-folders'], as(service))).toMatchObject({ code: 0 })
  const shown = await command(['import', file, '--check'], as(other))
  expect(shown.stdout).toMatch(/\d+ working folders?/)
  expect(await command(['import', file, '--yes'], as(other))).toMatchObject({ code: 0 })

  model.setScript([terminal('cat deep/jar.txt .env; stat -c %a deep; git status --short'), { text: 'There.' }])
  const on = await startConversation(other, { forked_from_conversation_id: id, initial_message: said('And now?') })
  expect(on).toMatchObject({ status: 'READY' })
  const followed = await watch(other, on.app_conversation_id ?? '')
  await followed.untilStatus('finished')
  await followed.close()
  const asked = JSON.stringify(model.requests.at(-1))
  expect(asked).toContain('with the files of its working folder')
  expect(asked).toContain('quinces\\nKEY=1\\n700')
  const params = { conversation_id: id }
  await other.client.call(deleteAppConversation, { params })
  expect(readdirSync(join(other.dataDir, 'folders', '.imported'))).not.toContain(`${id}.tar`)
})

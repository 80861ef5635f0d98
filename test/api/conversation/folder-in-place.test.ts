import { renameSync } from 'node:fs'
import { expect } from 'vitest'
import { inspectFolder } from '../../../server/api/v1/conversation/folder/folders.ts'
import { batchGetSandboxes, resumeSandbox } from '../../../server/api/v1/sandbox/sandboxes.ts'
import { it as base } from '../../fixtures/service.ts'
import { startConversation } from '../../parts/client/conversation.ts'
import { runScript, testEngine } from '../../parts/engine/containers.ts'
import { addSparseFile, newFolder, type TestFolder } from '../../parts/test-folder.ts'

const it = base
  .extend('serviceOptions', { scope: 'file' }, ({}) => ({
    settings: { llm_model: 'ollama/none', llm_base_url: 'http://127.0.0.1:1' },
  }))
  /** @returns the sandbox in which the folder is mounted */
  .extend('start', { scope: 'file' }, ({ service }) => async (folder: TestFolder): Promise<string> => {
    const source = { kind: 'folder' as const, path: folder.path, mode: 'in_place' as const, confirm_in_place: true }
    const task = await startConversation(service, { source })
    expect(task.detail).toBeNull()
    return task.sandbox_id ?? ''
  })
  .extend('statusOf', { scope: 'file' }, ({ service }) => async (id: string) => {
    return (await service.client.call(batchGetSandboxes, { query: { id: [id] } }))[0]?.status
  })

it('an agent works in place on a folder that is too large to be copied', async ({ service, start }) => {
  const folder = newFolder().write({ 'a.txt': 'one\n' }).commit()
  addSparseFile(folder, 'disk.img', 5 * 2 ** 30)
  const reason = expect.stringContaining('"disk.img" has 5,120 MiB')
  expect(await service.client.call(inspectFolder, { body: { path: folder.path } })).toMatchObject({
    git: { branch: 'main', uncommitted_files: null },
    files: null,
    size_bytes: null,
    modes: ['in_place'],
    unavailable: [
      { mode: 'copy', reason },
      { mode: 'worktree', reason },
    ],
  })
  const sandbox = await start(folder)
  const script = 'stat -c %s disk.img; git status --porcelain'
  const { printed } = await runScript(sandbox, { cwd: '/workspace/project/shop', script })
  expect(printed).toBe(`${5 * 2 ** 30}\n?? disk.img`)
})

it('a folder in which an agent works is missed when it has been moved, until it is back', async ({
  start,
  statusOf,
  service,
}) => {
  const folder = newFolder().write({ 'a.txt': 'one\n' })
  const sandbox = await start(folder)
  const engine = testEngine()
  await engine.stopContainer(sandbox, 0)
  await engine.close()
  renameSync(folder.path, folder.beside('moved'))
  const params = { sandbox_id: sandbox }
  await expect.poll(() => statusOf(sandbox)).toBe('PAUSED')
  await expect(service.client.call(resumeSandbox, { params })).rejects.toThrow('is not where it was. Put it back')
  renameSync(folder.beside('moved'), folder.path)
  await service.client.call(resumeSandbox, { params })
  await expect.poll(() => statusOf(sandbox)).toBe('RUNNING')
  expect((await runScript(sandbox, { cwd: '/workspace/project/shop', script: 'cat a.txt' })).printed).toBe('one')
})

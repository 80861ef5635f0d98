import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { listAppConversations } from '../../../server/api/v1/conversation/conversations.ts'
import { inspectFolder } from '../../../server/api/v1/conversation/folder/folders.ts'
import * as routes from '../../../server/api/v1/conversation/workspace.ts'
import { batchGetSandboxes } from '../../../server/api/v1/sandbox/sandboxes.ts'
import { it as base } from '../../fixtures/service.ts'
import { startConversation } from '../../parts/client/conversation.ts'
import { runScript } from '../../parts/engine/containers.ts'
import { makeHostile, newFolder, type TestFolder } from '../../parts/test-folder.ts'

const it = base
  .extend('serviceOptions', { scope: 'file' }, ({}) => ({
    settings: { llm_model: 'ollama/none', llm_base_url: 'http://127.0.0.1:1' },
  }))
  .extend('post', { scope: 'file' }, ({ service }) => (path: string, key: string, body: unknown): Promise<Response> => {
    return fetch(`${service.url}${path}`, {
      method: 'POST',
      headers: { 'X-Session-API-Key': key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  })

const source = (folder: TestFolder, more: { include_changes?: boolean } = {}) => ({
  source: { kind: 'folder' as const, path: folder.path, ...more },
})

/** What a script that succeeds prints in a folder of the sandbox. */
async function run(sandbox: string | null, cwd: string, script: string): Promise<string> {
  const { exitCode, printed } = await runScript(sandbox ?? '', { cwd, script: `set -e; ${script}` })
  expect([printed, exitCode]).toEqual([printed, 0])
  return printed
}

describe('a conversation with a folder of this computer', () => {
  it('works on a branch of its own, with what is not committed', async ({ service }) => {
    const folder = newFolder().write({ 'a.txt': 'one\n', '.gitignore': 'out/\n' }).commit()
    folder.git('tag', 'v1')
    folder.write({ 'a.txt': 'two\n', 'new\nname.txt': 'new\n', 'out/x': 'ignored\n' })
    const task = await startConversation(service, source(folder))
    expect(task.detail).toBeNull()
    const inFolder = (script: string) => run(task.sandbox_id, '/workspace/project/shop', script)
    const git = (args: string) => inFolder(`git ${args}`)
    expect(await git('symbolic-ref --short HEAD')).toBe(`atelier/${task.app_conversation_id?.slice(0, 8)}`)
    expect(await git('rev-parse HEAD')).toBe(folder.git('rev-parse', 'HEAD'))
    expect(await git('status --porcelain')).toBe('M  a.txt\nA  "new\\nname.txt"')
    expect(await git('rev-parse origin/main v1')).toBe(folder.git('rev-parse', 'main', 'v1'))
    expect(await inFolder('cat a.txt; ls -d /tmp/atelier-folder-* 2>/dev/null || true; test ! -e out')).toBe('two')
    await inFolder('echo more >agents.txt')
    const params = { conversation_id: task.app_conversation_id ?? '' }
    const query = { ids: [params.conversation_id] }
    const where = { source_folder: folder.path, selected_repository: null }
    expect(await service.client.call(listAppConversations, { query })).toMatchObject([where])
    const changes = await service.client.call(routes.getConversationChanges, { params, query: {} })
    expect(changes).toEqual([{ status: 'ADDED', path: 'agents.txt' }])
    expect(task.steps.find(({ status }) => status === 'PREPARING_REPOSITORY')?.detail).toBe(`${folder.path} is copied.`)
  })

  it('leaves out what is not committed when that is asked, and copies a folder without git whole', async ({
    service,
  }) => {
    const folder = newFolder().write({ 'a.txt': 'one\n' }).commit().write({ 'a.txt': 'two\n' })
    const clean = await startConversation(service, source(folder, { include_changes: false }))
    expect(await run(clean.sandbox_id, '/workspace/project/shop', 'git status --porcelain; cat a.txt')).toBe('one')
    const plain = newFolder('Plain folder').write({ 'a.txt': 'one\n', 'node_modules/x.js': 'x' })
    const copied = await startConversation(service, source(plain))
    const listed = await run(copied.sandbox_id, '/workspace/project/Plain-folder', 'ls; git status --porcelain')
    expect(listed).toBe('a.txt')
  })

  it('executes nothing of the folder on this computer', async ({ service }) => {
    const folder = newFolder()
    const { canaries } = makeHostile(folder)
    // As long as before, and written later than git's index says: git reads it, through the filter.
    folder.write({ 'nested/c.txt': 'three\n' })
    folder.git('status')
    expect(readdirSync(canaries)).toContain('clean')
    for (const name of readdirSync(canaries)) rmSync(join(canaries, name))
    folder.write({ 'a.txt': 'changed once more\n' })
    await service.client.call(inspectFolder, { body: { path: folder.path } })
    const task = await startConversation(service, source(folder))
    expect(task.detail).toBeNull()
    expect(readdirSync(canaries)).toEqual([])
    expect(await run(task.sandbox_id, '/workspace/project/shop', 'cat a.txt; readlink outside')).toBe(
      'changed once more\n/etc',
    )
  })
})

describe('a start with a folder is refused', () => {
  it('for a mode that there is not, with the name of the field', async ({ post, service }) => {
    const body = { source: { kind: 'folder', path: '/tmp', mode: 'moved' } }
    const reply = await post('/api/v1/app-conversations', service.key, body)
    expect(reply.status).toBe(422)
    expect(await reply.json()).toMatchObject({ detail: [{ loc: ['body', 'source', 'mode'] }] })
  })

  it('beside a repository', async ({ post, service }) => {
    const body = { source: { kind: 'folder', path: '/tmp' }, selected_repository: 'a/b' }
    expect((await post('/api/v1/app-conversations', service.key, body)).status).toBe(400)
  })

  it('in words when there is no such folder, before a sandbox is made', async ({ service }) => {
    const task = await startConversation(service, { source: { kind: 'folder', path: '/nowhere/at/all' } })
    expect(task).toMatchObject({
      status: 'ERROR',
      sandbox_id: null,
      detail: expect.stringContaining('There is no folder /nowhere/at/all on this computer.'),
    })
  })

  it('for the key of a sandbox, as is a look', async ({ service, post }) => {
    const folder = newFolder().write({ 'a.txt': 'one\n' })
    const task = await startConversation(service, {})
    const [sandbox] = await service.client.call(batchGetSandboxes, { query: { id: [task.sandbox_id ?? ''] } })
    const key = sandbox?.session_api_key ?? ''
    expect(key).not.toBe('')
    expect((await post('/api/v1/folders/inspect', key, { path: folder.path })).status).toBe(401)
    expect((await post('/api/v1/app-conversations', key, source(folder))).status).toBe(401)
  })
})

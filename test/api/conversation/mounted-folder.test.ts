import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { listAppConversations } from '../../../server/api/v1/conversation/conversations.ts'
import { previewFolderApply } from '../../../server/api/v1/conversation/folder/apply.ts'
import { inspectFolder } from '../../../server/api/v1/conversation/folder/folders.ts'
import { createAppConversation } from '../../../server/api/v1/conversation/starts.ts'
import * as routes from '../../../server/api/v1/conversation/workspace.ts'
import { it as base } from '../../fixtures/service.ts'
import { startConversation } from '../../parts/client/conversation.ts'
import { runScript } from '../../parts/engine/containers.ts'
import { makeHostile, newFolder, type TestFolder } from '../../parts/test-folder.ts'

const it = base
  .extend('serviceOptions', { scope: 'file' }, ({}) => ({
    settings: { llm_model: 'ollama/none', llm_base_url: 'http://127.0.0.1:1' },
  }))
  .extend(
    'start',
    { scope: 'file' },
    ({ service }) =>
      async (folder: TestFolder, mode: 'worktree' | 'in_place', more: { include_changes?: boolean } = {}) => {
        const source = {
          kind: 'folder' as const,
          path: folder.path,
          mode,
          confirm_in_place: mode === 'in_place',
          ...more,
        }
        const task = await startConversation(service, { source })
        expect(task.detail).toBeNull()
        const params = { conversation_id: task.app_conversation_id ?? '' }
        const found = await service.client.call(listAppConversations, { query: { ids: [params.conversation_id] } })
        return { params, conversation: Array.isArray(found) ? found[0] : undefined, sandbox: task.sandbox_id ?? '' }
      },
  )
  .extend('changesOf', { scope: 'file' }, ({ service }) => (params: { conversation_id: string }) => {
    return service.client.call(routes.getConversationChanges, { params, query: {} })
  })

/** A usual user of a machine; the tests run as root. */
const ADA = { uid: 1234, gid: 1235 }

describe('in place', () => {
  it('works on the files themselves, which stay those of their owner', async ({ start, service, changesOf }) => {
    const folder = newFolder().write({ 'a.txt': 'one\n' }).commit().giveTo(ADA)
    const before = readFileSync(join(folder.path, '.git/config'), 'utf8')
    const { params, conversation, sandbox } = await start(folder, 'in_place')
    expect(conversation).toMatchObject({
      source_folder: folder.path,
      folder_mode: 'in_place',
      mounted_folder: folder.path,
    })
    const inside = '/workspace/project/shop'
    const script =
      'id -u; echo "$HOME"; echo two >a.txt; mkdir new; echo x >new/b.txt; git add -A; git commit -qm Agent'
    const { exitCode, printed } = await runScript(sandbox, { cwd: inside, script: script })
    expect({ exitCode, printed }).toEqual({ exitCode: 0, printed: `${ADA.uid}\n/home/atelier` })
    for (const name of ['a.txt', 'new', 'new/b.txt', '.git/index', '.git/HEAD']) {
      expect({ name, ...owner(join(folder.path, name)) }).toEqual({ name, ...ADA })
    }
    expect(folder.git('log', '-1', '--format=%s by %an')).toBe('Agent by Atelier')
    expect(folder.git('status', '--porcelain')).toBe('')
    expect(readFileSync(join(folder.path, '.git/config'), 'utf8')).toBe(before)
    expect(execFileSync('find', [folder.path, '-user', 'root'], { encoding: 'utf8' })).toBe('')
    await expect(service.client.call(previewFolderApply, { params })).rejects.toThrow(`is in ${folder.path} at once`)
    expect(await changesOf(params)).toEqual([
      { status: 'UPDATED', path: 'a.txt' },
      { status: 'ADDED', path: 'new/b.txt' },
    ])
  })

  it('lets nothing be written that git on this machine would run', async ({ start }) => {
    const folder = newFolder().write({ 'a.txt': 'one\n' }).commit()
    rmSync(join(folder.path, '.git/hooks'), { recursive: true })
    const { sandbox } = await start(folder, 'in_place')
    const attempts = [
      'echo x >.git/hooks/pre-commit',
      'git config core.fsmonitor ./evil.sh',
      'echo x >>.git/config',
      'rm -f .git/config',
      'mv .git/hooks .git/old',
      'mv .git git',
      'rm -rf .git/hooks && mkdir .git/hooks',
    ]
    for (const attempt of attempts) {
      const { exitCode } = await runScript(sandbox, { cwd: '/workspace/project/shop', script: attempt })
      expect({ attempt, refused: exitCode !== 0 }).toEqual({ attempt, refused: true })
    }
    expect(readdirSync(join(folder.path, '.git/hooks'))).toEqual([])
    expect(folder.git('status', '--porcelain')).toBe('')
  })

  it('leaves the worktrees of its folder alone, which its sandbox does not see', async ({ start }) => {
    const folder = newFolder().write({ 'a.txt': 'one\n' }).commit()
    folder.git('worktree', 'add', '-q', folder.beside('mine'))
    const { sandbox } = await start(folder, 'in_place')
    await runScript(sandbox, { cwd: '/workspace/project/shop', script: 'git worktree prune --expire=now' })
    expect(folder.git('-C', folder.beside('mine'), 'status', '--porcelain')).toBe('')
  })

  it('takes a folder without git as it is', async ({ start }) => {
    const folder = newFolder('Plain folder').write({ 'a.txt': 'one\n' }).giveTo(ADA)
    const { sandbox } = await start(folder, 'in_place')
    expect(await runScript(sandbox, { cwd: '/workspace/project/Plain-folder', script: 'cat a.txt; ls -A' })).toEqual({
      exitCode: 0,
      printed: 'one\na.txt',
    })
    expect(readdirSync(folder.path)).toEqual(['a.txt'])
  })

  it('is confirmed once for each folder', async ({ service, start }) => {
    const folder = newFolder().write({ 'a.txt': 'one\n' })
    const source = { kind: 'folder' as const, path: folder.path, mode: 'in_place' as const }
    const refused = await startConversation(service, { source })
    expect(refused).toMatchObject({ status: 'ERROR', detail: expect.stringContaining('confirm_in_place') })
    expect(await service.client.call(inspectFolder, { body: { path: folder.path } })).toMatchObject({
      in_place_confirmed: false,
      modes: ['copy', 'in_place'],
      unavailable: [{ mode: 'worktree', reason: 'It is no git repository.' }],
    })
    await start(folder, 'in_place')
    expect((await startConversation(service, { source })).detail).toBeNull()
    expect(await service.client.call(inspectFolder, { body: { path: folder.path } })).toMatchObject({
      in_place_confirmed: true,
    })
  })

  it('refuses a repository whose hooks lead elsewhere, and a sandbox that is there already', async ({ service }) => {
    const folder = newFolder().write({ 'a.txt': 'one\n' }).commit()
    rmSync(join(folder.path, '.git/hooks'), { recursive: true, force: true })
    symlinkSync(folder.beside(''), join(folder.path, '.git/hooks'))
    const source = { kind: 'folder' as const, path: folder.path, mode: 'in_place' as const, confirm_in_place: true }
    expect(await startConversation(service, { source })).toMatchObject({
      status: 'ERROR',
      detail: expect.stringContaining('.git/hooks is no folder'),
    })
    const shared = service.client.call(createAppConversation, { body: { source, sandbox_id: 'atelier-any' } })
    await expect(shared).rejects.toMatchObject({ status: 400 })
  })
})

describe('in a worktree', () => {
  it('commits to a branch of the folder that the folder sees at once', async ({ start, changesOf }) => {
    const folder = newFolder().write({ 'a.txt': 'one\n' }).commit().write({ 'a.txt': 'mine\n' }).giveTo(ADA)
    const { params, conversation, sandbox } = await start(folder, 'worktree', { include_changes: false })
    const name = `shop-${params.conversation_id.slice(0, 8)}`
    const path = folder.beside(name)
    expect(conversation).toMatchObject({ folder_mode: 'worktree', mounted_folder: path, source_folder: folder.path })
    const script = 'git status --porcelain; echo two >a.txt; git commit -qam Agent; git symbolic-ref HEAD'
    const branch = `atelier/${params.conversation_id.slice(0, 8)}`
    expect(await runScript(sandbox, { cwd: `/workspace/project/${name}`, script: script })).toEqual({
      exitCode: 0,
      printed: `refs/heads/${branch}`,
    })
    expect(folder.git('log', '-1', '--format=%s', branch)).toBe('Agent')
    expect(folder.git('-C', path, 'status', '--porcelain')).toBe('')
    expect(folder.git('-C', path, 'symbolic-ref', '--short', 'HEAD')).toBe(branch)
    expect(folder.git('worktree', 'list', '--porcelain')).toContain(`worktree ${path}\n`)
    expect(readFileSync(join(folder.path, 'a.txt'), 'utf8')).toBe('mine\n')
    expect(await changesOf(params)).toEqual([{ status: 'UPDATED', path: 'a.txt' }])
    for (const each of [path, join(path, 'a.txt'), join(path, '.git'), join(folder.path, '.git/refs/heads', branch)]) {
      expect({ each, ...owner(each) }).toEqual({ each, ...ADA })
    }
    const ofRoot = execFileSync('find', [folder.beside(''), '-user', 'root'], { encoding: 'utf8' })
    expect(ofRoot).toBe('')
    folder.git('fsck', '--strict')
    folder.git('worktree', 'remove', path)
    expect(existsSync(path)).toBe(false)
  })

  it('is there for every command of git in the sandbox, also after git packed the branches of the folder', async ({
    start,
  }) => {
    const folder = newFolder().write({ 'a.txt': 'one\n' }).commit()
    const { params, sandbox } = await start(folder, 'worktree')
    const name = `shop-${params.conversation_id.slice(0, 8)}`
    folder.git('gc', '-q', '--prune=now')
    folder.git('pack-refs', '--all')
    const script =
      'git worktree prune -v; echo two >a.txt; git commit -qam Two; git checkout -q -b other; git worktree list'
    const { printed } = await runScript(sandbox, { cwd: `/workspace/project/${name}`, script: script })
    expect(printed).toMatch(
      new RegExp(`^/workspace/project/shop +\\w+ \\[main\\]\n/workspace/project/${name} +\\w+ \\[other\\]$`),
    )
    expect(folder.git('log', '-1', '--format=%s', 'other')).toBe('Two')
    expect(folder.git('worktree', 'prune', '-v')).toBe('')
  })

  it('has another branch where one is called atelier, and settings of its own that nobody writes', async ({
    start,
  }) => {
    const folder = newFolder().write({ 'a.txt': 'one\n' }).commit()
    folder.git('branch', 'atelier')
    folder.git('config', 'extensions.worktreeConfig', 'true')
    const { params, sandbox } = await start(folder, 'worktree')
    const id = params.conversation_id.slice(0, 8)
    const { exitCode } = await runScript(sandbox, {
      cwd: `/workspace/project/shop-${id}`,
      script: 'git config --worktree core.fsmonitor x',
    })
    expect(exitCode).not.toBe(0)
    expect(folder.git('branch', '--list', '--format=%(refname:short)').split('\n')).toEqual([
      'atelier',
      `atelier-${id}`,
      'main',
    ])
  })

  it.for(['logs', 'worktrees', 'refs/remotes', 'logs/refs'])(
    'refuses a repository whose %s leads elsewhere',
    async (name, { service }) => {
      const folder = newFolder().write({ 'a.txt': 'one\n' }).commit()
      const link = join(folder.path, '.git', name)
      rmSync(link, { recursive: true, force: true })
      mkdirSync(folder.beside('elsewhere/refs/heads'), { recursive: true })
      symlinkSync(folder.beside('elsewhere'), link)
      const source = { kind: 'folder' as const, path: folder.path, mode: 'worktree' as const }
      expect(await startConversation(service, { source })).toMatchObject({
        status: 'ERROR',
        detail: expect.stringContaining(`.git/${name} is no folder`),
      })
      expect(readdirSync(folder.beside('')).toSorted()).toEqual(['elsewhere', 'shop'])
      expect(readdirSync(folder.beside('elsewhere'), { recursive: true })).toEqual(['refs', 'refs/heads'])
    },
  )

  it('brings what is not committed, and runs nothing of the folder on this machine', async ({ start }) => {
    const folder = newFolder()
    const { canaries } = makeHostile(folder)
    for (const name of readdirSync(canaries)) rmSync(join(canaries, name))
    const { params, sandbox } = await start(folder, 'worktree')
    expect(readdirSync(canaries)).toEqual([])
    const name = `shop-${params.conversation_id.slice(0, 8)}`
    const { printed } = await runScript(sandbox, { cwd: `/workspace/project/${name}`, script: 'cat a.txt new.txt' })
    expect(printed).toBe('changed\nnew')
  })

  it('reaches of the repository only what commits need', async ({ start }) => {
    const folder = newFolder().write({ 'a.txt': 'one\n' }).commit()
    folder.git('tag', 'v1')
    const { params, sandbox } = await start(folder, 'worktree')
    const id = params.conversation_id.slice(0, 8)
    const attempts = [
      'echo x >../shop/.git/hooks/pre-commit',
      'git config core.fsmonitor ./evil.sh',
      'git tag v2',
      'rm .git; echo "gitdir: evil" >.git',
      `echo ../../evil >../shop/.git/worktrees/shop-${id}/commondir`,
      'echo x >../shop/a.txt && test -s ../shop/.git/config && rm ../shop/.git/config',
    ]
    for (const attempt of attempts) {
      const { exitCode } = await runScript(sandbox, { cwd: `/workspace/project/shop-${id}`, script: attempt })
      expect({ attempt, refused: exitCode !== 0 }).toEqual({ attempt, refused: true })
    }
    expect(readFileSync(join(folder.path, 'a.txt'), 'utf8')).toBe('one\n')
    expect(folder.git('tag')).toBe('v1')
  })

  it('leaves nothing behind where the start fails', async ({ service }) => {
    const folder = newFolder().write({ 'a.txt': 'one\n' }).commit()
    const source = { kind: 'folder' as const, path: folder.path, mode: 'worktree' as const }
    const task = await startConversation(service, { source, sandbox_spec_id: 'no-such-spec' })
    expect(task.status).toBe('ERROR')
    await expect.poll(() => readdirSync(folder.beside(''))).toEqual(['shop'])
    expect(folder.git('branch', '--format=%(refname:short)')).toBe('main')
    expect(folder.git('worktree', 'list').split('\n')).toHaveLength(1)
  })
})

function owner(path: string) {
  const { uid, gid } = lstatSync(path)
  return { uid, gid }
}

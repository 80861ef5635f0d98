import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect } from 'vitest'
import { previewFolderApply } from '../../../server/api/v1/conversation/folder/apply.ts'
import { createFolderBranch, undoFolderBranch } from '../../../server/api/v1/conversation/folder/branch.ts'
import { it as base } from '../../fixtures/service.ts'
import { startInFolder } from '../../parts/client/folder-conversation.ts'
import { makeHostile, TestFolder } from '../../parts/test-folder.ts'

const it = base
  .extend('serviceOptions', { scope: 'file' }, ({}) => ({
    settings: {
      llm_model: 'ollama/none',
      llm_base_url: 'http://127.0.0.1:1',
      git_user_name: 'Ada',
      git_user_email: 'ada@example.com',
    },
  }))
  .extend(
    'startIn',
    { scope: 'file' },
    ({ service }) =>
      async (folder: TestFolder, title = 'Föhn & fixes: the cart') => {
        made.push(folder)
        const conversation = await startInFolder(service, folder, title)
        const { params } = conversation
        return {
          ...conversation,
          preview: () => service.client.call(previewFolderApply, { params }),
          branch: (body: { name?: string; message?: string } = {}) =>
            service.client.call(createFolderBranch, { params, body }),
          undo: (branch: string) => service.client.call(undoFolderBranch, { params, body: { branch } }),
        }
      },
  )

const made: TestFolder[] = []

afterAll(() => {
  for (const folder of made) folder.remove()
})

const repository = () => new TestFolder().write({ 'a.txt': 'one\n', 'b.txt': 'b\n', 'sub/c.txt': 'c\n' }).commit()
const branchesOf = (folder: TestFolder) => folder.git('branch', '--format=%(refname:short)').split('\n')

describe('the changes of a conversation on a branch', () => {
  it('are one commit above what was copied, and the folder stays as it is', async ({ startIn }) => {
    const folder = repository()
    const conversation = await startIn(folder)
    await conversation.run('echo two >>a.txt; rm sub/c.txt; mkdir new; echo n >new/n.txt; chmod 755 b.txt')
    folder.write({ 'a.txt': 'changed since\n' })
    folder.git('add', 'a.txt')
    const before = folder.git('status', '--porcelain=v2', '--branch')
    expect((await conversation.preview()).branch_name).toBe('atelier/fo-hn-fixes-the-cart')
    const { branch, commit, files } = await conversation.branch()
    expect(branch).toBe('atelier/fo-hn-fixes-the-cart')
    expect(files).toEqual(['a.txt', 'b.txt', 'new/n.txt', 'sub/c.txt'])
    expect(folder.git('status', '--porcelain=v2', '--branch')).toBe(before)
    expect(folder.git('rev-parse', branch)).toBe(commit)
    expect(folder.git('log', '--format=%s|%an|%ae', `main..${branch}`)).toBe(
      'Föhn & fixes: the cart|Ada|ada@example.com',
    )
    expect(folder.git('diff', '--raw', '--no-abbrev', 'main', branch).split('\n')).toHaveLength(4)
    expect(folder.git('show', `${branch}:a.txt`)).toBe('one\ntwo')
    expect(folder.git('ls-tree', branch, 'b.txt')).toContain('100755')
    folder.git('fsck', '--strict')
    folder.git('gc', '-q', '--prune=now')
    expect(folder.git('show', `${branch}:new/n.txt`)).toBe('n')
  })

  it('stand above a commit of what was not committed', async ({ startIn }) => {
    const folder = repository().write({ 'b.txt': 'not committed\n', 'untracked.txt': 'u\n' })
    const conversation = await startIn(folder)
    await conversation.run('echo two >>a.txt')
    const { branch } = await conversation.branch({ name: 'topic/x', message: 'Add two\n\nAs asked.' })
    expect(branch).toBe('topic/x')
    expect(folder.git('log', '--format=%s', `main..${branch}`).split('\n')).toEqual(['Add two', 'Uncommitted changes'])
    expect(folder.git('log', '-1', '--format=%b', branch)).toBe('As asked.')
    expect(folder.git('show', `${branch}:untracked.txt`)).toBe('u')
    expect(folder.git('diff', '--name-only', `${branch}~1`, branch)).toBe('a.txt')
  })

  it('begin the history of a repository without a commit, and of one whose commits are packed', async ({ startIn }) => {
    const empty = new TestFolder().write({ 'a.txt': 'one\n' })
    empty.git('init', '-q', '-b', 'main')
    const first = await startIn(empty)
    await first.run('echo two >>a.txt')
    const { branch } = await first.branch()
    expect(empty.git('log', '--format=%s', branch).split('\n')).toEqual(['Föhn & fixes: the cart', 'Files of shop'])

    const packed = repository()
    packed.git('gc', '-q')
    const second = await startIn(packed)
    await second.run('echo two >>a.txt')
    expect(packed.git('show', `${(await second.branch()).branch}:sub/c.txt`)).toBe('c')
  })

  it('get another number where the name is taken, and are refused for one that is asked for', async ({ startIn }) => {
    const folder = repository()
    const conversation = await startIn(folder)
    await conversation.run('echo two >>a.txt')
    expect((await conversation.branch()).branch).toBe('atelier/fo-hn-fixes-the-cart')
    expect((await conversation.branch()).branch).toBe('atelier/fo-hn-fixes-the-cart-2')
    folder.git('pack-refs', '--all')
    for (const name of ['main', 'main/topic', 'atelier', 'atelier/fo-hn-fixes-the-cart']) {
      await expect(conversation.branch({ name }), name).rejects.toMatchObject({ code: 'conflict' })
    }
    for (const name of ['-x', 'a..b', 'a b', 'x.lock', 'a/', 'HEAD', '../../config', 'a/../../../config', 'a\nb']) {
      await expect(conversation.branch({ name }), name).rejects.toMatchObject({ code: 'bad_request' })
    }
    writeFileSync(join(folder.path, '.git/refs/heads/busy.lock'), '')
    await expect(conversation.branch({ name: 'busy' })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('busy.lock'),
    })
    expect(branchesOf(folder)).toEqual(['atelier/fo-hn-fixes-the-cart', 'atelier/fo-hn-fixes-the-cart-2', 'main'])
  })

  it('can be taken back until somebody works on the branch', async ({ startIn }) => {
    const folder = repository()
    const conversation = await startIn(folder)
    await conversation.run('echo two >>a.txt')
    const { branch } = await conversation.branch()
    expect(await conversation.undo(branch)).toEqual({ branch })
    expect(branchesOf(folder)).toEqual(['main'])
    expect(readdirSync(join(folder.path, '.git/refs/heads'))).toEqual(['main'])
    await conversation.branch({ name: 'mine' })
    await conversation.branch({ name: 'beside' })
    folder.git('checkout', '-q', 'mine')
    await expect(conversation.undo('mine')).rejects.toMatchObject({ code: 'conflict' })
    folder.git('commit', '-q', '--allow-empty', '-m', 'More')
    folder.git('checkout', '-q', 'main')
    await expect(conversation.undo('mine')).rejects.toMatchObject({ code: 'conflict' })
    folder.git('worktree', 'add', '-q', folder.beside('worktree'), 'beside')
    await expect(conversation.undo('beside')).rejects.toMatchObject({ code: 'conflict' })
    await expect(conversation.undo('main')).rejects.toMatchObject({ code: 'bad_request' })
    expect(branchesOf(folder)).toEqual(['beside', 'main', 'mine'])
  })

  it('run nothing of the folder on this computer', async ({ startIn }) => {
    const folder = new TestFolder()
    const { canaries } = makeHostile(folder)
    const conversation = await startIn(folder)
    await conversation.run('echo agent >>a.txt; echo agent >>b.bin')
    for (const name of readdirSync(canaries)) rmSync(join(canaries, name))
    const { branch } = await conversation.branch()
    await conversation.undo(branch)
    expect(readdirSync(canaries)).toEqual([])
  })

  it('never hold links, nor what lies in .git, and never lead out of it', async ({ startIn }) => {
    const folder = repository()
    const conversation = await startIn(folder)
    await conversation.run('ln -s /etc/passwd link; echo fine >fine.txt')
    const { branch, refused } = await conversation.branch()
    expect(refused).toEqual(['link'])
    expect(folder.git('diff', '--name-only', 'main', branch)).toBe('fine.txt')
    const outside = folder.beside('outside')
    mkdirSync(outside)
    symlinkSync(outside, join(folder.path, '.git/refs/heads/away'))
    for (const name of ['away/x', 'away/deep/x']) {
      await expect(conversation.branch({ name })).rejects.toMatchObject({ code: 'bad_request' })
    }
    expect(readdirSync(outside)).toEqual([])
  })

  it('are refused in words without a repository, without a change and without the commit that was copied', async ({
    startIn,
  }) => {
    const plain = await startIn(new TestFolder().write({ 'a.txt': 'one\n' }))
    expect((await plain.preview()).branch_name).toBeNull()
    await expect(plain.branch()).rejects.toMatchObject({ code: 'bad_request' })
    const folder = repository()
    const conversation = await startIn(folder)
    await expect(conversation.branch()).rejects.toMatchObject({ message: expect.stringContaining('changed nothing') })
    await conversation.run('echo two >>a.txt')
    rmSync(join(folder.path, '.git'), { recursive: true })
    folder.git('init', '-q', '-b', 'main')
    await expect(conversation.branch()).rejects.toMatchObject({
      message: expect.stringContaining('no longer has the commit'),
    })
  })
})

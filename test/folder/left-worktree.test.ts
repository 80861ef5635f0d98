import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type MadeWorktree, makeWorktree } from '../../server/folder/mount/worktree.ts'
import { WorktreeRecords } from '../../server/folder/mount/worktree-records.ts'
import { newFolder, type TestFolder } from '../parts/test-folder.ts'
import { foldersBeside, signal } from './parts.ts'

const recordsBeside = (folder: TestFolder) => new WorktreeRecords(folder.beside('data'))

/** As a start makes it. */
function make(folder: TestFolder, begun?: (made: MadeWorktree) => Promise<void>) {
  const records = recordsBeside(folder)
  const remember = begun ?? ((made: MadeWorktree) => records.remember('conversation', made))
  return foldersBeside(folder).open(folder.path, signal, opened =>
    makeWorktree(opened, { name: 'left', includeChanges: true, begun: remember, signal }),
  )
}

it('a worktree whose start was killed is removed with its branch, and nothing else', async () => {
  const folder = newFolder().write({ 'a.txt': 'one\n' }).commit().write({ 'a.txt': 'mine\n' })
  folder.git('worktree', 'add', '-q', folder.beside('mine'))
  const before = folder.git('worktree', 'list', '--porcelain')
  const { path, branch } = await make(folder)
  expect(folder.git('branch', '--list', branch)).not.toBe('')
  await recordsBeside(folder).removeLeft('conversation')
  expect([existsSync(path), folder.git('branch', '--list', branch)]).toEqual([false, ''])
  expect(folder.git('worktree', 'list', '--porcelain')).toBe(before)
  expect(folder.git('status', '--porcelain')).toBe('M a.txt')
})

it('a worktree that is being made when the service is killed is removed too', async () => {
  const folder = newFolder().write({ 'a.txt': 'one\n' }).commit()
  const killed = new Error('killed')
  let left = ''
  const making = make(folder, async made => {
    await recordsBeside(folder).remember('conversation', made)
    left = made.path
    throw killed
  })
  await expect(making).rejects.toThrow(killed)
  mkdirSync(join(left, 'some'), { recursive: true })
  await recordsBeside(folder).removeLeft('conversation')
  expect(existsSync(left)).toBe(false)
})

it('the worktree of a conversation stays, and so does what a damaged record names', async () => {
  const folder = newFolder().write({ 'a.txt': 'one\n' }).commit()
  const { path } = await make(folder)
  await recordsBeside(folder).forget('conversation')
  await recordsBeside(folder).removeLeft('conversation')
  writeFileSync(folder.beside('data/folders/.worktrees/conversation.json'), `{"path": ${JSON.stringify(path)}`)
  await recordsBeside(folder).removeLeft('conversation')
  expect(existsSync(path)).toBe(true)
})

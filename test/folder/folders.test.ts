import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Folders } from '../../server/folder/folders.ts'
import { inspectFolder } from '../../server/folder/inspect.ts'
import { newFolder, type TestFolder } from '../parts/test-folder.ts'
import { copied, foldersBeside, inspect, signal } from './parts.ts'

describe('a repository', () => {
  it('is copied with its history and what is not committed, and stays as it is', async () => {
    const folder = newFolder()
      .write({ 'a.txt': 'one\n', 'gone.txt': 'x\n', 'staged.txt': 's\n', '.gitignore': 'out/\n' })
      .commit()
    folder.git('tag', 'v1')
    folder.git('checkout', '-q', '-b', 'topic')
    folder.write({ 'a.txt': 'two\n', 'staged.txt': 'staged\n', 'new.txt': 'new\n', 'out/big.txt': 'ignored\n' })
    folder.git('add', 'staged.txt')
    rmSync(join(folder.path, 'gone.txt'))
    const before = folder.git('status', '--porcelain=v2', '--branch')
    expect(await inspect(folder)).toMatchObject({
      path: folder.path,
      git: { branch: 'topic', head: folder.git('rev-parse', 'HEAD'), uncommitted_files: 4 },
      files: 4,
      ignored: { count: 1, names: ['out/'] },
      left_out: { count: 0 },
    })
    const { snapshot, files, text } = await copied(folder)
    expect(files).toEqual(['.gitignore', 'a.txt', 'new.txt', 'staged.txt'])
    expect(text('a.txt')).toBe('two\n')
    expect(text('staged.txt')).toBe('staged\n')
    expect(snapshot).toMatchObject({ branch: 'topic', head: folder.git('rev-parse', 'HEAD'), leftOut: [] })
    expect([...snapshot.refs.keys()].sort()).toEqual(['refs/heads/main', 'refs/heads/topic', 'refs/tags/v1'])
    expect((await copied(folder, { includeChanges: false })).text('a.txt')).toBe('one\n')
    expect(folder.git('status', '--porcelain=v2', '--branch')).toBe(before)
  })

  it('is copied when packed, shallow, detached, or a worktree of another folder', async () => {
    const folder = newFolder().write({ 'a.txt': 'one\n' }).commit()
    folder.write({ 'a.txt': 'two\n' }).commit('Second')
    folder.git('gc', '-q')
    const shallow = newFolder('shallow')
    rmSync(shallow.path, { recursive: true })
    execFileSync('git', ['clone', '-q', '--depth', '1', `file://${folder.path}`, shallow.path])
    expect((await copied(shallow)).snapshot.shallow).toEqual([folder.git('rev-parse', 'HEAD')])
    folder.git('checkout', '-q', '--detach', 'HEAD^')
    expect((await copied(folder)).text('a.txt')).toBe('one\n')
    const worktree = newFolder('tree')
    rmSync(worktree.path, { recursive: true })
    folder.git('worktree', 'add', '-q', worktree.path, 'main')
    expect((await copied(worktree)).snapshot).toMatchObject({ branch: 'main' })
  })

  it('before its first commit is copied as files', async () => {
    const folder = newFolder().write({ 'a.txt': 'one\n' })
    folder.git('init', '-q')
    expect(await inspect(folder)).toMatchObject({ git: { head: null }, files: 1 })
    expect((await copied(folder)).files).toEqual(['a.txt'])
  })
})

describe('a folder without git', () => {
  it('is copied but for what is ignored', async () => {
    const folder = newFolder().write({
      'a.txt': 'one\n',
      'deep/b.txt': 'two\n',
      'node_modules/x/index.js': 'x',
      '.gitignore': '*.log\n',
      'x.log': 'x',
    })
    expect(await inspect(folder)).toMatchObject({ git: null, files: 3, ignored: { count: 2 } })
    const { files, snapshot } = await copied(folder)
    expect(files).toEqual(['.gitignore', 'a.txt', 'deep/b.txt'])
    expect(snapshot).toMatchObject({ branch: null, head: snapshot.start })
  })
})

describe('a folder with many files', () => {
  it('is copied whole, as one pack', async () => {
    const texts = Array.from({ length: 1_200 }, (_, number) => [`src/${number}.txt`, `text ${number}\n`])
    const folder = newFolder().write({ ...Object.fromEntries(texts), 'empty.txt': '' })
    const { files, text } = await copied(folder)
    expect(files).toHaveLength(1_201)
    expect(text('src/1199.txt')).toBe('text 1199\n')
    expect(text('empty.txt')).toBe('')
  })
})

it("Atelier's own data is not copied, nor what holds it", async () => {
  const folder = newFolder().write({ 'data/keys.txt': 'secret\n' })
  const folders = new Folders({ dataDir: join(folder.path, 'data') })
  for (const path of [folder.path, join(folder.path, 'data')]) {
    await expect(folders.open(path, signal, inspectFolder)).rejects.toMatchObject({ code: 'bad_request' })
  }
  await expect(folders.open('shop', signal, inspectFolder)).rejects.toMatchObject({ code: 'bad_request' })
  await expect(folders.open(folder.beside('nowhere'), signal, inspectFolder)).rejects.toMatchObject({
    code: 'file_not_found',
  })
})

it('a look that is given up ends git and leaves nothing behind', async () => {
  const folder = newFolder().write({ 'a.txt': 'one\n' }).commit()
  const given = new AbortController()
  const looking = foldersBeside(folder).open(folder.path, given.signal, inspectFolder)
  given.abort(new Error('given up'))
  await expect(looking).rejects.toThrow('given up')
  expect(await leftOf(folder)).toEqual([])
})

it('closing ends what is read and waits until nothing of it is left', async () => {
  const folder = newFolder().write({ 'a.txt': 'one\n' }).commit()
  const folders = foldersBeside(folder)
  let begun = () => {}
  const reading = new Promise<void>(resolve => {
    begun = resolve
  })
  const copying = folders.open(folder.path, signal, async (_, closing) => {
    begun()
    await once(closing, 'abort')
    closing.throwIfAborted()
  })
  await reading
  expect(await leftOf(folder)).toHaveLength(1)
  const refused = expect(copying).rejects.toMatchObject({ code: 'unavailable' })
  await folders.close()
  expect(await leftOf(folder)).toEqual([])
  await refused
  await expect(folders.open(folder.path, signal, inspectFolder)).rejects.toMatchObject({ code: 'unavailable' })
})

it('what a killed process left is removed at the next start, and what is read since then is not', async () => {
  const folder = newFolder().write({ 'a.txt': 'one\n' }).commit()
  mkdirSync(join(homesOf(folder), 'git-killed', 'repository'), { recursive: true })
  writeFileSync(join(homesOf(folder), 'git-killed', 'repository', 'HEAD'), 'ref: refs/heads/main\n')
  const folders = foldersBeside(folder)
  const started = folders.start()
  await folders.open(folder.path, signal, async ({ git }) => {
    await started
    expect(await leftOf(folder)).toEqual([basename(git.home)])
  })
})

const homesOf = (folder: TestFolder) => join(folder.beside('data'), 'folders', '.open')
const leftOf = (folder: TestFolder) => readdir(homesOf(folder))

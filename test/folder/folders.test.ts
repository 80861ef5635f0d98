import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Folders } from '../../server/folder/folders.ts'
import { inspectFolder } from '../../server/folder/inspect.ts'
import { addSparseFile, makeHostile, newFolder, type TestFolder } from '../parts/test-folder.ts'

const { signal } = new AbortController()

const foldersBeside = (folder: TestFolder) => new Folders({ dataDir: folder.beside('data') })
const inspect = (folder: TestFolder) => foldersBeside(folder).open(folder.path, signal, inspectFolder)

/** Unpacks what is copied as a sandbox does, and says what is in it. */
async function copied(folder: TestFolder, includeChanges = true) {
  const target = folder.beside(`copy-${Math.random()}`)
  execFileSync('git', ['init', '-q', target])
  const git = (...args: string[]) => execFileSync('git', args, { cwd: target, encoding: 'utf8' })
  const { snapshot } = await foldersBeside(folder).copy(folder.path, { includeChanges, signal }, async copy => {
    const chunks: Buffer[] = []
    for await (const chunk of copy.content) chunks.push(chunk)
    await copy.ended
    if (copy.snapshot.shallow.length > 0) {
      writeFileSync(join(target, '.git', 'shallow'), `${copy.snapshot.shallow.join('\n')}\n`)
    }
    execFileSync('git', ['index-pack', '--stdin', '--strict'], {
      cwd: target,
      input: Buffer.concat(chunks),
      stdio: 'pipe',
    })
    return copy
  })
  git('fsck', '--connectivity-only', snapshot.start)
  const files = git('ls-tree', '-r', '-z', '--name-only', snapshot.start).split('\0').filter(Boolean)
  return { snapshot, files, text: (path: string) => git('show', `${snapshot.start}:${path}`) }
}

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
    expect((await copied(folder, false)).text('a.txt')).toBe('one\n')
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

describe('a hostile folder', () => {
  it('gets nothing executed: no hook, filter, monitor, driver, submodule or included setting', async () => {
    const folder = newFolder()
    const { canaries } = makeHostile(folder)
    const ran = () => readdirSync(canaries)
    // As long as before, and written later than git's index says: git reads it, through the filter.
    folder.write({ 'nested/c.txt': 'three\n' })
    // What they do when git opens the folder itself: the proof that they would.
    folder.git('status')
    expect(ran()).toEqual(expect.arrayContaining(['clean', 'included', 'submodule-fsmonitor']))
    for (const name of ran()) rmSync(join(canaries, name))
    folder.write({ 'a.txt': 'changed again\n' })
    expect(await inspect(folder)).toMatchObject({ left_out: { names: ['module/'] } })
    const { files, text } = await copied(folder)
    expect(files).toEqual(expect.arrayContaining(['a.txt', 'new.txt', 'outside']))
    expect(text('a.txt')).toBe('changed again\n')
    expect(text('outside')).toBe('/etc')
    expect(ran()).toEqual([])
  })

  it('gets nothing out of other places by links', async () => {
    const folder = newFolder().write({ 'dir/passwd': 'mine\n', 'a.txt': 'one\n' }).commit()
    rmSync(join(folder.path, 'dir'), { recursive: true })
    symlinkSync('/etc', join(folder.path, 'dir'))
    const { files, text } = await copied(folder)
    expect(files).toEqual(['a.txt', 'dir'])
    expect(text('dir')).toBe('/etc')
  })

  it('has names with line breaks, quotes and dashes', async () => {
    const names = ['-rf', 'a\nb.txt', 'c"d.txt', 'e\tf', 'ü.txt']
    const folder = newFolder('a "b\nc')
      .write(Object.fromEntries(names.map(name => [name, name])))
      .commit()
    folder.write({ 'a\nb.txt': 'changed', 'g\nh': 'new' })
    const { files, text } = await copied(folder)
    expect(files.sort()).toEqual([...names, 'g\nh'].sort())
    expect(text('a\nb.txt')).toBe('changed')
  })

  it('is refused for a file of 4 GB that git does not have, and copied when that is ignored', async () => {
    const folder = newFolder().write({ 'a.txt': 'one\n' }).commit()
    addSparseFile(folder, 'big.bin', 4 * 2 ** 30)
    const refusal = { code: 'bad_request', message: expect.stringContaining('"big.bin" has 4,096 MiB') }
    await expect(inspect(folder)).rejects.toMatchObject(refusal)
    await expect(copied(folder)).rejects.toMatchObject(refusal)
    folder.write({ '.gitignore': 'big.bin\n' })
    expect((await copied(folder)).files).toEqual(['.gitignore', 'a.txt'])
  })

  it.each([
    [
      'a .git that leads to the repository of somebody else',
      'belongs to another repository',
      (folder: TestFolder, other: TestFolder) => folder.write({ '.git': `gitdir: ${other.path}/.git\n` }),
    ],
    [
      'a link as .git',
      'link to another place',
      (folder: TestFolder, other: TestFolder) => symlinkSync(`${other.path}/.git`, join(folder.path, '.git')),
    ],
    ['an empty .git', 'damaged', (folder: TestFolder) => mkdirSync(join(folder.path, '.git'))],
    [
      'objects that lie elsewhere',
      'damaged',
      (folder: TestFolder, other: TestFolder) => {
        folder.write({ 'a.txt': 'x' }).commit()
        rmSync(join(folder.path, '.git/objects'), { recursive: true })
        symlinkSync(`${other.path}/.git/objects`, join(folder.path, '.git/objects'))
      },
    ],
    [
      'a HEAD outside of its branches',
      'HEAD names no branch',
      (folder: TestFolder) =>
        folder.write({ 'a.txt': 'x' }).commit().write({ '.git/HEAD': 'ref: refs/heads/../../../x\n' }),
    ],
    ['SHA-256 names', 'SHA-256', (folder: TestFolder) => folder.git('init', '-q', '--object-format=sha256')],
    [
      'a missing last commit',
      'lacks its last commit',
      (folder: TestFolder) => {
        folder.write({ 'a.txt': 'x' }).commit()
        renameSync(join(folder.path, '.git/objects'), folder.beside('gone'))
        mkdirSync(join(folder.path, '.git/objects'))
      },
    ],
  ])('is refused in words for %s', async (_what, words, prepare) => {
    const [folder, other] = [newFolder(), newFolder('other').write({ 'secret.txt': 'secret\n' }).commit()]
    prepare(folder, other)
    await expect(copied(folder)).rejects.toMatchObject({ code: 'bad_request', message: expect.stringContaining(words) })
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

import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { addSparseFile, makeHostile, newFolder, type TestFolder } from '../parts/test-folder.ts'
import { copied, inspect } from './parts.ts'

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

  it.each([
    'a.txt',
    'new',
    '.git/HEAD',
    '.git/config',
    '.git/index',
    '.git/info/exclude',
    '.git/packed-refs',
    '.git/refs/heads/x',
  ])('has a pipe in the place of %s, which is not waited for', async path => {
    const folder = newFolder().write({ 'a.txt': 'one\n', 'b.txt': 'two\n' }).commit()
    rmSync(join(folder.path, path), { force: true })
    execFileSync('mkfifo', [join(folder.path, path)])
    await inspect(folder)
    expect((await copied(folder)).files).toEqual(path === 'a.txt' ? ['b.txt'] : ['a.txt', 'b.txt'])
  })

  it('has devices behind links, and neither is followed', async () => {
    const folder = newFolder().write({ 'a.txt': 'one\n' }).commit()
    rmSync(join(folder.path, '.git/index'))
    for (const path of ['.git/index', '.gitignore', 'zero']) symlinkSync('/dev/zero', join(folder.path, path))
    const { files, text } = await copied(folder)
    expect(files).toEqual(['.gitignore', 'a.txt', 'zero'])
    expect(text('zero')).toBe('/dev/zero')
  })

  it('has a submodule that leads elsewhere, of which nothing comes along, and whose settings are only text', async () => {
    const other = newFolder('other').write({ 'secret.txt': 'secret\n' }).commit()
    const modules = '[submodule "m"]\n\tpath = ../../other\n\turl = ext::sh -c true\n\tupdate = !true\n'
    const folder = newFolder().write({
      'a.txt': 'one\n',
      'm/.git': `gitdir: ${other.path}/.git\n`,
      'm/x.txt': 'x\n',
      '.gitmodules': modules,
    })
    folder.git('init', '-q', '-b', 'main')
    folder.git('add', 'a.txt', '.gitmodules')
    folder.git('commit', '-q', '-m', 'First')
    const { files, snapshot, text } = await copied(folder, { isStrict: false })
    expect([files, snapshot.leftOut]).toEqual([['.gitmodules', 'a.txt'], ['m/']])
    expect(text('.gitmodules')).toBe(modules)
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

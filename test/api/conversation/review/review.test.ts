import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as routes from '../../../../server/api/v1/conversation/review.ts'
import { LINES, PNG, type Query, type Reviewed, startReviewed } from '../../../parts/reviewed.ts'

let reviewed: Reviewed

beforeAll(async () => {
  reviewed = await startReviewed()
})

afterAll(() => reviewed?.close())

const run = (script: string) => reviewed.run(script)
const list = (query?: Query) => reviewed.list(query)
const content = (query: Query) => reviewed.content(query)
const counted = (query?: Query) => reviewed.counted(query)

describe('the files of a review', () => {
  it('have their counts, moves, modes and kinds, and the index stays as it is', async () => {
    const before = await run('git status --porcelain; sha1sum .git/index')
    const file = {
      status: 'ADDED',
      old_path: null,
      binary: false,
      submodule: false,
      old_mode: null,
      new_mode: '100644',
    }
    expect(await list()).toEqual([
      { ...file, status: 'UPDATED', path: 'a.txt', additions: 2, deletions: 0, old_mode: '100644' },
      { ...file, path: 'dot.png', additions: null, deletions: null, binary: true },
      { ...file, status: 'DELETED', path: 'gone.txt', additions: 0, deletions: 1, old_mode: '100644', new_mode: null },
      { ...file, path: 'inner/i.txt', additions: 1, deletions: 0 },
      { ...file, path: 'inner/j.txt', additions: 1, deletions: 0 },
      { ...file, path: 'raw.bin', additions: null, deletions: null, binary: true },
      { ...file, status: 'UPDATED', path: 'run', additions: 0, deletions: 0, old_mode: '100644', new_mode: '100755' },
      { ...file, path: 'staged.txt', additions: 2, deletions: 0 },
      {
        ...file,
        status: 'MOVED',
        path: 'sub/new name.txt',
        old_path: 'old name.txt',
        additions: 0,
        deletions: 0,
        old_mode: '100644',
      },
      { ...file, path: 'tab\tand\nnewline', additions: 1, deletions: 0 },
    ])
    expect(await run('git status --porcelain; sha1sum .git/index')).toBe(before)
    expect(await run('ls /tmp')).not.toMatch(/tmp\./)
  })

  it('are those since the base that is chosen', async () => {
    expect(await counted({ base: 'last_commit' })).toContainEqual(['a.txt', 1, 0])
    expect(await counted({ base: 'staged' })).toEqual([['staged.txt', 1, 0]])
    expect(await counted({ base: 'unstaged' })).toContainEqual(['staged.txt', 1, 0])
    expect(await counted({ base: 'default_branch' })).toContainEqual(['a.txt', 2, 0])
    expect(await counted({ base: 'commit', commit: 'HEAD~1' })).toContainEqual(['a.txt', 2, 0])
  })

  it('of the default branch begin where the branch left it', async () => {
    await run('git update-ref refs/remotes/origin/main $(git commit-tree -p origin/main -m x $(git mktree </dev/null))')
    expect(await counted({ base: 'default_branch' })).toContainEqual(['a.txt', 2, 0])
    expect(await counted({ base: 'default_branch' })).not.toContainEqual(['same.txt', 1, 0])
    await run('git update-ref refs/remotes/origin/main HEAD~1')
  })

  it('are none where there is no repository, and of one folder where it is named', async () => {
    expect(await list({ path: '/tmp' })).toEqual([])
    expect((await list({ path: 'inner' })).map(({ path }) => path)).toEqual(['i.txt', 'j.txt'])
  })

  it('with a submodule name it as such', async () => {
    await run(`git init -q /tmp/part; cd /tmp/part; echo 1 >p; git add .
      git -c user.name=a -c user.email=a@b.example commit -qm part; cd -
      git -c protocol.file.allow=always submodule --quiet add /tmp/part parts/part`)
    expect(await list()).toContainEqual(
      expect.objectContaining({ path: 'parts/part', submodule: true, additions: null, new_mode: '160000' }),
    )
    await expect(content({ path: 'parts/part' })).rejects.toMatchObject({ status: 400, code: 'bad_request' })
    await run('git rm -qrf parts/part .gitmodules; rm -rf .git/modules')
  })

  it.each([{ base: 'commit' }, { base: 'commit', commit: 'nowhere' }, { base: 'commit', commit: '--output=/tmp/x' }])(
    'refuse %j',
    async query => {
      await expect(list(query)).rejects.toMatchObject({ status: 400, code: 'bad_request' })
    },
  )
})

describe('a file of a review', () => {
  it('has both sides, from where it was before', async () => {
    expect(await content({ path: 'a.txt' })).toMatchObject({
      original: { text: 'one\n' },
      modified: { text: 'one\ntwo\nthree\n' },
    })
    expect(await content({ path: 'a.txt', base: 'last_commit' })).toMatchObject({ original: { text: 'one\ntwo\n' } })
    expect(await content({ path: 'sub/new name.txt', old_path: 'old name.txt' })).toMatchObject({
      original: { text: LINES },
      modified: { text: LINES },
    })
    expect(await content({ path: 'gone.txt' })).toMatchObject({ original: { text: 'x\n' }, modified: null })
    expect(await content({ path: 'tab\tand\nnewline' })).toMatchObject({ original: null, modified: { text: 'n\n' } })
  })

  it('of the index is what is staged', async () => {
    expect(await content({ path: 'staged.txt', base: 'staged' })).toMatchObject({ modified: { text: 'staged\n' } })
    expect(await content({ path: 'staged.txt', base: 'unstaged' })).toMatchObject({
      original: { text: 'staged\n' },
      modified: { text: 'staged\nmore\n' },
    })
  })

  it('is an image by its content, and no text where it is neither', async () => {
    const { modified } = await content({ path: 'dot.png' })
    expect(modified).toEqual({ text: null, image: { media_type: 'image/png', data: PNG } })
    expect((await content({ path: 'raw.bin' })).modified).toEqual({ text: null, image: null })
  })

  it('that is a link is the path that it leads to', async () => {
    await run('ln -s /etc/passwd link')
    expect((await content({ path: 'link' })).modified?.text).toBe('/etc/passwd')
    await run('rm link')
  })
})

const revert = (given: object) =>
  reviewed.service.client.call(routes.revertReviewFile, {
    params: reviewed.params,
    body: routes.revertReviewFile.body.parse(given),
  })
const undo = (given: routes.RevertedFile) =>
  reviewed.service.client.call(routes.undoReviewRevert, { params: reviewed.params, body: given })
const asSeen = async (given: { path: string; old_path?: string }) => ({
  ...given,
  version: (await content(given)).version,
})

describe('a revert', () => {
  it.each([
    ['changed', { path: 'a.txt' }, 'a.txt', false],
    ['deleted', { path: 'gone.txt' }, 'gone.txt', false],
    ['new', { path: 'raw.bin' }, 'raw.bin', true],
    ['made a program', { path: 'run' }, 'run', false],
    ['moved', { path: 'sub/new name.txt', old_path: 'old name.txt' }, 'old name.txt', false],
  ])('of a file that was %s puts it back as it was, and is undone', async (_, given, path, isGone) => {
    await run('touch -d 2020-01-01 a.txt gone.txt 2>/dev/null || true; rm -f gone.txt')
    const files = () =>
      run("find . -path ./.git -prune -o -type f -exec sha1sum {} + -exec stat -c '%a %n' {} + | sort")
    const before = await files()
    const reverted = await revert(await asSeen(given))
    expect((await list()).map(file => file.path)).not.toContain(given.path)
    expect(await run(`[ -e '${path}' ] && echo there || echo gone`)).toBe(isGone ? 'gone\n' : 'there\n')
    expect(await files()).not.toBe(before)
    await undo(reverted)
    expect(await files()).toBe(before)
  })

  it('of a hunk leaves the others, and ends of lines as they are', async () => {
    await run(
      "git config core.autocrlf false; printf '1\\r\\n2\\n3\\n4\\n5\\n6\\n7\\n8\\n9\\nend' >lines; git add lines; git commit -qm l",
    )
    await run("printf '1\\r\\nTWO\\n3\\n4\\n5\\n6\\n7\\n8\\n9\\nEND' >lines")
    const { version } = await content({ path: 'lines', base: 'last_commit' })
    const hunk = { original_start: 2, original_lines: 1, modified_start: 2, modified_lines: 1 }
    const given = { path: 'lines', base: 'last_commit', version, hunk }
    const { undo: kept } = await revert(given)
    expect(await run('cat lines')).toBe('1\r\n2\n3\n4\n5\n6\n7\n8\n9\nEND')
    await undo({ undo: kept })
    expect(await run('cat lines')).toBe('1\r\nTWO\n3\n4\n5\n6\n7\n8\n9\nEND')
    await expect(revert({ ...given, hunk: { ...hunk, modified_lines: 90 } })).rejects.toMatchObject({ status: 400 })
    await run('git rm -qf lines; git commit -qm l')
  })

  it('of what has changed since is refused, and so is its undo', async () => {
    const seen = await asSeen({ path: 'a.txt' })
    await run('cp a.txt /tmp/kept; echo later >>a.txt')
    await expect(revert(seen)).rejects.toMatchObject({ status: 409, code: 'conflict' })
    await run('cat /tmp/kept >a.txt')
    const reverted = await revert(seen)
    await run('echo later >>a.txt')
    await expect(undo(reverted)).rejects.toMatchObject({ status: 409, code: 'conflict' })
    expect(await run('cat a.txt')).toBe('one\nlater\n')
    await run('cat /tmp/kept >a.txt')
  })

  it('of a link is refused, and what it leads to stays', async () => {
    await run('echo outside >/tmp/outside; ln -s /tmp/outside link')
    await expect(revert(await asSeen({ path: 'link' }))).rejects.toMatchObject({ status: 400, code: 'bad_request' })
    expect(await run('cat /tmp/outside; rm link')).toBe('outside\n')
  })

  it('of what is staged is refused', async () => {
    const { version } = await content({ path: 'staged.txt', base: 'staged' })
    const given = { path: 'staged.txt', base: 'staged', version }
    await expect(revert(given)).rejects.toMatchObject({ status: 400, code: 'bad_request' })
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as routes from '../../../../server/api/v1/conversation/review.ts'
import { type Query, type Reviewed, startReviewed } from '../../../parts/reviewed.ts'

let reviewed: Reviewed

beforeAll(async () => {
  reviewed = await startReviewed()
})

afterAll(() => reviewed?.close())

const run = (script: string) => reviewed.run(script)
const list = (query?: Query) => reviewed.list(query)
const content = (query: Query) => reviewed.content(query)
const counted = (query?: Query) => reviewed.counted(query)
const stage = async (base: 'staged' | 'unstaged', given: { path: string; old_path?: string }, hunk?: object) => {
  const { version } = await content({ ...given, base })
  const body = routes.stageReviewFile.body.parse({ ...given, base, version, hunk })
  return reviewed.service.client.call(routes.stageReviewFile, { params: reviewed.params, body })
}

describe('what is staged', () => {
  const status = () => run('git status --porcelain --untracked-files=all -- . ":!inner" ":!empty"')

  it.each([
    ['changed', { path: 'a.txt' }],
    ['deleted', { path: 'gone.txt' }],
    ['new', { path: 'raw.bin' }],
    ['made a program', { path: 'run' }],
    ['moved', { path: 'sub/new name.txt', old_path: 'old name.txt' }],
    ['given an odd name', { path: 'tab\tand\nnewline' }],
  ])('is a whole file that was %s, until it is taken back', async (_, given) => {
    const [before, files] = [
      await status(),
      await run('find . -type f -not -path "*/.git/*" -exec sha1sum {} + | sort'),
    ]
    await stage('unstaged', given)
    expect(await counted({ base: 'unstaged' })).not.toContainEqual([given.path, expect.anything(), expect.anything()])
    expect((await list({ base: 'staged' })).map(({ path }) => path)).toContain(given.path)
    await stage('staged', given)
    expect(await status()).toBe(before)
    expect(await run('find . -type f -not -path "*/.git/*" -exec sha1sum {} + | sort')).toBe(files)
  })

  it('is one hunk of a file, and what was staged before', async () => {
    const first = 'sub/new name.txt'
    await run(
      `git mv -k nothing nowhere; git add -A sub 'old name.txt'; sed -i 's/line 3$/LINE 3/; s/line 30$/LINE 30/' '${first}'`,
    )
    const hunk = { original_start: 4, original_lines: 1, modified_start: 4, modified_lines: 1 }
    await stage('unstaged', { path: first }, hunk)
    const staged = async () => (await run(`git show ':${first}'`)).split('\n')
    expect((await staged()).filter(line => line.startsWith('LINE'))).toEqual(['LINE 3'])
    expect(await run(`grep -c LINE '${first}'`)).toBe('2\n')
    await stage('staged', { path: first, old_path: 'old name.txt' }, hunk)
    expect((await staged()).filter(line => line.startsWith('LINE'))).toEqual([])
    await run(`sed -i 's/LINE/line/' '${first}'; git reset -q`)
  })

  it('is nothing when the file has changed since it was read, and not what git ignores', async () => {
    const { version } = await content({ path: 'a.txt', base: 'unstaged' })
    await run('cp a.txt kept; echo four >>a.txt')
    const call = (given: object) =>
      reviewed.service.client.call(routes.stageReviewFile, {
        params: reviewed.params,
        body: routes.stageReviewFile.body.parse(given),
      })
    await expect(call({ path: 'a.txt', base: 'unstaged', version })).rejects.toMatchObject({ code: 'conflict' })
    await run('mv kept a.txt; mkdir -p .git/info; echo left.txt >>.git/info/exclude; echo x >left.txt')
    await expect(stage('unstaged', { path: 'left.txt' })).rejects.toMatchObject({
      code: 'git_refused',
      message: expect.stringContaining('ignored'),
    })
    await run('rm left.txt')
  })
})

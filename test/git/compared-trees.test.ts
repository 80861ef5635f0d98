import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { CommandRequest, SandboxHandle } from '../../server/domain/sandbox-handle.ts'
import { differingFiles, type KeptTree } from '../../server/git/review/trees.ts'

/** A sandbox whose git says of each tree what `list` says. */
function kept(tree: string, list: (tree: string) => string): KeptTree & { asked: string[] } {
  const asked: string[] = []
  const exec = async ({ argv }: CommandRequest) => {
    const trees = argv.slice(4)
    asked.push(...trees)
    return { exitCode: 0, stdout: trees.map(each => `${list(each)}\0`).join(''), stderr: '', timedOut: false }
  }
  const sandbox = { id: 'x', workingDir: '/w', exec } as Partial<SandboxHandle> as SandboxHandle
  return { sandbox, conversation: 'c', tree, asked }
}

const name = (text: string) => createHash('sha1').update(text).digest('hex')
const folder = (path: string, object: string) => `040000 tree ${object}\t${path}\0`
const file = (path: string, object: string) => `100644 blob ${object}\t${path}\0`

test('only folders that differ are read', async () => {
  const same = folder('same', name('same'))
  const trees = new Map([
    [name('a'), same + folder('src', name('src a'))],
    [name('b'), same + folder('src', name('src b')) + file('new\nline', name('n'))],
    [name('src a'), file('x', name('1')) + file('y', name('y'))],
    [name('src b'), file('x', name('2')) + file('y', name('y'))],
  ])
  const list = (tree: string) => trees.get(tree) ?? ''
  const [here, there] = [kept(name('a'), list), kept(name('b'), list)]
  const { files, complete } = await differingFiles(here, there, new AbortController().signal)
  expect(files.map(({ path }) => path)).toEqual(['new\nline', 'src/x'])
  expect(complete).toBe(true)
  expect(here.asked).toEqual([name('a'), name('src a')])
})

test('a sandbox that tells of ever more folders comes to an end', async () => {
  const endless = (tree: string) => folder('f', name(`${tree} f`)) + folder('g', name(`${tree} g`))
  const [here, there] = [kept(name('a'), endless), kept(name('b'), endless)]
  const { files, complete } = await differingFiles(here, there, new AbortController().signal)
  expect({ files, complete }).toEqual({ files: [], complete: false })
})

test('a list that was cut is refused, as files would seem to be missing', async () => {
  const whole = kept(name('a'), () => file('x', name('1')))
  const cut = kept(name('b'), () => '')
  cut.sandbox.exec = async () => ({ exitCode: 0, stdout: file('x', name('2')), stderr: '', timedOut: false })
  await expect(differingFiles(whole, cut, new AbortController().signal)).rejects.toMatchObject({ code: 'git_refused' })
})

test.each(['100664 blob', '104755 blob', '160000 commit', '040000 blob x\t../'])(
  'a %s is no file of a checkpoint, and nothing is compared with it',
  async listed => {
    const whole = kept(name('a'), () => file('x', name('1')))
    const strange = kept(name('b'), () => `${listed} ${name('2')}\tx\0`)
    const compared = differingFiles(whole, strange, new AbortController().signal)
    await expect(compared).rejects.toMatchObject({ code: 'git_refused' })
  },
)

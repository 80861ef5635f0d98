import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { randomToken } from '../../server/domain/ids.ts'
import { createGlob } from '../../server/tools/search/glob.ts'
import { globPattern } from '../../server/tools/search/glob-pattern.ts'
import { createGrep } from '../../server/tools/search/grep.ts'
import { shellPatterns } from '../../server/tools/search/simple-pattern.ts'
import type { ToolHost } from '../../server/tools/tool.ts'
import { type Inside, startTestSandbox, type TestSandbox } from '../parts/engine/sandbox.ts'
import { processorTime } from '../parts/value/growth-of-time.ts'
import { SEARCHES, type SearchCase } from './search-cases.ts'

const APPLETS = 'cd /bin && for name in find grep stat touch xargs; do ln -s busybox $name; done'
const IMAGES: { image: string; inside: Inside; prepare: string }[] = [
  { image: 'ripgrep', inside: 'default', prepare: 'true' },
  { image: 'grep and find', inside: 'default', prepare: 'rm -f /bin/rg /usr/bin/rg' },
  { image: 'the grep and find of busybox', inside: 'busybox', prepare: APPLETS },
  { image: 'neither grep nor find', inside: 'busybox', prepare: 'ln -s busybox /bin/touch' },
]

describe.each(IMAGES)('a search with $image in the image', ({ inside, prepare }) => {
  let sandbox: TestSandbox
  beforeAll(async () => {
    sandbox = await startTestSandbox(inside)
    const { exitCode } = await sandbox.handle.exec({ argv: ['/bin/sh', '-c', prepare] })
    expect(exitCode).toBe(0)
  })
  afterAll(() => sandbox?.close())

  test.each(SEARCHES)('$name', async case_ => {
    const folder = await folderWith(sandbox, case_.files)
    const { found, said, isError } = await search(hostOf(sandbox, folder), case_)
    const here = (words: string) => words.replaceAll('{}', folder)
    expect([said, isError]).toEqual([said, case_.refused !== undefined])
    if (case_.refused !== undefined) expect(said).toContain(here(case_.refused))
    if (case_.finds) expect(found).toEqual(case_.finds.map(file => `${folder}/${file}`))
    for (const words of case_.says ?? []) expect(said).toContain(here(words))
  })

  test('shows the 100 files changed last and says that there are more', async () => {
    const names = Array.from({ length: 130 }, (_, index) => `f${String(index).padStart(3, '0')}.txt`)
    const folder = await folderWith(sandbox, Object.fromEntries(names.map(name => [name, 'apple\n'])))
    const expected = names
      .toReversed()
      .slice(0, 100)
      .map(name => `${folder}/${name}`)
    for (const asked of [{ grep: { pattern: 'apple' } }, { glob: { pattern: '*.txt' } }]) {
      const { found, said, truncated } = await search(hostOf(sandbox, folder), asked)
      expect(found).toEqual(expected)
      expect(truncated).toBe(true)
      expect(said).toContain('Results truncated')
    }
  })

  test('does not follow links out of the folder', async () => {
    const folder = await folderWith(sandbox, { 'in/a.txt': 'apple\n', 'out/b.txt': 'apple\n' })
    await sandbox.handle.exec({
      argv: ['/bin/sh', '-c', 'cd "$1" && ln -s ../out in/link && ln -s ../out/b.txt in/b', 'sh', folder],
    })
    const { found } = await search(hostOf(sandbox, folder), { grep: { pattern: 'apple', path: 'in' } })
    expect(found).toEqual([`${folder}/in/a.txt`])
  })

  test('hides secret values in what it shows', async () => {
    const folder = await folderWith(sandbox, { 'config.txt': 'key = sk-very-secret-value\n' })
    const mask = (value: string) => value.replaceAll('sk-very-secret-value', '<secret-hidden>')
    const { said } = await search({ ...hostOf(sandbox, folder), mask }, { grep: { pattern: 'key' } })
    expect(said).toContain('1: key = <secret-hidden>')
  })

  test('ends when it is aborted', async () => {
    const folder = await folderWith(sandbox, { a: 'apple\n' })
    const reason = new Error('stop now')
    await expect(
      search(hostOf(sandbox, folder), { grep: { pattern: 'apple' } }, AbortSignal.abort(reason)),
    ).rejects.toBe(reason)
  })
})

describe('a search', () => {
  let sandbox: TestSandbox
  beforeAll(async () => {
    sandbox = await startTestSandbox()
  })
  afterAll(() => sandbox?.close())

  test('leaves out what Git ignores', async () => {
    const folder = await folderWith(sandbox, { '.gitignore': 'dist/\n', 'dist/a.js': 'apple\n', 'src/a.js': 'apple\n' })
    await sandbox.handle.exec({ argv: ['git', 'init', '-q', folder] })
    const { found } = await search(hostOf(sandbox, folder), { grep: { pattern: 'apple' } })
    expect(found).toEqual([`${folder}/src/a.js`])
  })

  test('says what is wrong with a regular expression', async () => {
    const folder = await folderWith(sandbox, { a: 'apple\n' })
    const { said, isError } = await search(hostOf(sandbox, folder), { grep: { pattern: 'a(b' } })
    expect(isError).toBe(true)
    expect(said).toMatch(/^Invalid `pattern` parameter: .*unclosed group/s)
  })

  test('ends soon when far more files match than are shown', async () => {
    const folder = await folderWith(sandbox, {})
    const fill = 'cd "$1" && seq 1 20000 | while read n; do echo apple >$n.txt; done'
    await sandbox.handle.exec({ argv: ['/bin/sh', '-c', fill, 'sh', folder] })
    const { found, truncated } = await search(hostOf(sandbox, folder), { grep: { pattern: 'apple' } })
    expect([found.length, truncated]).toEqual([100, true])
  })

  test('takes an absolute pattern', async () => {
    const folder = await folderWith(sandbox, { 'a.txt': '', 'd/b.txt': '' })
    const { found } = await search(hostOf(sandbox, '/'), { glob: { pattern: `${folder}/*.txt` } })
    expect(found).toEqual([`${folder}/a.txt`])
  })
})

test('only simple patterns are turned into the shell’s own, and none of their characters is read by the shell', () => {
  expect(shellPatterns('a.c')).toEqual(['*[aA]?[cC]*'])
  expect(shellPatterns('^x.*$|\\)')).toEqual(['[xX]*', "*')'*"])
  for (const beyond of ['(a|b)', 'a+', 'a{2}', 'a?', '\\bx', '[[:alpha:]]', '[a$(id)]', 'a**', '[']) {
    expect(shellPatterns(beyond)).toBeUndefined()
  }
})

test.each([
  ['folders and stars', `${'**/'.repeat(100)}${'*a'.repeat(100)}b{${'a,'.repeat(100)}}${'{a,b}'.repeat(30)}`],
  ['open braces', '{'.repeat(1000)],
  ['open brackets', '['.repeat(1000)],
  ['alternatives', '{a,b}'.repeat(200)],
])('a hostile glob of %s takes no time', (_, source) => {
  const took = processorTime(() => {
    const pattern = globPattern(source)
    expect(pattern.matches(`${'a/'.repeat(200)}${'a'.repeat(200)}`)).toBe(false)
  })
  expect(took).toBeLessThan(1000)
})

test('a glob that nobody would write is refused in words', () => {
  expect(() => globPattern('*'.repeat(1001))).toThrow('at most 1,000 characters')
})

function hostOf(which: TestSandbox, workingDir: string): ToolHost {
  // The case's folder is the working directory.
  const handle = new Proxy(which.handle, {
    get: (target, key) => {
      if (key === 'workingDir') return workingDir
      const value: unknown = Reflect.get(target, key)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return { sandbox: async () => handle, mask: value => value }
}

async function folderWith(which: TestSandbox, files: Record<string, string>): Promise<string> {
  const folder = `/workspace/case-${randomToken(6)}`
  const list = Object.entries(files).map(([path, content]) => ({ path, content: Buffer.from(content) }))
  if (list.length === 0) await which.handle.exec({ argv: ['mkdir', '-p', folder] })
  else await which.handle.writeFiles(folder, list)
  const age =
    'cd "$1" && shift && n=10 && for f; do n=$((n + 1)); touch -d "2024-01-01 $((n / 60)):$((n % 60)):00" "./$f"; done'
  const { exitCode, stderr } = await which.handle.exec({
    argv: ['/bin/sh', '-c', age, 'sh', folder, ...Object.keys(files)],
  })
  expect([exitCode, stderr]).toEqual([0, ''])
  return folder
}

async function search(
  host: ToolHost,
  { grep, glob }: Pick<SearchCase, 'grep' | 'glob'>,
  signal = AbortSignal.timeout(20_000),
): Promise<{ found: string[]; said: string; isError: boolean; truncated: boolean }> {
  const tool = grep ? createGrep(host) : createGlob(host)
  const observation = await tool.run(tool.toAction({ ...(grep ?? glob) }) as never, { signal, onOutput: () => {} })
  await tool.close()
  if (observation.kind !== 'GrepObservation' && observation.kind !== 'GlobObservation') throw new Error('Another tool.')
  const said = observation.content.flatMap(part => (part.type === 'text' ? [part.text] : [])).join('\n')
  const found = observation.kind === 'GrepObservation' ? observation.matches : observation.files
  return { found, said, isError: observation.is_error, truncated: observation.truncated }
}

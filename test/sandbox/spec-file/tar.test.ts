import { expect, test } from 'vitest'
import { fileOf } from '../../../server/sandbox/spec-file/exported-image.ts'
import { readTar, TarProblem, writeTar } from '../../../server/sandbox/spec-file/tar.ts'
import { anyTar, bytesOf, each, filesIn, pieces } from './parts.ts'

const tarOfThree = () =>
  bytesOf(
    writeTar(
      each([
        fileOf('a.json', Buffer.from('{}')),
        fileOf('b/1.tar', Buffer.alloc(3000, 7)),
        fileOf('c', Buffer.alloc(512, 1)),
      ]),
    ),
  )

test('what was written is read again, in pieces of any length, and another reader reads it as well', async () => {
  const tar = await tarOfThree()
  expect(tar.length % 512).toBe(0)
  for (const length of [1, 511, 512, 5000]) {
    const names: string[] = []
    for await (const { name, size, content } of readTar(pieces(tar, length))) {
      names.push(`${name} ${size} ${(await bytesOf(content)).length}`)
    }
    expect(names).toEqual(['a.json 2 2', 'b/1.tar 3000 3000', 'c 512 512'])
  }
  // The library's.
  expect(await filesIn(await anyTar([{ name: 'theirs', content: Buffer.from('theirs') }]))).toEqual(
    new Map([['theirs', Buffer.from('theirs')]]),
  )
})

test('a size beyond eight gibibytes is written and read', async () => {
  const size = 9 * 1024 ** 3
  const head = await writeTar(each([{ name: 'large', size, content: each([]) }])).next()
  const read = readTar(each([head.value as Buffer]))
  expect((await read.next()).value).toMatchObject({ name: 'large', size })
})

test('what was not read of a file is passed over', async () => {
  const tar = await tarOfThree()
  const names: string[] = []
  for await (const { name } of readTar(pieces(tar))) names.push(name)
  expect(names).toEqual(['a.json', 'b/1.tar', 'c'])
})

test.each([
  ['a link', [{ name: 'link', type: 'symlink' as const, linkname: '/etc/passwd' }]],
  ['a folder', [{ name: 'folder/', type: 'directory' as const }]],
  ['a long header', [{ name: 'x'.repeat(300), content: Buffer.from('x') }]],
])('%s is refused', async (_what, entries) => {
  await expect(filesIn(await anyTar(entries))).rejects.toThrow(TarProblem)
})

test('a tar that was cut, is none, or has a wrong sum is refused', async () => {
  const tar = await tarOfThree()
  await expect(filesIn(tar.subarray(0, 2000))).rejects.toThrow(TarProblem)
  await expect(filesIn(Buffer.from('no tar at all'))).rejects.toThrow(TarProblem)
  await expect(filesIn(Buffer.alloc(0))).rejects.toThrow(TarProblem)
  tar[3] = 0x41
  await expect(filesIn(tar)).rejects.toThrow(TarProblem)
})

test('a file that is not as long as it says is not written', async () => {
  const short = { name: 'short', size: 10, content: each([Buffer.alloc(9)]) }
  await expect(bytesOf(writeTar(each([short])))).rejects.toThrow(TarProblem)
  const long = { name: 'long', size: 10, content: each([Buffer.alloc(11)]) }
  await expect(bytesOf(writeTar(each([long])))).rejects.toThrow(TarProblem)
})

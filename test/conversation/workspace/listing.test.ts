import { expect, test } from 'vitest'
import { parseListing } from '../../../server/conversation/workspace/listing.ts'
import { nameOf, quotedForGit, unquotedByGit } from '../../../server/conversation/workspace/names.ts'
import { expiredItems, parseTrash, parseTrashList } from '../../../server/conversation/workspace/trash-rules.ts'
import { numbered } from '../../../server/conversation/workspace/uploads.ts'
import { rangeIn } from '../../../server/http/mount/byte-range.ts'

const names = async (output: string, complete = true) => (await parseListing(output, complete)).map(({ name }) => name)

test('a name cannot pass for an entry of its own, in any of the forms', async () => {
  expect(await names('81a4 1 2 ./a\n81a4 9 9 .\n41ed 3 4 ./b\n')).toEqual(['a\n81a4 9 9 .', 'b'])
  expect(await names(':f644 1 2.5 ./a\n:d755 9 9.0 .\n:l777 3 -4.0 ./b\n')).toEqual(['a\n:d755 9 9.0 .', 'b'])
  expect(await names('81a4 - - ./\n\n')).toEqual(['\n'])
  expect(await names('')).toEqual([])
})

test('an entry that was cut off is left out', async () => {
  expect(await names('81a4 1 2 ./whole\n81a4 1 2 ./cut', false)).toEqual(['whole'])
})

test('kinds, sizes and programs are read from modes and letters alike', async () => {
  const forms = ['81ed 5 7 ./p\n11a4 0 7 ./q\n', ':f755 5 7.25 ./p\n:p644 0 7.25 ./q\n']
  for (const output of forms) {
    expect(await parseListing(output)).toMatchObject([
      { name: 'p', kind: 'file', executable: true, sizeBytes: 5, modified: 7 },
      { name: 'q', kind: 'other', executable: false, sizeBytes: null },
    ])
  }
})

test('names are quoted for git so that one line is one name, and read back', () => {
  for (const name of ['a', 'ü\n"\\', '\t\x07\x7f', '-x', ' ']) expect(unquotedByGit(quotedForGit(name))).toBe(name)
  expect(unquotedByGit('"\\303\\274\\n"')).toBe('ü\n')
  expect(nameOf('\xc3\xbc')).toEqual({ name: 'ü', isText: true })
  expect(nameOf('a\xff')).toEqual({ name: 'a\\xFF', isText: false })
})

test('the trash keeps the newest deletion, and no more than its bounds', () => {
  const id = (time: number) => `${String(time).padStart(13, '0')}-0123456789ab`
  const day = 24 * 3_600_000
  const now = 1_700_000_000_000
  expect(expiredItems([{ id: id(now - 30 * day), kib: 10 ** 9 }], now)).toEqual([])
  expect(
    expiredItems(
      [
        { id: id(now), kib: 1 },
        { id: id(now - 8 * day), kib: 1 },
        { id: id(now - day), kib: 1 },
      ],
      now,
    ),
  ).toEqual([id(now - 8 * day)])
  const large = [1, 2, 3].map(age => ({ id: id(now - age), kib: 2 ** 20 }))
  expect(expiredItems(large, now)).toEqual([id(now - 3)])
  const many = Array.from({ length: 202 }, (_, age) => ({ id: id(now - age), kib: 0 }))
  expect(expiredItems(many, now)).toEqual([id(now - 200), id(now - 201)])
  expect(parseTrash(`${id(now)} 12\nhostile -rf\n../${id(now)} 1\n${id(now - 1)} x\n`)).toEqual([
    { id: id(now), kib: 12 },
    { id: id(now - 1), kib: 0 },
  ])
})

test('a second file of a name gets a number before its extension', () => {
  expect(numbered('/a/b.tar.gz', 2)).toBe('/a/b (2).tar.gz')
  expect(numbered('/a/.env', 3)).toBe('/a/.env (3)')
})

test.each([
  [undefined, 0, 10],
  ['bytes=2-4', 2, 3],
  ['bytes=2-', 2, 8],
  ['bytes=-3', 7, 3],
  ['bytes=-30', 0, 10],
  ['bytes=20-30', 0, 10],
  ['bytes=4-2', 0, 10],
  ['bytes=0-1,3-4', 0, 10],
  ['lines=1-2', 0, 10],
])('the range %s of ten bytes begins at %i and has %i', (header, start, length) => {
  expect(rangeIn(header, 10)).toEqual({ start, length })
})

test('the trash lists what is ours alone, the last one first, with any path', () => {
  const item = (time: number, rest: string) => `${time}-0123456789ab ${rest}`
  const lines = [
    item(1_700_000_000_000, 'file 4 /a.b\nc..'),
    item(1_700_000_000_001, 'directory - /d.'),
    item(1_700_000_000_002, 'file 4 no/whole/path.'),
    item(1_700_000_000_003, 'device 4 /x.'),
    '../1 file 4 /x.',
    '',
  ]
  expect(parseTrashList(lines.join('\0')).map(({ path, kind, size_bytes }) => [path, kind, size_bytes])).toEqual([
    ['/d', 'directory', null],
    ['/a.b\nc.', 'file', 4096],
  ])
})

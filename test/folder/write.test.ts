import { existsSync, linkSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { changedSince, type FileWrite, hashOf, restoreFiles, writeFiles } from '../../server/folder/write.ts'

let root: string
let kept: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'atelier-write-'))
  kept = join(root, 'kept')
  for (const folder of ['folder', 'new', 'kept']) mkdirSync(join(root, folder))
  return () => rmSync(root, { recursive: true })
})

const folder = () => join(root, 'folder')
const read = (path: string) => readFileSync(join(folder(), path), 'utf8')
const signal = new AbortController().signal

/** Changes files from one text to another; null is for no file. */
async function writes(texts: Record<string, [before: string | null, after: string | null]>): Promise<FileWrite[]> {
  const all = Object.entries(texts).map(async ([path, [before, after]], index) => {
    if (before !== null) writeFileSync(join(folder(), path), before)
    const content = after === null ? null : join(root, 'new', String(index))
    if (content !== null && after !== null) writeFileSync(content, after)
    const seen = before === null ? null : await hashOf(join(folder(), path))
    return { path, content, isExecutable: false, base: null, seen }
  })
  return Promise.all(all)
}

test('what is written can be restored, and again after it was broken off', async () => {
  const given = await writes({ 'a.txt': ['a', 'A'], 'gone.txt': ['gone', null], 'new.txt': [null, 'new'] })
  const done = await writeFiles(folder(), given, { kept, signal })
  expect([read('a.txt'), existsSync(join(folder(), 'gone.txt')), read('new.txt')]).toEqual(['A', false, 'new'])
  // As an undo leaves it that the disk had no room for.
  writeFileSync(join(folder(), 'gone.txt'), 'gone')
  expect(await changedSince(folder(), done, kept)).toEqual([])
  writeFileSync(join(folder(), 'a.txt'), 'of a person')
  expect(await changedSince(folder(), done, kept)).toEqual(['a.txt'])
  writeFileSync(join(folder(), 'a.txt'), 'A')
  await restoreFiles(folder(), done, kept)
  expect([read('a.txt'), read('gone.txt'), existsSync(join(folder(), 'new.txt'))]).toEqual(['a', 'gone', false])
})

test('all of many files is written, or nothing when one has changed meanwhile', async () => {
  const names = Array.from({ length: 40 }, (_, index) => `${index}.txt`)
  const given = await writes(Object.fromEntries(names.map(name => [name, ['before', 'after'] as [string, string]])))
  writeFileSync(join(folder(), '20.txt'), 'of a person')
  await expect(writeFiles(folder(), given, { kept, signal })).rejects.toMatchObject({ code: 'conflict' })
  expect(names.map(read)).toEqual(names.map(name => (name === '20.txt' ? 'of a person' : 'before')))
})

test('a file with a second name keeps its content there', async () => {
  const given = await writes({ 'a.txt': ['a', 'A'] })
  linkSync(join(folder(), 'a.txt'), join(root, 'second.txt'))
  const done = await writeFiles(folder(), given, { kept, signal })
  writeFileSync(join(root, 'second.txt'), 'edited')
  expect(read('a.txt')).toBe('A')
  await restoreFiles(folder(), done, kept)
  expect(read('a.txt')).toBe('a')
})

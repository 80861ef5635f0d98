import { expect, test } from 'vitest'
import {
  foldersAbove,
  folderToList,
  matchingActs,
  matchingCommands,
  pathsOfEntries,
} from '../../../renderer/state/completion/matching.ts'
import type { FileEntry } from '../../../server/api/v1/sandbox/files.ts'

const entry = (name: string, fields: Partial<FileEntry> = {}): FileEntry => ({
  name,
  path: `/workspace/${name}`,
  kind: 'file',
  size_bytes: 1,
  modified_at: null,
  executable: false,
  ignored: false,
  link: null,
  ...fields,
})
const commands = (titles: string[], text: string) =>
  matchingCommands(
    titles.map(title => ({ title })),
    text,
  ).map(({ title }) => title)

test('nothing, or a folder with its slash, is completed with what is in it', () => {
  expect(folderToList('')).toBe('')
  expect(folderToList('src/')).toBe('src/')
  expect(folderToList('src/pa')).toBeNull()
})

test('folders and links to folders end in a slash; what git ignores and what has no path is left out', () => {
  const link = { path: '../docs', kind: 'directory' as const }
  const entries = [
    entry('lib', { kind: 'directory' }),
    entry('docs', { kind: 'link', link }),
    entry('a.ts'),
    entry('dist', { kind: 'directory', ignored: true }),
    entry('\\xFF', { path: null }),
  ]
  expect(pathsOfEntries('src/', entries)).toEqual(['src/lib/', 'src/docs/', 'src/a.ts'])
  expect(pathsOfEntries('', entries)).toEqual(['lib/', 'docs/', 'a.ts'])
})

test('a folder is found by its name, once, and the folders in it are left out', () => {
  const files = ['src/Parser/deep/a.ts', 'src/Parser/b.ts', 'parser.ts', 'parsers/c.ts']
  expect(foldersAbove(files, 'parser')).toEqual(['parsers/', 'src/Parser/'])
  expect(foldersAbove(files, 'src/pa')).toEqual(['src/Parser/'])
  expect(foldersAbove(files, 'prsr')).toEqual([])
  const many = Array.from({ length: 9 }, (_, at) => `lib${at}/a.ts`)
  expect(foldersAbove(many, 'lib')).toEqual(['lib0/', 'lib1/', 'lib2/', 'lib3/', 'lib4/'])
})

test('commands that begin with the text come before those that have it, and by letters where none has it', () => {
  const all = ['/code-review', '/release', '/review', '/fork']
  expect(commands(all, '')).toEqual(all)
  expect(commands(all, 'RE')).toEqual(['/release', '/review', '/code-review'])
  expect(commands(all, 'cdrv')).toEqual(['/code-review'])
  expect(commands(all, 'xyz')).toEqual([])
})

test('a command that does something at once is offered by its beginning, and by its whole name while others are looked for', () => {
  const acts = ['/condense', '/fork', '/new'].map(title => ({ title }))
  const titles = (text: string, isPending: boolean) => matchingActs(acts, text, isPending).map(({ title }) => title)
  expect(titles('', false)).toEqual(['/condense', '/fork', '/new'])
  expect(titles('Fo', false)).toEqual(['/fork'])
  // Its letters, in their order, which are also those of a skill such as /frontend.
  expect(titles('fr', false)).toEqual([])
  expect(titles('ork', false)).toEqual([])
  expect(titles('f', true)).toEqual([])
  expect(titles('fork', true)).toEqual(['/fork'])
})

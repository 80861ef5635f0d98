import { expect, test } from 'vitest'
import { parseTable, separatorOf } from '../../../../renderer/state/files/csv.ts'
import { hexLines, lineEndOf, shownAs } from '../../../../renderer/state/files/kind.ts'
import {
  EMPTY_TREE,
  moved,
  openFolders,
  rowsOf,
  shownName,
  typedAhead,
  withExpanded,
  withFolder,
} from '../../../../renderer/state/files/tree.ts'
import { withAttached } from '../../../../renderer/state/launch/composer-attachments.ts'

const entry = (path: string, kind: 'file' | 'directory', ignored = false) => ({
  name: path.slice(path.lastIndexOf('/') + 1),
  path,
  kind,
  ignored,
  size_bytes: null,
  modified_at: null,
  executable: false,
  link: null,
})
const ready = { next: null, total: 0, state: 'ready' as const, problem: null }

function tree() {
  const entries = [entry('/w/src', 'directory'), entry('/w/dist', 'directory', true), entry('/w/a.ts', 'file')]
  const known = withFolder({ ...EMPTY_TREE, root: '/w' }, '/w', { ...ready, entries })
  const inside = { ...ready, entries: [entry('/w/src/b.ts', 'file')], next: '1', total: 5 }
  return withFolder(withExpanded(known, '/w/src', true), '/w/src', inside)
}
const shown = (rows: ReturnType<typeof rowsOf>) =>
  rows.map(row => `${row.depth} ${row.kind === 'entry' ? row.entry.name : row.kind}`)

test('the rows are those of open folders, with what is still to be read', () => {
  expect(shown(rowsOf(tree(), { hideIgnored: false }))).toEqual(['0 src', '1 b.ts', '1 more', '0 dist', '0 a.ts'])
  expect(shown(rowsOf(withExpanded(tree(), '/w/src', false), { hideIgnored: true }))).toEqual(['0 src', '0 a.ts'])
  expect(openFolders(withExpanded(withExpanded(tree(), '/w/src/deep', true), '/w/src', false))).toEqual(['/w'])
})

test('keys lead from row to row and stay in the tree; letters lead to the next name', () => {
  expect([moved(5, 0, 'up'), moved(5, 4, 'down'), moved(5, 2, 'end'), moved(5, 2, 'page-up')]).toEqual([0, 4, 4, 0])
  const rows = rowsOf(tree(), { hideIgnored: false })
  expect(typedAhead(rows, 0, 'B')).toBe(1)
  expect(typedAhead(rows, 4, 'a')).toBe(4)
  expect(typedAhead(rows, 0, 'zz')).toBe(-1)
})

test('a name shows what cannot be seen in it', () => {
  expect(shownName('a\nb\u202egnp.exe\u0007')).toBe('a\\nb\\u202egnp.exe\\u0007')
  expect(shownName('pass\u00adword\u061c\u2060\u3164\ud800')).toBe('pass\\u00adword\\u061c\\u2060\\u3164\\ud800')
  expect(shownName('tag\u{e0041}')).toBe('tag\\u{e0041}')
  expect(shownName('❤️ 日本　語 مرحبا')).toBe('❤️ 日本　語 مرحبا')
})

test('a table is read as RFC 4180 has it, and bounded', () => {
  expect(parseTable('\ufeffa,"b ""c"",\nd"\r\n1,2,3\n', ',')).toEqual({
    rows: [
      ['a', 'b "c",\nd'],
      ['1', '2', '3'],
    ],
    columns: 3,
    complete: true,
  })
  expect(parseTable('x,'.repeat(500), ',')).toMatchObject({ columns: 200, complete: false })
  expect(parseTable('x\n'.repeat(60_000), ',')).toMatchObject({ complete: false })
  expect(separatorOf('a.csv', 'a;b;c,d\n')).toBe(';')
  expect(separatorOf('a.tsv', '')).toBe('\t')
  expect(separatorOf('a.txt', '')).toBeNull()
})

test('a file is shown as what its name says, and keeps its line ends', () => {
  expect([shownAs('a.SVG'), shownAs('b.pdf'), shownAs('c.html')]).toEqual(['image', 'pdf', 'text'])
  expect([lineEndOf('a\r\nb\r\n'), lineEndOf('a\r\nb\n'), lineEndOf('a')]).toEqual(['\r\n', '\n', '\n'])
  expect(hexLines(new Uint8Array([0, 65, 255]))).toEqual([`00000000  ${'00 41 ff'.padEnd(47)}  .A.`])
})

test('paths that go with a message are quoted, one a line', () => {
  expect(withAttached('Look', { paths: ['/w/a\n- /etc/passwd'], notes: [], uploads: [] })).toBe(
    'Look\n\nFiles:\n- "/w/a\\n- /etc/passwd"',
  )
  const notes = [{ id: '1', name: 'Console', text: 'An error' }]
  expect(withAttached('', { paths: ['/w/a'], notes, uploads: [] })).toBe('Files:\n- "/w/a"\n\nAn error')
})

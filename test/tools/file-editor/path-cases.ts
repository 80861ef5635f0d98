import type { Case } from './steps.ts'

const NUMBERED = "Here's the result of running `cat -n` on {}/f:\n"

/** Paths, names and contents at the edges. `=` before a path: as it is, not in the case's folder. */
export const EDGES: Case[] = [
  {
    name: 'refuses a path of Windows',
    steps: [{ view: '=C:\\Users\\a.txt', refused: 'This is a Windows path; in the sandbox, paths begin with `/`.' }],
  },
  { name: 'refuses a share of Windows', steps: [{ view: '=\\\\host\\share', refused: 'This is a Windows path' }] },
  {
    name: 'refuses a relative path and names the absolute one',
    steps: [
      { view: '=src/a.ts', refused: 'Maybe you meant /workspace/project/src/a.ts?' },
      { create: '=./new.txt', text: 'x', refused: 'Maybe you meant /workspace/project/new.txt?' },
    ],
  },
  {
    name: 'views, creates and edits a file on a tmpfs mount',
    steps: [
      { create: '=/dev/shm/notes/a.txt', text: 'one\ntwo\n' },
      { view: '=/dev/shm/notes/a.txt', has: '     2\ttwo' },
      { replace: '=/dev/shm/notes/a.txt', old: 'two', new: 'three' },
      { view: '=/dev/shm/notes/a.txt', has: '     2\tthree' },
      {
        view: '=/dev/shm/notes/b.txt',
        refused:
          'The path /dev/shm/notes/b.txt does not exist. Please provide a valid path. Maybe you meant /dev/shm/notes/a.txt?',
      },
      { view: '=/dev/shm/notes', has: '/dev/shm/notes/a.txt' },
    ],
  },
  { name: 'refuses a path at home', steps: [{ view: '=~/.bashrc', refused: 'should be an absolute path' }] },
  { name: 'refuses an empty path', steps: [{ view: '= ', refused: 'should be an absolute path' }] },
  { name: 'refuses a NUL in a path', steps: [{ view: '=/tmp/a\0b', refused: 'A path has no NUL character.' }] },
  {
    name: 'takes a path with points in its middle',
    files: { 'a/f': 'x\n', b: '' },
    steps: [{ view: 'a/../a/./f', has: '     1\tx' }],
  },
  { name: 'takes a folder with a slash at its end', files: { 'd/f': '' }, steps: [{ view: 'd/', has: '{}/d/f' }] },
  {
    name: 'takes names with blanks, quotes, dollars and a dash',
    files: { "-it's a $(name) `x`.txt": 'a\n' },
    steps: [{ replace: "-it's a $(name) `x`.txt", old: 'a', new: 'b', file: 'b\n' }],
  },
  {
    name: 'takes names beyond ASCII',
    files: { 'größe/漢字.txt': 'a\n' },
    steps: [{ replace: 'größe/漢字.txt', old: 'a', new: 'b', file: 'b\n' }],
  },
  {
    name: 'does not create below a file',
    files: { f: 'a' },
    steps: [{ create: 'f/g', text: 'x', refused: '' }],
  },
  {
    name: 'names the path under the working directory that may be meant',
    steps: [{ view: '=/in-project.txt', refused: 'Maybe you meant /workspace/project/in-project.txt?' }],
  },
  { name: 'has nothing to take back of a missing file', steps: [{ undo: 'f', refused: 'does not exist' }] },
  { name: 'does not take back an edit of a folder', steps: [{ undo: '', refused: 'is a directory' }] },
  { name: 'does not insert into a folder', steps: [{ insert: '', line: 0, new: 'x', refused: 'is a directory' }] },
  {
    name: 'keeps the histories of files apart',
    files: { f: 'a\n', g: 'a\n' },
    steps: [
      { replace: 'f', old: 'a', new: 'b' },
      { replace: 'g', old: 'a', new: 'c' },
      { undo: 'f', file: 'a\n' },
      { undo: 'g', file: 'a\n' },
      { undo: 'g', refused: 'No edit history' },
    ],
  },
  {
    name: 'goes on editing after an edit was taken back',
    files: { f: 'a\n' },
    steps: [
      { replace: 'f', old: 'a', new: 'b' },
      { undo: 'f', file: 'a\n' },
      { replace: 'f', old: 'a', new: 'c', file: 'c\n' },
      { undo: 'f', file: 'a\n' },
    ],
  },
  {
    name: 'shows and edits an empty first line',
    files: { f: '\n\na\n' },
    steps: [
      { view: 'f', says: `${NUMBERED}     1\t\n     2\t\n     3\ta` },
      { replace: 'f', old: '\n\na', new: '\na', file: '\na\n' },
    ],
  },
  {
    name: 'does not take overlapping places for one',
    files: { f: 'aaaa\n' },
    steps: [{ replace: 'f', old: 'aa', new: 'b', refused: 'Multiple occurrences', file: 'aaaa\n' }],
  },
  {
    name: 'refuses two places that only overlap',
    files: { f: 'ababa\nx\n' },
    steps: [{ replace: 'f', old: 'aba', new: 'x', refused: 'Multiple occurrences', file: 'ababa\nx\n' }],
  },
  {
    name: 'adds no line feed to a last line that has none',
    files: { f: 'a\nb' },
    steps: [{ replace: 'f', old: 'b', new: 'c', file: 'a\nc' }],
  },
  {
    name: 'inserts several lines with an empty one between them',
    files: { f: 'a\nb\n' },
    steps: [{ insert: 'f', line: 1, new: 'x\n\ny', file: 'a\nx\n\ny\nb\n' }],
  },
  {
    name: 'inserts an empty line',
    files: { f: 'a\nb\n' },
    steps: [{ insert: 'f', line: 1, new: '', file: 'a\n\nb\n' }],
  },
  {
    name: 'keeps single carriage returns within a line',
    files: { f: 'a\rb\nc\n' },
    steps: [{ replace: 'f', old: 'c', new: 'd', file: 'a\rb\nd\n' }],
  },
  {
    name: 'keeps form feeds and other control characters',
    files: { f: 'a\f\u001b[0m\nb\n' },
    steps: [{ replace: 'f', old: 'b', new: 'c', file: 'a\f\u001b[0m\nc\n' }],
  },
  {
    name: 'makes no line of the separators of Unicode',
    files: { f: 'a\u2028b\u0085c\n' },
    steps: [{ view: 'f', says: `${NUMBERED}     1\ta\u2028b\u0085c` }],
  },
  {
    name: 'sees the file as it is now, not as it was',
    files: { f: 'a\n' },
    steps: [
      { replace: 'f', old: 'a', new: 'b' },
      { replace: 'f', old: 'a', new: 'c', refused: 'did not appear verbatim', file: 'b\n' },
    ],
  },
  {
    name: 'shows a range of one line, and the last line by its number',
    files: { f: 'a\nb\nc\n' },
    steps: [
      { view: 'f', range: [2, 2], says: `${NUMBERED}     2\tb` },
      { view: 'f', range: [3, 3], says: `${NUMBERED}     3\tc` },
    ],
  },
  {
    name: 'refuses a range with other negative numbers',
    files: { f: 'a\n' },
    steps: [{ view: 'f', range: [1, -2], refused: 'Invalid `view_range` parameter: [1,-2]. ' }],
  },
]

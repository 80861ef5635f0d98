import type { Case } from './steps.ts'

const TEN = Array.from({ length: 10 }, (_, index) => `line ${index + 1}\n`).join('')
const NUMBERED = "Here's the result of running `cat -n` on {}/f:\n"

export const VIEWS: Case[] = [
  {
    name: 'numbers the lines',
    files: { f: 'a\nb\n' },
    steps: [{ view: 'f', says: `${NUMBERED}     1\ta\n     2\tb` }],
  },
  {
    name: 'shows a last line without a line end',
    files: { f: 'a\nb' },
    steps: [{ view: 'f', says: `${NUMBERED}     1\ta\n     2\tb` }],
  },
  { name: 'shows an empty file', files: { f: '' }, steps: [{ view: 'f', says: NUMBERED }] },
  {
    name: 'shows a range',
    files: { f: TEN },
    steps: [{ view: 'f', range: [3, 4], says: `${NUMBERED}     3\tline 3\n     4\tline 4` }],
  },
  {
    name: 'shows to the end with -1',
    files: { f: TEN },
    steps: [{ view: 'f', range: [9, -1], says: `${NUMBERED}     9\tline 9\n    10\tline 10` }],
  },
  {
    name: 'says when the range goes beyond the end',
    files: { f: TEN },
    steps: [{ view: 'f', range: [9, 99], has: ['NOTE: The file has only 10 lines.', '    10\tline 10'] }],
  },
  {
    name: 'refuses a range that begins at 0',
    files: { f: TEN },
    steps: [{ view: 'f', range: [0, 3], refused: 'Invalid `view_range` parameter: [0,3]. ' }],
  },
  {
    name: 'refuses a range that begins after the end',
    files: { f: TEN },
    steps: [{ view: 'f', range: [11, 12], refused: ['Invalid `view_range` parameter', '[1, 10]'] }],
  },
  {
    name: 'refuses a range that ends before it begins',
    files: { f: TEN },
    steps: [{ view: 'f', range: [5, 2], refused: 'Invalid `view_range` parameter: [5,2]. ' }],
  },
  {
    name: 'refuses a range of a folder',
    files: { f: '' },
    steps: [{ view: '', range: [1, 2], refused: 'not allowed when `path` points to a directory' }],
  },
  { name: 'shows tabs as they are', files: { f: '\ta\n' }, steps: [{ view: 'f', says: `${NUMBERED}     1\t\ta` }] },
  {
    name: 'shows Windows line ends as line ends',
    files: { f: 'a\r\nb\r\n' },
    steps: [{ view: 'f', says: `${NUMBERED}     1\ta\n     2\tb` }],
  },
  { name: 'shows Latin-1', files: { f: [0x67, 0x72, 0xfc, 0xdf, 0x65, 0x0a] }, steps: [{ view: 'f', has: 'grüße' }] },
  {
    name: 'shows UTF-16 with a mark',
    files: { f: [0xff, 0xfe, 0xe4, 0x00, 0x0a, 0x00] },
    steps: [{ view: 'f', says: `${NUMBERED}     1\tä` }],
  },
  {
    name: 'does not show the mark of UTF-8',
    files: { f: [0xef, 0xbb, 0xbf, 0x61, 0x0a] },
    steps: [{ view: 'f', says: `${NUMBERED}     1\ta` }],
  },
  {
    name: 'refuses a binary file',
    files: { f: [0x7f, 0x45, 0x4c, 0x46, 0, 1, 2] },
    steps: [{ view: 'f', refused: 'binary' }],
  },
  { name: 'refuses a PDF', files: { f: '%PDF-1.7\nabc' }, steps: [{ view: 'f', refused: 'binary' }] },
  {
    name: 'shows whole lines of what is too long',
    files: { f: 'x'.repeat(79).concat('\n').repeat(1000) },
    steps: [
      {
        view: 'f',
        has: ['<response clipped><NOTE>Lines 1 to 183 of 1000 are shown.', '   183\txxx'],
        hasNot: '   184\t',
      },
    ],
  },
  {
    name: 'shortens a line that is too long',
    files: { f: `${'x'.repeat(40_000)}\nlast\n` },
    steps: [
      { view: 'f', has: 'This line is too long to be shown whole' },
      { view: 'f', range: [2, 2], has: '     2\tlast' },
    ],
  },
  {
    name: 'names what is missing and what may be meant',
    files: { 'readme.md': '' },
    steps: [
      { view: 'README.md', refused: ['Invalid `path` parameter: {}/README.md. ', 'Maybe you meant {}/readme.md?'] },
    ],
  },
  {
    name: 'proposes nothing where nothing is similar',
    files: { f: '' },
    steps: [{ view: 'something', refused: 'Please provide a valid path.' }],
  },
  {
    name: 'proposes the working directory for a path that lacks it',
    steps: [{ view: '=/in-project.txt', refused: 'Maybe you meant /workspace/project/in-project.txt?' }],
  },
  {
    name: 'refuses a relative path and proposes the absolute one',
    steps: [
      {
        view: '=src/a.ts',
        refused: [
          'Invalid `path` parameter: src/a.ts. ',
          'starting with `/`',
          'Maybe you meant /workspace/project/src/a.ts?',
        ],
      },
    ],
  },
  { name: 'refuses a Windows path', steps: [{ view: '=C:\\Users\\a.txt', refused: 'Windows path' }] },
  { name: 'refuses an empty path', steps: [{ view: '=', refused: 'absolute path' }] },
  {
    name: 'takes a path with dots and slashes',
    files: { 'd/f': 'a\n' },
    steps: [{ view: 'd/..//d/./f', has: '     1\ta' }],
  },
  {
    name: 'lists a folder two levels deep',
    files: { 'b/c/d': '', 'b/e': '', a: '' },
    steps: [
      {
        view: '',
        says: "Here's the files and directories up to 2 levels deep in {}, excluding hidden items:\n{}/\n{}/a\n{}/b/\n{}/b/c/\n{}/b/e",
      },
    ],
  },
  {
    name: 'counts hidden names and does not show them',
    files: { a: '', '.git/config': '', '.env': '', 'd/.hidden': '' },
    steps: [
      { view: '', has: '2 hidden files/directories in this directory are excluded', hasNot: ['.git', '.hidden'] },
    ],
  },
  {
    name: 'lists names with spaces and other characters',
    files: { "it's a $name": '', '-n': '' },
    steps: [{ view: '', has: ["{}/it's a $name", '{}/-n'] }],
  },
  { name: 'lists an empty folder', files: { 'd/f': '' }, steps: [{ view: 'd', has: '{}/d/f' }] },
]

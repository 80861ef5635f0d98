import type { Case, Step } from './steps.ts'

const TEN = Array.from({ length: 10 }, (_, index) => `line ${index + 1}\n`).join('')
const REVIEW = 'Review the changes and make sure they are as expected. Edit the file again if necessary.'
const EDITED = "The file {}/f has been edited. Here's the result of running `cat -n` on a snippet of {}/f:\n"

export const EDITS: Case[] = [
  {
    name: 'creates a file and its folders',
    steps: [{ create: 'x/y/f', text: 'a\n', says: 'File created successfully at: {}/x/y/f', file: 'a\n' }],
  },
  { name: 'creates an empty file', steps: [{ create: 'f', text: '', file: '' }] },
  {
    name: 'does not create over a file',
    files: { f: 'a' },
    steps: [
      {
        create: 'f',
        text: 'b',
        refused: 'File already exists at: {}/f. Cannot overwrite files using command `create`.',
        file: 'a',
      },
    ],
  },
  {
    name: 'does not create over a folder',
    files: { 'd/f': '' },
    steps: [{ create: 'd', text: 'b', refused: 'already exists' }],
  },
  {
    name: 'needs the text to create',
    steps: [{ create: 'f', refused: 'Parameter `file_text` is required for command: create.' }],
  },
  { name: 'creates with characters beyond ASCII', steps: [{ create: 'f', text: 'ä€漢🎉\n', file: 'ä€漢🎉\n' }] },
  {
    name: 'replaces and shows four lines around',
    files: { f: TEN },
    steps: [
      {
        replace: 'f',
        old: 'line 6',
        new: 'six',
        says: `${EDITED}     2\tline 2\n     3\tline 3\n     4\tline 4\n     5\tline 5\n     6\tsix\n     7\tline 7\n     8\tline 8\n     9\tline 9\n    10\tline 10\n${REVIEW}`,
        file: TEN.replace('line 6', 'six'),
      },
    ],
  },
  {
    name: 'removes text without new_str',
    files: { f: 'a\nb\nc\n' },
    steps: [{ replace: 'f', old: 'b\n', file: 'a\nc\n' }],
  },
  {
    name: 'replaces over several lines',
    files: { f: 'a\nb\nc\n' },
    steps: [{ replace: 'f', old: 'a\nb', new: 'x\ny\nz', file: 'x\ny\nz\nc\n' }],
  },
  {
    name: 'takes special characters literally',
    files: { f: 'a.*(b)[c]$1\n' },
    steps: [{ replace: 'f', old: '.*(b)[c]$1', new: "$& $1 $' \\n", file: "a$& $1 $' \\n\n" }],
  },
  {
    name: 'says that nothing was found',
    files: { f: 'a\n' },
    steps: [
      {
        replace: 'f',
        old: 'zzz',
        new: 'y',
        refused: 'No replacement was performed, old_str `zzz` did not appear verbatim in {}/f.',
        file: 'a\n',
      },
    ],
  },
  {
    name: 'names the lines of several places',
    files: { f: 'x\na\nx\n' },
    steps: [
      {
        replace: 'f',
        old: 'x',
        new: 'y',
        refused: ['Multiple occurrences of old_str `x` in lines [1, 3]', 'unique'],
        file: 'x\na\nx\n',
      },
    ],
  },
  {
    name: 'names a difference in tabs and spaces',
    files: { f: 'if a:\n\tb()\n' },
    steps: [
      {
        replace: 'f',
        old: 'if a:\n    b()',
        new: 'x',
        refused: ['Lines 1 to 2 differ only in white space', 'indented with tabs', '     2\t\tb()'],
      },
    ],
  },
  {
    name: 'names a difference in indentation',
    files: { f: '  a\n    b\n' },
    steps: [{ replace: 'f', old: 'a\n  b', new: 'x', refused: 'the indentation is not the same' }],
  },
  {
    name: 'leaves out white space around the text where that finds it',
    files: { f: 'a\nb\nc\n' },
    steps: [{ replace: 'f', old: '\n\nb\n\n', new: '\n\nB\n\n', file: 'a\nB\nc\n' }],
  },
  {
    name: 'refuses an empty old_str',
    files: { f: 'a' },
    steps: [{ replace: 'f', old: '', new: 'b', refused: 'Invalid `old_str` parameter' }],
  },
  {
    name: 'refuses the same text',
    files: { f: 'a' },
    steps: [{ replace: 'f', old: 'a', new: 'a', refused: '`new_str` and `old_str` must be different' }],
  },
  {
    name: 'needs old_str',
    files: { f: 'a' },
    steps: [{ replace: 'f', new: 'a', refused: 'Parameter `old_str` is required for command: str_replace.' }],
  },
  {
    name: 'does not replace in a folder',
    steps: [{ replace: '', old: 'a', new: 'b', refused: 'only the `view` command can be used on directories' }],
  },
  {
    name: 'does not replace in a missing file',
    steps: [{ replace: 'f', old: 'a', new: 'b', refused: 'does not exist' }],
  },
  {
    name: 'keeps Windows line ends',
    files: { f: 'a\r\nb\r\nc\r\n' },
    steps: [{ replace: 'f', old: 'a\nb', new: 'x\ny', file: 'x\r\ny\r\nc\r\n' }],
  },
  {
    name: 'leaves mixed line ends alone',
    files: { f: 'a\r\nb\nc\nd\n' },
    steps: [{ replace: 'f', old: 'c', new: 'C', file: 'a\r\nb\nC\nd\n' }],
  },
  {
    name: 'keeps UTF-8 with its mark',
    files: { f: [0xef, 0xbb, 0xbf, 0x61] },
    steps: [{ replace: 'f', old: 'a', new: 'ä', file: [0xef, 0xbb, 0xbf, 0xc3, 0xa4] }],
  },
  {
    name: 'keeps UTF-16 little-endian',
    files: { f: [0xff, 0xfe, 0x61, 0x00] },
    steps: [{ replace: 'f', old: 'a', new: 'ä', file: [0xff, 0xfe, 0xe4, 0x00] }],
  },
  {
    name: 'keeps UTF-16 big-endian',
    files: { f: [0xfe, 0xff, 0x00, 0x61] },
    steps: [{ replace: 'f', old: 'a', new: 'ä', file: [0xfe, 0xff, 0x00, 0xe4] }],
  },
  {
    name: 'keeps Latin-1',
    files: { f: [0x67, 0x72, 0xfc, 0x6e, 0x0a] },
    steps: [{ replace: 'f', old: 'grün', new: 'blüh', file: [0x62, 0x6c, 0xfc, 0x68, 0x0a] }],
  },
  {
    name: 'refuses what Latin-1 lacks',
    files: { f: [0x67, 0x72, 0xfc, 0x6e, 0x0a] },
    steps: [{ replace: 'f', old: 'grün', new: '漢', refused: 'Latin-1', file: [0x67, 0x72, 0xfc, 0x6e, 0x0a] }],
  },
  {
    name: 'does not edit a binary file',
    files: { f: [0x61, 0x00, 0x62] },
    steps: [{ replace: 'f', old: 'a', new: 'b', refused: 'binary' }],
  },
  { name: 'inserts at the top', files: { f: 'a\n' }, steps: [{ insert: 'f', line: 0, new: 'x', file: 'x\na\n' }] },
  {
    name: 'inserts in the middle',
    files: { f: 'a\nb\n' },
    steps: [{ insert: 'f', line: 1, new: 'x\ny\n', file: 'a\nx\ny\nb\n', has: '     2\tx\n     3\ty' }],
  },
  { name: 'inserts at the end', files: { f: 'a\n' }, steps: [{ insert: 'f', line: 1, new: 'x', file: 'a\nx\n' }] },
  {
    name: 'inserts after a last line without a line end',
    files: { f: 'a' },
    steps: [{ insert: 'f', line: 1, new: 'x', file: 'a\nx' }],
  },
  { name: 'inserts into an empty file', files: { f: '' }, steps: [{ insert: 'f', line: 0, new: 'x', file: 'x\n' }] },
  {
    name: 'inserts with the line ends of the file',
    files: { f: 'a\r\nb\r\n' },
    steps: [{ insert: 'f', line: 1, new: 'x', file: 'a\r\nx\r\nb\r\n' }],
  },
  {
    name: 'refuses to insert after the end',
    files: { f: 'a\n' },
    steps: [{ insert: 'f', line: 2, new: 'x', refused: ['Invalid `insert_line` parameter: 2. ', '[0, 1]'] }],
  },
  {
    name: 'needs a line and a text to insert',
    files: { f: 'a\n' },
    steps: [
      { insert: 'f', new: 'x', refused: 'Parameter `insert_line` is required' },
      { insert: 'f', line: 0, refused: 'Parameter `new_str` is required' },
    ],
  },
  {
    name: 'takes edits back one after the other',
    files: { f: 'a\n' },
    steps: [
      { replace: 'f', old: 'a', new: 'b' },
      { insert: 'f', line: 1, new: 'c' },
      { undo: 'f', has: 'Last edit to {}/f undone successfully.', file: 'b\n' },
      { undo: 'f', file: 'a\n' },
      { undo: 'f', refused: 'No edit history found for {}/f.' },
    ],
  },
  {
    name: 'takes ten edits back and no more',
    files: { f: '0' },
    steps: [
      ...numbers(0, 11).map((n): Step => ({ replace: 'f', old: String(n), new: String(n + 1) })),
      ...numbers(0, 10).map((): Step => ({ undo: 'f' })),
      { undo: 'f', refused: 'No edit history', file: '1' },
    ],
  },
  {
    name: 'has nothing to take back of a new file',
    steps: [
      { create: 'f', text: 'a' },
      { undo: 'f', refused: 'No edit history' },
    ],
  },
]

function numbers(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index)
}

/** Files, a patch, and what comes of them. In `patch`, the lines between Begin and End. */
export interface PatchCase {
  name: string
  files?: Record<string, string>
  patch: string
  /** The patch as it is, without Begin and End around it. */
  whole?: true
  /** All files afterwards. */
  gives?: Record<string, string>
  says?: string[]
  /** Nothing changes, and the answer contains these words. */
  refused?: string[]
  /** 0 unless told */
  fuzz?: number
}

const CODE = 'def one():\n    return 1\n\n\ndef two():\n    return 1\n\n\ndef three():\n    x = 3\n    return x\n'

export const PATCHES: PatchCase[] = [
  {
    name: 'adds a file in new folders',
    patch: '*** Add File: a/b/c.txt\n+one\n+\n+two',
    gives: { 'a/b/c.txt': 'one\n\ntwo\n' },
    says: ['Done! Updated the following files:\nA a/b/c.txt'],
  },
  { name: 'adds an empty file', patch: '*** Add File: empty', gives: { empty: '' } },
  {
    name: 'deletes a file',
    files: { a: 'x\n', b: 'y\n' },
    patch: '*** Delete File: a',
    gives: { b: 'y\n' },
    says: ['D a'],
  },
  {
    name: 'updates a file where its context stands',
    files: { 'f.py': CODE },
    patch: '*** Update File: f.py\n@@\n def three():\n-    x = 3\n+    x = 4\n     return x',
    gives: { 'f.py': CODE.replace('x = 3', 'x = 4') },
    says: ['M f.py (now lines 9-11)'],
  },
  {
    name: 'updates without a line of @@',
    files: { f: 'a\nb\nc\n' },
    patch: '*** Update File: f\n a\n-b\n+B\n c',
    gives: { f: 'a\nB\nc\n' },
  },
  {
    name: 'updates several places of a file in their order',
    files: { f: 'a\nb\nc\nd\ne\nf\n' },
    patch: '*** Update File: f\n@@\n a\n-b\n+B1\n+B2\n@@\n-e\n f\n+g',
    gives: { f: 'a\nB1\nB2\nc\nd\nf\ng\n' },
    says: ['M f (now lines 1-3, 6-7)'],
  },
  {
    name: 'finds the place by the function above it',
    files: { 'f.py': CODE },
    patch: '*** Update File: f.py\n@@ def two():\n-    return 1\n+    return 2',
    gives: { 'f.py': CODE.replace('two():\n    return 1', 'two():\n    return 2') },
  },
  {
    name: 'finds the place by the class and the function above it',
    files: { f: 'class A:\n  def go():\n    pass\nclass B:\n  def go():\n    pass\n' },
    patch: '*** Update File: f\n@@ class B:\n@@   def go():\n-    pass\n+    run()',
    gives: { f: 'class A:\n  def go():\n    pass\nclass B:\n  def go():\n    run()\n' },
  },
  {
    name: 'takes two changes below the same function',
    files: { f: 'def a():\n  1\n  2\n  3\n  4\n' },
    patch: '*** Update File: f\n@@ def a():\n-  1\n+  one\n@@ def a():\n-  4\n+  four',
    gives: { f: 'def a():\n  one\n  2\n  3\n  four\n' },
  },
  {
    name: 'takes the ranges of a unified diff for what they are',
    files: { f: 'a\nb\n' },
    patch: '*** Update File: f\n@@ -1,2 +1,2 @@\n a\n-b\n+c',
    gives: { f: 'a\nc\n' },
  },
  {
    name: 'puts lines behind the anchor when nothing else is named',
    files: { f: 'import a\nx\ny\n' },
    patch: '*** Update File: f\n@@ import a\n+import b',
    gives: { f: 'import a\nimport b\nx\ny\n' },
  },
  {
    name: 'puts lines at the end of the file',
    files: { f: 'a\n' },
    patch: '*** Update File: f\n@@\n+b\n*** End of File',
    gives: { f: 'a\nb\n' },
  },
  {
    name: 'prefers the end of the file where it is named',
    files: { f: 'x\ny\nx\n' },
    patch: '*** Update File: f\n@@\n-x\n+z\n*** End of File',
    gives: { f: 'x\ny\nz\n' },
  },
  {
    name: 'moves a file',
    files: { 'old.txt': 'a\n' },
    patch: '*** Update File: old.txt\n*** Move to: new/name.txt',
    gives: { 'new/name.txt': 'a\n' },
    says: ['R old.txt -> new/name.txt'],
  },
  {
    name: 'moves and changes a file',
    files: { 'old.txt': 'a\nb\n' },
    patch: '*** Update File: old.txt\n*** Move to: new.txt\n@@\n a\n-b\n+c',
    gives: { 'new.txt': 'a\nc\n' },
  },
  {
    name: 'does several things at once',
    files: { keep: 'k\n', gone: 'g\n', edit: 'e\n' },
    patch: '*** Add File: new\n+n\n*** Delete File: gone\n*** Update File: edit\n@@\n-e\n+E',
    gives: { keep: 'k\n', new: 'n\n', edit: 'E\n' },
    says: ['D gone', 'M edit', 'A new'],
  },
  {
    name: 'replaces a file by deleting and adding it',
    files: { f: 'old\n' },
    patch: '*** Delete File: f\n*** Add File: f\n+new',
    gives: { f: 'new\n' },
  },
  {
    name: 'forgives blanks at the end of a line, and keeps the file’s own',
    files: { f: 'a  \nb\n' },
    patch: '*** Update File: f\n@@\n a\n-b\n+c',
    gives: { f: 'a  \nc\n' },
    fuzz: 1,
    says: ['did not match to the letter'],
  },
  {
    name: 'forgives typographic quotes',
    files: { f: 'say “hi” – now\nb\n' },
    patch: '*** Update File: f\n@@\n say "hi" - now\n-b\n+c',
    gives: { f: 'say “hi” – now\nc\n' },
    fuzz: 10,
  },
  {
    name: 'forgives another indentation',
    files: { f: '\tif a:\n\t\tb\n' },
    patch: '*** Update File: f\n@@\n     if a:\n-        b\n+\t\tc',
    gives: { f: '\tif a:\n\t\tc\n' },
    fuzz: 100,
  },
  {
    name: 'forgives an anchor that is not there when the place is clear',
    files: { f: 'a\nb\n' },
    patch: '*** Update File: f\n@@ def nowhere():\n-b\n+c',
    gives: { f: 'a\nc\n' },
    fuzz: 1000,
  },
  {
    name: 'keeps Windows line ends',
    files: { f: 'a\r\nb\r\nc\r\n' },
    patch: '*** Update File: f\n@@\n a\n-b\n+x\n+y\n c',
    gives: { f: 'a\r\nx\r\ny\r\nc\r\n' },
  },
  {
    name: 'keeps a last line without a line end',
    files: { f: 'a\nb' },
    patch: '*** Update File: f\n@@\n-a\n+A\n b',
    gives: { f: 'A\nb' },
  },
  {
    name: 'adds behind a last line without a line end',
    files: { f: 'a' },
    patch: '*** Update File: f\n@@\n a\n+b',
    gives: { f: 'a\nb' },
  },
  { name: 'empties a file', files: { f: 'a\n' }, patch: '*** Update File: f\n@@\n-a', gives: { f: '' } },
  {
    name: 'fills an empty file',
    files: { f: '' },
    patch: '*** Update File: f\n@@\n+a',
    gives: { f: 'a\n' },
  },
  {
    name: 'takes an empty line for an empty line of the file',
    files: { f: 'a\n\nb\n' },
    patch: '*** Update File: f\n@@\n a\n\n-b\n+c\n',
    gives: { f: 'a\n\nc\n' },
  },
  {
    name: 'is understood inside a here-document and a code fence',
    files: { f: 'a\n' },
    whole: true,
    patch: "```\napply_patch <<'EOF'\n*** Begin Patch\n*** Update File: f\n@@\n-a\n+b\n*** End Patch\nEOF\n```\n",
    gives: { f: 'b\n' },
  },
  {
    name: 'is understood with Windows line ends',
    files: { f: 'a\n' },
    whole: true,
    patch: '*** Begin Patch\r\n*** Update File: f\r\n@@\r\n-a\r\n+b\r\n*** End Patch\r\n',
    gives: { f: 'b\n' },
  },
  {
    name: 'takes names with blanks and quotes',
    files: { "it's a $(name)": 'a\n' },
    patch: "*** Update File: it's a $(name)\n@@\n-a\n+b",
    gives: { "it's a $(name)": 'b\n' },
  },
  {
    name: 'changes nothing when one of the files does not fit',
    files: { f: 'a\n', g: 'x\n' },
    patch: '*** Update File: f\n@@\n-a\n+b\n*** Add File: new\n+n\n*** Update File: g\n@@\n-y\n+z',
    refused: ['Hunk 1 does not fit g: these lines were not found. Nothing was changed.\ny'],
  },
  {
    name: 'shows what stands where the patch does not fit',
    files: { f: 'a\nb\nc\nd\n' },
    patch: '*** Update File: f\n@@\n a\n b\n-X\n+Y\n d',
    refused: ['Closest is line 1. There line 3 of the file is:\nc\nand the patch has:\nX'],
  },
  {
    name: 'does not guess between several places',
    files: { f: 'a\nb\na\n' },
    patch: '*** Update File: f\n@@\n-a\n+A',
    refused: ['Hunk 1 of f fits in several places: at lines 1, 3.', 'after `@@`'],
  },
  {
    name: 'wants changes in the order of the file',
    files: { f: 'a\nb\nc\n' },
    patch: '*** Update File: f\n@@\n-c\n+C\n@@\n-a\n+A',
    refused: ['They stand at line 1, before the hunk above'],
  },
  {
    name: 'does not put lines behind an anchor that is not there',
    files: { f: 'a\n' },
    patch: '*** Update File: f\n@@ def nowhere():\n+b',
    refused: ['does not fit f'],
  },
  {
    name: 'does not add over a file',
    files: { f: 'a\n' },
    patch: '*** Add File: f\n+b',
    refused: ['f exists already', 'Update File'],
  },
  { name: 'does not update what is missing', patch: '*** Update File: f\n@@\n-a\n+b', refused: ['There is no file f'] },
  { name: 'does not delete what is missing', patch: '*** Delete File: f', refused: ['There is no file f'] },
  {
    name: 'does not move over a file',
    files: { f: 'a\n', g: 'b\n' },
    patch: '*** Update File: f\n*** Move to: g',
    refused: ['g exists already'],
  },
  { name: 'does not patch a folder', files: { 'd/f': '' }, patch: '*** Delete File: d', refused: ['d is a directory'] },
  {
    name: 'does not patch a binary file',
    files: { f: 'a\0b\n' },
    patch: '*** Update File: f\n@@\n-a\n+b',
    refused: ['binary'],
  },
  {
    name: 'refuses an absolute path',
    patch: '*** Add File: /etc/evil\n+a',
    refused: ['Invalid path in the patch: /etc/evil.'],
  },
  { name: 'names the relative path of an absolute one', patch: '*** Add File: {}/new\n+a', refused: ['Write new.'] },
  {
    name: 'refuses a path out of the folder',
    patch: '*** Add File: ../evil\n+a',
    refused: ['It leads out of the working directory'],
  },
  {
    name: 'refuses a path that leads out in its middle',
    patch: '*** Add File: a/../../evil\n+a',
    refused: ['leads out'],
  },
  { name: 'refuses a path at home', patch: '*** Add File: ~/.bashrc\n+a', refused: ['`~` is not known'] },
  {
    name: 'refuses to move out of the folder',
    files: { f: 'a\n' },
    patch: '*** Update File: f\n*** Move to: ../f',
    refused: ['leads out'],
  },
  {
    name: 'refuses a patch that was cut off',
    whole: true,
    patch: '*** Begin Patch\n*** Add File: f\n+a',
    refused: ['cut off'],
  },
  {
    name: 'says what to do with a unified diff',
    whole: true,
    patch: '--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n',
    refused: ['must begin with `*** Begin Patch`', 'git apply'],
  },
  { name: 'refuses an empty patch', patch: '', refused: ['names no file'] },
  {
    name: 'names the line that it cannot read',
    files: { f: 'a\n' },
    patch: '*** Update File: f\n@@\n-a\nb',
    refused: ['Line 5 of the patch cannot be read: `b`'],
  },
  {
    name: 'names the header that it cannot read',
    patch: '*** Rename File: f',
    refused: ['Line 2 of the patch', 'Expected'],
  },
  { name: 'wants a + before each line of a new file', patch: '*** Add File: f\na', refused: ['begins with `+`'] },
  {
    name: 'refuses an update that changes nothing',
    files: { f: 'a\n' },
    patch: '*** Update File: f',
    refused: ['changes nothing in f'],
  },
]

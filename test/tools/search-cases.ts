/** A search and what it must find, in every kind of image. Files are made in this order, each newer than the one before. */
export interface SearchCase {
  name: string
  files: Record<string, string>
  grep?: { pattern: string; path?: string; include?: string }
  glob?: { pattern: string; path?: string }
  /** Relative to the case's folder, in this order. */
  finds?: string[]
  /** `{}` stands for the case's folder. */
  says?: string[]
  refused?: string
}

const TREE = {
  'src/a.ts': 'const apple = 1\n',
  'src/b.py': 'banana = 2\nAPPLE = 3\n',
  'src/deep/er/c.tsx': 'export const Cherry = "apple pie"\n',
  'README.md': '# Fruit\n',
  '.hidden/d.ts': 'apple\n',
  '.env': 'apple\n',
  'node_modules/e/index.ts': 'apple\n',
}

export const SEARCHES: SearchCase[] = [
  {
    name: 'finds what matches, newest first, hidden names and packages left out',
    files: TREE,
    grep: { pattern: 'apple' },
    finds: ['src/deep/er/c.tsx', 'src/b.py', 'src/a.ts'],
    says: ["Found 3 files containing pattern 'apple' in {}", '{}/src/b.py\n  2: APPLE = 3', '  1: const apple = 1'],
  },
  { name: 'knows no capital letters', files: TREE, grep: { pattern: 'CHERRY' }, finds: ['src/deep/er/c.tsx'] },
  { name: 'searches by name as well', files: TREE, grep: { pattern: 'apple', include: '*.py' }, finds: ['src/b.py'] },
  {
    name: 'knows braces in a name',
    files: TREE,
    grep: { pattern: 'apple', include: '*.{ts,tsx}' },
    finds: ['src/deep/er/c.tsx', 'src/a.ts'],
  },
  {
    name: 'knows paths in a name',
    files: TREE,
    grep: { pattern: 'apple', include: 'src/*.ts' },
    finds: ['src/a.ts'],
  },
  {
    name: 'leaves names out after an exclamation mark',
    files: TREE,
    grep: { pattern: 'apple', include: '!*.ts' },
    finds: ['src/deep/er/c.tsx', 'src/b.py'],
  },
  {
    name: 'searches a folder below',
    files: TREE,
    grep: { pattern: 'apple', path: 'src/deep' },
    finds: ['src/deep/er/c.tsx'],
  },
  { name: 'searches one file', files: TREE, grep: { pattern: 'apple', path: 'src/b.py' }, finds: ['src/b.py'] },
  {
    name: 'searches a hidden file that is named',
    files: TREE,
    grep: { pattern: 'apple', path: '.env' },
    finds: ['.env'],
  },
  {
    name: 'knows dots, anchors, lists and alternatives',
    files: { a: 'let x1 = 5\n', b: 'var yy = 5\n', c: 'xlet z = 5\n' },
    grep: { pattern: '^let .*[0-9]$|^v[a-z]r' },
    finds: ['b', 'a'],
  },
  { name: 'knows \\d', files: { a: 'v12\n', b: 'v\n' }, grep: { pattern: 'v\\d' }, finds: ['a'] },
  {
    name: 'takes quotes, dollars and blanks as they are',
    files: { a: 'say "it\'s" `now` $HOME\n', b: 'nothing\n' },
    grep: { pattern: '"it\'s" `now` \\$HOME' },
    finds: ['a'],
  },
  {
    name: 'takes what a shell would run as text',
    files: { a: '$(touch /tmp/ran); * ) esac\n' },
    grep: { pattern: '\\$\\(touch /tmp/ran\\); \\* \\) esac' },
    finds: ['a'],
  },
  {
    name: 'takes a pattern that begins with a dash',
    files: { a: '--force\n' },
    grep: { pattern: '--force' },
    finds: ['a'],
  },
  {
    name: 'finds files with strange names',
    files: { "it's a:7: $(name).txt": 'apple\n', '-rf': 'apple\n', 'sp ace/[x].ts': 'apple\n' },
    grep: { pattern: 'apple' },
    finds: ['sp ace/[x].ts', '-rf', "it's a:7: $(name).txt"],
    says: ["{}/it's a:7: $(name).txt\n  1: apple"],
  },
  {
    name: 'shows three lines of a file and no more',
    files: { a: 'apple 1\napple 2\npear\napple 3\napple 4\n' },
    grep: { pattern: 'apple' },
    finds: ['a'],
    says: ['  1: apple 1\n  2: apple 2\n  4: apple 3'],
  },
  {
    name: 'finds the last line without a line end',
    files: { a: 'one\nlast apple' },
    grep: { pattern: 'apple' },
    finds: ['a'],
  },
  {
    name: 'says that nothing was found',
    files: TREE,
    grep: { pattern: 'durian' },
    finds: [],
    says: ["No files found containing pattern 'durian' in {}."],
  },
  {
    name: 'names a folder that does not exist, and what may be meant',
    files: TREE,
    grep: { pattern: 'apple', path: 'scr' },
    refused: 'does not exist. Please provide a valid path. Maybe you meant {}/src?',
  },
  {
    name: 'finds names anywhere, newest first',
    files: TREE,
    glob: { pattern: '*.ts*' },
    finds: ['src/deep/er/c.tsx', 'src/a.ts'],
    says: ["Found 2 files matching pattern '*.ts*' in {}:\n{}/src/deep/er/c.tsx\n{}/src/a.ts"],
  },
  { name: 'finds names on every level with **', files: TREE, glob: { pattern: '**/*.py' }, finds: ['src/b.py'] },
  {
    name: 'finds names on one level without **',
    files: TREE,
    glob: { pattern: 'src/*' },
    finds: ['src/b.py', 'src/a.ts'],
  },
  {
    name: 'finds everything below a folder',
    files: TREE,
    glob: { pattern: 'src/**' },
    finds: ['src/deep/er/c.tsx', 'src/b.py', 'src/a.ts'],
  },
  {
    name: 'finds in a folder below',
    files: TREE,
    glob: { pattern: '*', path: 'src/deep' },
    finds: ['src/deep/er/c.tsx'],
  },
  {
    name: 'finds hidden names that are asked for',
    files: TREE,
    glob: { pattern: '.hidden/*.ts' },
    finds: ['.hidden/d.ts'],
  },
  { name: 'finds one exact name', files: TREE, glob: { pattern: 'README.md' }, finds: ['README.md'] },
  {
    name: 'says that no name matches',
    files: TREE,
    glob: { pattern: '*.rs' },
    finds: [],
    says: ['No files found matching'],
  },
  {
    name: 'does not look for names in a file',
    files: TREE,
    glob: { pattern: '*', path: 'README.md' },
    refused: 'Name the folder to search',
  },
]

import { expect, it } from 'vitest'
import { ignoredBy } from '../../../server/sandbox/build/ignored.ts'

it.each<[what: string, text: string, ignored: string[], kept: string[]]>([
  [
    'names',
    '# note\n/node_modules/\n./dist\nlogs/old\n',
    ['node_modules', 'node_modules/a/b.js', 'dist/x', 'logs/old'],
    ['src/node_modules', 'distant', 'logs/new', '# note'],
  ],
  [
    'names in any folder',
    '**/node_modules\n**/.env\n**/a/b\n',
    ['node_modules/a', 'src/node_modules/b', '.env', 'a/b/.env', 'x/a/b/c'],
    ['node_modules2', 'a.env', '.envrc', 'a/x/b'],
  ],
  [
    'stars',
    '*.tmp\nlogs/*.log\nbuild/**\n**/compose*.yaml\n',
    ['a.tmp', 'logs/a.log', 'build/x/y', 'x/compose.dev.yaml'],
    ['x/a.tmp', 'logs/old/a.log', 'build', 'compose.yml'],
  ],
  [
    'what is taken in again',
    'docs\n!docs/README.md\n*.md\n!README.md\n',
    ['docs/a.txt', 'a.md'],
    ['docs/README.md', 'README.md'],
  ],
  ['the last one that matches', '!a\na\n', ['a', 'a/b'], []],
  [
    'characters, classes and several stars',
    'run[0-9]\na?\n*.min.*\nx\\*\n[^a-c]z\n',
    ['run7', 'run7/x', 'ab', 'a.min.js', 'x*', 'dz'],
    ['run', 'runs', 'x/run7', 'abc', 'min.js', 'xy', 'bz'],
  ],
  [
    'folders in between',
    'src/**/*.test.ts\na/**/b/**\n**/out/**/*.map\n',
    ['src/a.test.ts', 'src/x/y/a.test.ts', 'a/b/c', 'a/x/b/c', 'out/a.map', 'x/out/y/z/a.map'],
    ['a.test.ts', 'src/a.ts', 'a/b', 'a/x/b', 'a/c', 'a.map'],
  ],
  [
    'names with a very long pattern',
    `${'a'.repeat(300)}\n${'?'.repeat(41)}\n*b\n`,
    ['ab'],
    ['a'.repeat(300), 'c'.repeat(41)],
  ],
  ['what is understood', 'a**b\n*a*a*a*a\nkept\n', ['kept'], ['ab', 'aaaa']],
  ['nothing where something is taken in that is not understood', 'dist\n!dist/a**b\n', [], ['dist', 'dist/ab']],
  ['nothing', '\n  \n.\n/\n..\n../x\n!\n', [], ['a', 'x', '.env']],
])('leaves %s out', (_what, text, ignored, kept) => {
  const isIgnored = ignoredBy(text)
  expect(ignored.filter(path => !isIgnored(path))).toEqual([])
  expect(kept.filter(isIgnored)).toEqual([])
})

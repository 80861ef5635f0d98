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
  ['what is understood', 'run[0-9]\na?\na*b*c\nx\\*\nkept\n', ['kept'], ['run7', 'ab', 'abc', 'x*']],
  ['nothing where something is taken in that is not understood', 'dist\n!dist/a?\n', [], ['dist', 'dist/ab']],
  ['nothing', '\n  \n.\n/\n..\n../x\n!\n', [], ['a', 'x', '.env']],
])('leaves %s out', (_what, text, ignored, kept) => {
  const isIgnored = ignoredBy(text)
  expect(ignored.filter(path => !isIgnored(path))).toEqual([])
  expect(kept.filter(isIgnored)).toEqual([])
})

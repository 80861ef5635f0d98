import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const PROJECT = join(import.meta.dirname, '..', '..')
const EXTENSIONS = ['.test.ts', '.test.tsx']

test('every test that docs/security.md names is there', () => {
  const document = readFileSync(join(PROJECT, 'docs/security.md'), 'utf8')
  const table = document.slice(document.indexOf('## What holds'), document.indexOf('## What does not hold'))
  const named = rows(table).flatMap(cells => [...(cells.at(-1) ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name))
  expect(named.length).toBeGreaterThan(20)
  expect(
    named.filter(name => !EXTENSIONS.some(extension => existsSync(join(PROJECT, 'test', `${name}${extension}`)))),
  ).toEqual([])
})

const FOLDERS = 'build|docs|electron|renderer|server|test'
const NAMED = new RegExp(`[\`(]((?:${FOLDERS})/[\\w./-]*\\w)(?:#[\\w-]+)?[\`)]`, 'g')
/** Test files of a table are named without `test/`, which the test above looks at; `.test` and the extension may be left out. */
const ENDINGS = ['', '.ts', '.tsx', ...EXTENSIONS]

const documents = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md'],
  ...readdirSync(join(PROJECT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.md'))
    .map(name => join('docs', name)),
]

test.each(documents)('every file that %s names is there', name => {
  const text = readFileSync(join(PROJECT, name), 'utf8')
  const named = [...text.matchAll(NAMED)].map(([, path = '']) => path)
  const folder = join(PROJECT, name, '..')
  const missing = named.filter(
    path =>
      ![PROJECT, folder, join(PROJECT, 'test')].some(from => ENDINGS.some(end => existsSync(join(from, path + end)))),
  )
  expect(missing).toEqual([])
})

/** Cells of a Markdown table. */
function rows(text: string): string[][] {
  return text
    .split('\n')
    .filter(line => line.startsWith('| '))
    .map(line => line.split('|').slice(1, -1))
}

import { existsSync, readFileSync } from 'node:fs'
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

/** Cells of a Markdown table. */
function rows(text: string): string[][] {
  return text
    .split('\n')
    .filter(line => line.startsWith('| '))
    .map(line => line.split('|').slice(1, -1))
}

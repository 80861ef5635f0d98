import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { folderRoute, folderWord } from '../../electron/folder-word.ts'

const TYPED_IN = resolve('/home/ada')

test.each([
  [['atelier', '--folder', 'shop'], resolve('/home/ada/shop')],
  [['atelier', '--no-sandbox', '--folder', '.'], TYPED_IN],
  [['atelier', '--folder=/srv/a b'], resolve('/srv/a b')],
  [['atelier', '--folder='], undefined],
  [['atelier', '--folder'], undefined],
  [['atelier', '--folders', 'shop'], undefined],
  [['atelier'], undefined],
])('%j opens %s', (argv, folder) => {
  expect(folderWord(argv, TYPED_IN)).toBe(folder)
})

test('a path is one value of the route, whatever is in it', () => {
  const route = folderRoute('/srv/a b?c&d#e%20')
  expect(new URL(route, 'http://x').searchParams.get('folder')).toBe('/srv/a b?c&d#e%20')
})

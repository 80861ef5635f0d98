import { expect, it } from 'vitest'
import { ignoredBy } from '../../../server/sandbox/build/ignored.ts'

it('a build context goes without what .dockerignore names plainly, and whole where something is taken back', () => {
  const isIgnored = ignoredBy('# comment\n/node_modules/\n./dist\nlogs/old\n*.tmp\n')
  const ignored = ['node_modules', 'node_modules/a/b.js', 'dist/x', 'logs/old']
  const kept = ['src/node_modules', 'distant', 'logs/new', 'a.tmp']
  expect(ignored.filter(path => !isIgnored(path))).toEqual([])
  expect(kept.filter(isIgnored)).toEqual([])
  expect(ignoredBy('dist\n!dist/kept')('dist')).toBe(false)
})

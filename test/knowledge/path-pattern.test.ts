import { describe, expect, it } from 'vitest'
import { matchesPath } from '../../server/knowledge/path-pattern.ts'

const CASES: [pattern: string, matching: string[], others: string[]][] = [
  ['*.ts', ['a.ts', 'src/a.ts', 'a/b/c.ts'], ['a.tsx', 'a.ts/b']],
  ['src/*.ts', ['src/a.ts'], ['src/a/b.ts', 'a.ts', 'lib/src/a.ts']],
  ['src/**', ['src/a', 'src/a/b.c'], ['srcs/a', 'a/src/b']],
  ['src/', ['src/a', 'src/a/b'], ['src2/a']],
  ['**/*.py', ['a.py', 'x/y/a.py'], ['a.pyc']],
  ['src/**/test/*.js', ['src/test/a.js', 'src/a/b/test/c.js'], ['src/test/a/b.js', 'test/a.js']],
  ['./src/a.ts', ['src/a.ts'], ['a.ts']],
  ['/src/a.ts', ['src/a.ts'], ['x/src/a.ts']],
  ['*.{ts,tsx}', ['a.ts', 'b/a.tsx'], ['a.js', 'a.{ts,tsx}']],
  ['{a,b}/{c,d}.x', ['a/c.x', 'b/d.x'], ['a/b.x']],
  ['file?.md', ['file1.md'], ['file.md', 'file12.md']],
  ['[a-c]*.md', ['bx.md'], ['dx.md']],
  ['[!a-c]x', ['dx'], ['ax']],
  ['a[[]b]/**', ['a[b]/c'], ['ab/c']],
  ['**', ['a', 'a/b'], []],
  ['Makefile', ['Makefile', 'sub/Makefile'], ['makefile']],
  ['', [], ['a', '']],
]

describe('a pattern of files', () => {
  it.each(CASES)('%s', (pattern, matching, others) => {
    for (const path of matching) expect([path, matchesPath(pattern, path)]).toEqual([path, true])
    for (const path of others) expect([path, matchesPath(pattern, path)]).toEqual([path, false])
  })

  it('cannot be made to take time', () => {
    const began = performance.now()
    expect(matchesPath(`${'*a'.repeat(50)}b`, 'a'.repeat(2000))).toBe(false)
    expect(matchesPath(`${'**/'.repeat(60)}b`, 'a/'.repeat(1000))).toBe(false)
    expect(matchesPath('{a,b}'.repeat(40), 'x')).toBe(false)
    expect(performance.now() - began).toBeLessThan(1000)
  })
})

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { covers } from '../../build/dependencies.mjs'
import { fingerprint, whenStale } from '../../build/machine/fingerprint.mjs'

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'fingerprint-'))
  mkdirSync(join(root, 'src', 'deep'), { recursive: true })
  writeFileSync(join(root, 'src', 'deep', 'a.ts'), 'a')
})
afterEach(() => rmSync(root, { recursive: true }))

const print = () => fingerprint(root, ['src', 'absent'])

test('the print is stable while nothing changes', () => {
  expect(print()).toBe(print())
})

test.each([
  ['changed', () => writeFileSync(join(root, 'src', 'deep', 'a.ts'), 'ab')],
  ['added', () => writeFileSync(join(root, 'src', 'b.ts'), '')],
  ['removed', () => rmSync(join(root, 'src', 'deep', 'a.ts'))],
])('a file %s in a folder makes it stale', (_what, change) => {
  const before = print()
  change()
  expect(print()).not.toBe(before)
})

test('work that failed is done again', async () => {
  const job = { stamp: join(root, 'out', 'stamp'), print: print() }
  const failing = whenStale({ ...job, work: () => Promise.reject(new Error('no')) })
  await expect(failing).rejects.toThrow('no')
  let done = 0
  const work = async () => {
    done += 1
  }
  await whenStale({ ...job, work })
  await whenStale({ ...job, work })
  expect(done).toBe(1)
})

test('installed packages cover the lock file when only optional ones are absent', () => {
  const locked = {
    '': {},
    'node_modules/a': { version: '1.0.0' },
    'node_modules/a-win32': { version: '1.0.0', optional: true },
  }
  expect(covers({ 'node_modules/a': { version: '1.0.0' } }, locked)).toBe(true)
  expect(covers({ 'node_modules/a': { version: '1.0.1' } }, locked)).toBe(false)
  expect(covers({}, locked)).toBe(false)
})

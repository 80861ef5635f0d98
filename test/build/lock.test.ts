import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { withLock } from '../../build/machine/lock.mjs'

let cache: string

beforeEach(() => {
  cache = mkdtempSync(join(tmpdir(), 'lock-'))
  vi.stubEnv('ATELIER_CACHE_DIR', cache)
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(cache, { recursive: true })
})

test('two set-ups at once do the work one after the other', async () => {
  const order: string[] = []
  const work = (name: string) => async () => {
    order.push(`${name} begins`)
    await new Promise(resolve => setImmediate(resolve))
    order.push(`${name} ends`)
  }
  await Promise.all([withLock('job', work('first')), withLock('job', work('second'))])
  expect(order).toEqual(['first begins', 'first ends', 'second begins', 'second ends'])
})

test('the lock of a process that died is taken over', async () => {
  const dead = spawnSync(process.execPath, ['--version']).pid
  writeFileSync(join(cache, 'job.lock'), String(dead))
  expect(await withLock('job', async () => 'done')).toBe('done')
})

test('the lock of a process whose id another one has by now is taken over', async () => {
  writeFileSync(join(cache, 'job.lock'), `${process.pid} 1`)
  expect(await withLock('job', async () => 'done')).toBe('done')
})

test('work that fails gives the lock back', async () => {
  await expect(withLock('job', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(existsSync(join(cache, 'job.lock'))).toBe(false)
})

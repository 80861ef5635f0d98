import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { keepPrivate } from '../../server/disk/private-folder.ts'

let folder: string
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'atelier-private-')), 'data')
  mkdirSync(folder)
})
afterEach(() => rmSync(join(folder, '..'), { recursive: true }))

const modeOf = (path: string) => statSync(join(folder, path)).mode & 0o777

function make(path: string, mode: number): void {
  writeFileSync(join(folder, path), 'x')
  chmodSync(join(folder, path), mode)
}

it('a folder and files that others could read are closed, at every level', () => {
  mkdirSync(join(folder, 'logs/older'), { recursive: true })
  mkdirSync(join(folder, 'backups'))
  for (const path of ['logs', 'logs/older', 'backups']) chmodSync(join(folder, path), 0o755)
  chmodSync(folder, 0o755)
  const files = ['atelier.db', 'atelier.db-wal', 'atelier.db-shm', 'atelier.lock', 'server.json', 'feedback.jsonl']
  const inside = ['logs/atelier.log', 'logs/1-atelier.log', 'logs/older/x', 'backups/a.db']
  for (const path of [...files, ...inside]) make(path, 0o664)
  expect(keepPrivate(folder)).toEqual([])
  for (const path of ['', 'logs', 'logs/older', 'backups']) expect(modeOf(path)).toBe(0o700)
  for (const path of [...files, ...inside]) expect([path, modeOf(path)]).toEqual([path, 0o600])
})

it('what is not Atelier’s own is left alone, and so is what a link leads to', () => {
  make('../elsewhere', 0o644)
  make('notes.txt', 0o644)
  symlinkSync(join(folder, '../elsewhere'), join(folder, 'atelier.link'))
  expect(keepPrivate(folder)).toEqual([])
  expect(modeOf('../elsewhere')).toBe(0o644)
  expect(modeOf('notes.txt')).toBe(0o644)
})

it('a folder that many use, such as /tmp, is not taken from them but told of', () => {
  chmodSync(folder, 0o1777)
  make('atelier.db', 0o644)
  expect(keepPrivate(folder)).toEqual([folder])
  expect(statSync(folder).mode & 0o7777).toBe(0o1777)
  expect(modeOf('atelier.db')).toBe(0o600)
})

it('a folder that is not there yet is nothing to close', () => {
  expect(keepPrivate(join(folder, 'none'))).toEqual([])
})

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type SmallDisk, smallDisk } from '../parts/engine/small-disk.ts'
import { startHeadless } from '../parts/service/headless.ts'

let folder: string
let disk: SmallDisk | undefined

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'atelier-data-folder-'))
})
afterEach(() => {
  disk?.remove()
  disk = undefined
  rmSync(folder, { recursive: true, force: true })
})

/** Makes a place where no service can keep its data. @returns the data folder */
const PLACES: Record<string, { make: () => string | Promise<string>; says: string }> = {
  'a read-only disk': {
    make: () => join(readOnly(smallDisk(20)), 'new'),
    says: 'is on a disk that is read-only, so nothing can be stored. Make the disk writable, or set ATELIER_DATA_DIR',
  },
  'a read-only disk, with data': {
    make: async () => {
      const made = smallDisk(20)
      const service = await startHeadless({ dataDir: join(made.folder, 'data') })
      await service.end('SIGTERM')
      return join(readOnly(made), 'data')
    },
    says: 'is on a disk that is read-only',
  },
  'a file': { make: () => writeFile(folder, 'file'), says: 'is a file, not a folder. Move it away' },
  'below a file': { make: () => join(writeFile(folder, 'file'), 'data'), says: 'is a file, not a folder' },
  'a link to nowhere': { make: () => link(join(folder, 'nowhere')), says: 'is a file, not a folder' },
  'a folder whose logs are a file': {
    make: () => {
      writeFile(folder, 'logs')
      return folder
    },
    says: 'is a file, not a folder',
  },
  'where the kernel makes no folders': { make: () => '/proc/self/atelier', says: 'Atelier may not write to' },
}

it.each(Object.entries(PLACES))(
  'a data folder in %s ends the start in words',
  { timeout: 30_000 },
  async (_, place) => {
    const dataDir = await place.make()
    const signal = AbortSignal.timeout(15_000)
    const failure = await startHeadless({ dataDir, signal }).then(
      () => 'It started.',
      error => String(error),
    )
    expect(failure).toContain(place.says)
    expect(failure).not.toMatch(/E[A-Z]{4,}:|mkdir|chmod/)
  },
)

it('a data folder behind a link is used as any other', { timeout: 30_000 }, async () => {
  mkdirSync(join(folder, 'real'))
  const service = await startHeadless({ dataDir: link(join(folder, 'real')) })
  expect((await service.end('SIGTERM')).code).toBe(0)
})

function readOnly(made: SmallDisk): string {
  disk = made
  execFileSync('mount', ['-o', 'remount,ro', made.folder])
  return made.folder
}

function writeFile(parent: string, name: string): string {
  const file = join(parent, name)
  writeFileSync(file, 'x')
  return file
}

function link(target: string): string {
  const path = join(folder, 'link')
  symlinkSync(target, path)
  return path
}

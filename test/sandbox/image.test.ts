import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import pino from 'pino'
import { expect } from 'vitest'
import { type BundledImage, readBundledImage, SandboxImages } from '../../server/sandbox/image.ts'
import { it as base } from '../fixtures/sandbox.ts'
import { importBareImage, resourcesDir, until } from './parts.ts'

const test = base
  .extend('folder', { scope: 'file' }, ({}) => mkdtempSync(join(tmpdir(), 'atelier-image-')))
  .extend('read', { scope: 'file' }, async ({ parts, folder }) => {
    await importBareImage(parts, reference)
    const archivePath = join(folder, 'sandbox-image.tar.gz')
    writeFileSync(archivePath, gzipSync(await buffer(await parts.outside.getImage(reference).get())))
    const { size } = await stat(archivePath)
    writeFileSync(join(folder, 'sandbox-image.json'), JSON.stringify({ reference, sizeBytes: size, sha256: '' }))
    return readBundledImage(folder)
  })
  .extend('bundled', { scope: 'file' }, ({ read }) => {
    if (!read) throw new Error('not read')
    return read
  })
  .extend('imagesWith', { scope: 'file' }, ({ parts }) => (image: BundledImage | null) => {
    return new SandboxImages({
      connection: parts.connection,
      bus: parts.bus,
      log,
      bundled: image,
      build: async () => {},
    })
  })

const reference = `atelier-test/bundled:${randomBytes(4).toString('hex')}`
const log = pino({ level: 'silent' })
test.afterAll(async ({ parts, folder }) => {
  await parts.outside
    .getImage(reference)
    .remove({ force: true })
    .catch(() => {})
  rmSync(folder, { recursive: true, force: true })
})

test('the app carries an image that the engine can be given', async () => {
  const found = await readBundledImage(resourcesDir)
  expect(found?.reference).toMatch(/^atelier\/sandbox:/)
  expect((await stat(found?.archivePath ?? '')).size).toBe(found?.sizeBytes)
})

test('it is loaded ahead of need, with the bytes counted', async ({ parts, imagesWith, bundled }) => {
  await parts.outside.getImage(reference).remove({ force: true })
  const images = imagesWith(bundled)
  expect(images.status()).toMatchObject({ state: 'not_loaded', reference })
  const states = new Set<string>()
  const off = parts.bus.subscribe(() => states.add(images.status().state))
  images.start()
  await until(parts.bus, () => (images.status().state === 'ready' ? true : undefined))
  off()
  expect(states).toEqual(new Set(['loading', 'ready']))
  expect(images.status()).toMatchObject({ done_bytes: bundled.sizeBytes, total_bytes: bundled.sizeBytes })
  expect(await images.isPresent(reference)).toBe(true)
  await images.close()
})

test('who needs it while it is being loaded waits for the same load', async ({ parts, imagesWith, bundled }) => {
  await parts.outside.getImage(reference).remove({ force: true })
  const images = imagesWith(bundled)
  images.start()
  const seen: number[] = []
  await Promise.all([
    images.ensure(reference, progress => seen.push(progress.doneBytes)),
    images.ensure(reference, () => {}),
  ])
  expect(seen.at(-1)).toBe(bundled.sizeBytes)
  expect(await images.isPresent(reference)).toBe(true)
  await images.close()
})

test('one that was removed by hand is loaded again for the next sandbox', async ({ imagesWith, bundled, parts }) => {
  const images = imagesWith(bundled)
  await images.ensure(reference, () => {})
  await parts.outside.getImage(reference).remove({ force: true })
  await images.ensure(reference, () => {})
  expect(await images.isPresent(reference)).toBe(true)
  await images.close()
})

test('a damaged file is a failure in words, not a hang', async ({ parts, folder, bundled, imagesWith }) => {
  await parts.outside.getImage(reference).remove({ force: true })
  const archivePath = join(folder, 'damaged.tar.gz')
  writeFileSync(archivePath, (await readFile(bundled.archivePath)).subarray(0, bundled.sizeBytes / 2))
  const images = imagesWith({ ...bundled, archivePath })
  await expect(images.ensure(reference, () => {})).rejects.toMatchObject({ name: 'AppError' })
  expect(images.status()).toMatchObject({ state: 'failed', reason: expect.any(String) })
  await images.close()
})

test('without one the app says that it has none', async ({ folder, imagesWith }) => {
  expect(await readBundledImage(join(folder, 'nowhere'))).toBeNull()
  expect(imagesWith(null).status()).toMatchObject({ state: 'not_bundled', reference: null })
})

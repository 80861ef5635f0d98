import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BundledImage, readBundledImage, SandboxImages } from '../../server/sandbox/image.ts'
import { importBareImage, type Parts, resourcesDir, startParts, until } from './parts.ts'

const reference = `atelier-test/bundled:${randomBytes(4).toString('hex')}`
const log = pino({ level: 'silent' })
let parts: Parts
let folder: string
let bundled: BundledImage

/** A small image in the same form as the app's own, so that it can be removed and loaded as often as the tests like. */
beforeAll(async () => {
  parts = await startParts()
  folder = mkdtempSync(join(tmpdir(), 'atelier-image-'))
  await importBareImage(parts, reference)
  const archivePath = join(folder, 'sandbox-image.tar.gz')
  writeFileSync(archivePath, gzipSync(await buffer(await parts.outside.getImage(reference).get())))
  const { size } = await stat(archivePath)
  writeFileSync(join(folder, 'sandbox-image.json'), JSON.stringify({ reference, sizeBytes: size, sha256: '' }))
  const read = await readBundledImage(folder)
  if (!read) throw new Error('not read')
  bundled = read
})
afterAll(async () => {
  await parts.outside
    .getImage(reference)
    .remove({ force: true })
    .catch(() => {})
  await parts.close()
  rmSync(folder, { recursive: true, force: true })
})

const imagesWith = (image: BundledImage | null) =>
  new SandboxImages({ connection: parts.connection, bus: parts.bus, log, bundled: image })

test('the app carries an image that the engine can be given', async () => {
  const found = await readBundledImage(resourcesDir)
  expect(found?.reference).toMatch(/^atelier\/sandbox:/)
  expect((await stat(found?.archivePath ?? '')).size).toBe(found?.sizeBytes)
})

test('it is loaded ahead of need, with the bytes counted', async () => {
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

test('who needs it while it is being loaded waits for the same load', async () => {
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

test('one that was removed by hand is loaded again for the next sandbox', async () => {
  const images = imagesWith(bundled)
  await images.ensure(reference, () => {})
  await parts.outside.getImage(reference).remove({ force: true })
  await images.ensure(reference, () => {})
  expect(await images.isPresent(reference)).toBe(true)
  await images.close()
})

test('a damaged file is a failure in words, not a hang', async () => {
  await parts.outside.getImage(reference).remove({ force: true })
  const archivePath = join(folder, 'damaged.tar.gz')
  writeFileSync(archivePath, (await readFile(bundled.archivePath)).subarray(0, bundled.sizeBytes / 2))
  const images = imagesWith({ ...bundled, archivePath })
  await expect(images.ensure(reference, () => {})).rejects.toMatchObject({ name: 'AppError' })
  expect(images.status()).toMatchObject({ state: 'failed', reason: expect.any(String) })
  await images.close()
})

test('without one the app says that it has none', async () => {
  expect(await readBundledImage(join(folder, 'nowhere'))).toBeNull()
  expect(imagesWith(null).status()).toMatchObject({ state: 'not_bundled', reference: null })
})

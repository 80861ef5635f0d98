import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { exportedImage, fileOf } from '../../../server/sandbox/spec-file/exported-image.ts'
import { importedImage } from '../../../server/sandbox/spec-file/imported-image.ts'
import { readTar, writeTar } from '../../../server/sandbox/spec-file/tar.ts'
import { each } from './parts.ts'

const FILE_BYTES = 512 * 2 ** 20
const CHUNK_BYTES = 2 ** 20
/** Of the whole process, garbage included. */
const MAX_GROWTH_BYTES = 96 * 2 ** 20

/** As an engine saves it, no sooner than somebody reads. */
function savedImage(): Readable {
  const json = (name: string, value: unknown) => fileOf(name, Buffer.from(JSON.stringify(value)))
  const rootfs = { type: 'layers', diff_ids: [`sha256:${'0'.repeat(64)}`] }
  const files = [
    // With the header of its file, and the two blocks at its end.
    { name: 'aa/layer.tar', size: FILE_BYTES + 3 * 512, content: layer() },
    json('config.json', { architecture: 'amd64', os: 'linux', rootfs }),
    json('manifest.json', [{ Config: 'config.json', Layers: ['aa/layer.tar'] }]),
  ]
  return Readable.from(writeTar(each(files)), { objectMode: false })
}

function layer(): AsyncGenerator<Buffer> {
  return writeTar(each([{ name: 'data', size: FILE_BYTES, content: dataOfFile() }]))
}

async function* dataOfFile(): AsyncGenerator<Buffer> {
  for (let at = 0; at < FILE_BYTES; at += CHUNK_BYTES) yield Buffer.alloc(CHUNK_BYTES, 7)
}

test('an image goes into a file and out of it without being held in memory', async () => {
  const before = process.memoryUsage().rss
  let peak = before
  const file = writeTar(exportedImage(savedImage(), text => text))
  let bytes = 0
  for await (const chunk of writeTar(importedImage(readTar(file), { reference: 'atelier-saved:x', labels: {} }))) {
    bytes += chunk.length
    peak = Math.max(peak, process.memoryUsage.rss())
  }
  expect(bytes).toBeGreaterThan(FILE_BYTES)
  expect(peak - before).toBeLessThan(MAX_GROWTH_BYTES)
})

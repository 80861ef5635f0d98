import { buffer } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { fromBufferPromise } from 'yauzl'
import { type ZipEntry, zipStream } from '../../server/conversation/files/zip/zip.ts'

const ENTRIES = 200_000
const MAX_BYTES = 400 * 2 ** 20

async function* entries(): AsyncGenerator<ZipEntry> {
  for (let index = 0; index < ENTRIES; index++) {
    yield { name: `node_modules/${index % 400}/file ${index}`, modifiedAt: new Date(0), content: Buffer.alloc(0) }
  }
}

it('an archive of 200,000 files comes whole, and the list of them at its end takes little memory', async () => {
  const before = process.memoryUsage.rss()
  const archive = await fromBufferPromise(await buffer(zipStream(entries())), { lazyEntries: true })
  expect(archive.entryCount).toBe(ENTRIES)
  archive.close()
  expect(process.memoryUsage.rss() - before).toBeLessThan(MAX_BYTES)
})

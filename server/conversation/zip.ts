import { once } from 'node:events'
import { PassThrough, Readable } from 'node:stream'
import { ZipFile } from 'yazl'

export interface ZipEntry {
  /** With slashes, relative. */
  name: string
  modifiedAt: Date
  content: Buffer | AsyncIterable<Buffer>
}

/**
 * A ZIP archive of any size, as it is read: the next entry is asked for when the one before was packed. Whoever destroys
 * the archive ends `entries` too.
 */
export function zipStream(entries: AsyncIterable<ZipEntry>): Readable {
  const zip = new ZipFile()
  const archive = new PassThrough()
  const closed = once(archive, 'close').catch(() => {})
  zip.on('error', error => archive.destroy(error as Error))
  zip.outputStream.pipe(archive)
  addAll(zip, entries, closed)
    .then(() => zip.end())
    .catch(error => archive.destroy(error))
  return archive
}

async function addAll(zip: ZipFile, entries: AsyncIterable<ZipEntry>, closed: Promise<unknown>): Promise<void> {
  for await (const { name, modifiedAt, content } of entries) {
    const stream = Readable.from(Buffer.isBuffer(content) ? [content] : content, { objectMode: false })
    zip.addReadStream(stream, name, { mtime: modifiedAt })
    const givenUp = closed.then(() => Promise.reject(new Error('The archive was given up.')))
    await Promise.race([once(stream, 'end'), givenUp]).finally(() => stream.destroy())
  }
}

import { Readable } from 'node:stream'
import { ZipThread } from './thread.ts'

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
  let thread: ZipThread | undefined
  const givenUp = new AbortController()
  const archive: Readable = new Readable({
    construct: ready => {
      ZipThread.start({
        onBytes: bytes => archive.push(bytes),
        onEnd: () => archive.push(null),
        onFailure: error => archive.destroy(error),
      })
        .then(started => {
          thread = started
          ready()
          return addAll(started, entries, givenUp.signal)
        })
        .catch(error => archive.destroy(error))
    },
    read: () => thread?.more(),
    destroy: (error, done) => {
      givenUp.abort()
      thread?.close()
      done(error)
    },
  })
  return archive
}

async function addAll(thread: ZipThread, entries: AsyncIterable<ZipEntry>, signal: AbortSignal): Promise<void> {
  for await (const { name, modifiedAt, content } of entries) {
    if (Buffer.isBuffer(content)) {
      await thread.take({ kind: 'entry', name, modifiedAt, content })
      continue
    }
    await thread.take({ kind: 'entry', name, modifiedAt, content: undefined })
    // A stream ends with the signal, also while it waits for its source.
    for await (const piece of Readable.from(content, { objectMode: false, signal })) {
      await thread.take({ kind: 'piece', content: piece })
    }
    await thread.take({ kind: 'entry-end' })
  }
  await thread.take({ kind: 'archive-end' })
}

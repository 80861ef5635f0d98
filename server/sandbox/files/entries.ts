import type { Readable } from 'node:stream'
import { type Extract, extract } from 'tar-stream'

/** The entries of a tar as it comes, to be read to the end. What cuts the archive off fails them, and never stays open. */
export function entriesOf(archive: Readable): Extract {
  const entries = extract()
  // A reader that has left gets no error: without a listener it would end the service.
  entries.on('error', () => {})
  archive.on('error', error => entries.destroy(error))
  archive.on('close', () => archive.readableEnded || entries.destroy(new Error('The archive was cut off.')))
  archive.pipe(entries)
  return entries
}

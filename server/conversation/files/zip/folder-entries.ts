import type { Readable } from 'node:stream'
import { entriesOf } from '../../../sandbox/files/entries.ts'
import type { ZipEntry } from './zip.ts'

/** The files of a tar, without the folder that they are in. Links are left out: a ZIP archive has no word for them. */
export async function* folderEntries(archive: Readable): AsyncGenerator<ZipEntry> {
  try {
    for await (const entry of entriesOf(archive)) {
      const name = entry.header.name.split('/').slice(1).join('/')
      if (entry.header.type !== 'file' || name === '') {
        entry.resume()
        continue
      }
      yield {
        name: unpackable(name),
        modifiedAt: entry.header.mtime ?? new Date(),
        content: entry as AsyncIterable<Buffer>,
      }
    }
  } finally {
    // The engine keeps the container locked until its archive was read or refused.
    archive.destroy()
  }
}

/** On Windows a backslash divides folders and `C:` names a drive: an archive must not be unpacked outside of its place. */
function unpackable(name: string): string {
  return name.replaceAll('\\', '_').replace(/^([A-Za-z]):/, '$1_')
}

import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { type Entry, fromBuffer, type Options, type ZipFile } from 'yauzl'

const LOCAL_HEADER = 0x04034b50
const open = promisify<Buffer, Options, ZipFile>(fromBuffer)

/** https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, 4.3.7 */
export function isArchive(bytes: Buffer): boolean {
  return bytes.length > 4 && bytes.readUInt32LE(0) === LOCAL_HEADER
}

/**
 * The texts of the JSON files in a ZIP archive, by name, in the archive's order.
 * @param maxBytes of text in all: an archive can hold far more than it weighs
 * @throws Error in words for a person
 */
export async function readArchive(bytes: Buffer, maxBytes: number): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  let left = maxBytes
  try {
    const archive = await open(bytes, { lazyEntries: true })
    for await (const entry of entriesOf(archive)) {
      if (!entry.fileName.endsWith('.json')) continue
      // What an entry says of its size is checked while it is read.
      left -= entry.uncompressedSize
      if (left < 0) throw new TooLong()
      found.set(entry.fileName, await textOf(archive, entry))
    }
  } catch (error) {
    if (error instanceof TooLong) throw error
    throw new Error('The ZIP archive is damaged, or is not complete.', { cause: error })
  }
  return found
}

class TooLong extends Error {
  override message = 'The archive unpacks to more than a log may have.'
}

async function* entriesOf(archive: ZipFile): AsyncGenerator<Entry> {
  for (;;) {
    const entry = await new Promise<Entry | null>((resolve, reject) => {
      archive.once('entry', resolve)
      archive.once('end', () => resolve(null))
      archive.once('error', reject)
      archive.readEntry()
    })
    archive.removeAllListeners()
    if (entry === null) return
    yield entry
  }
}

async function textOf(archive: ZipFile, entry: Entry): Promise<string> {
  const content = await promisify(archive.openReadStream.bind(archive))(entry)
  return (await buffer(content)).toString()
}

import { t } from './text.ts'

/** A file in a ZIP archive. https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT */
interface Entry {
  name: string
  method: number
  packedSize: number
  /** Of its local header. */
  offset: number
}

const END = 0x06054b50
const END_LENGTH = 22
const MAX_COMMENT_LENGTH = 0xffff
const ENTRY = 0x02014b50
const LOCAL = 0x04034b50
const STORED = 0
const DEFLATED = 8

export function isZip(bytes: Uint8Array): boolean {
  return bytes.length > END_LENGTH && viewOf(bytes).getUint32(0, true) === LOCAL
}

/**
 * The texts of the files whose names are wanted, by name, in the archive's order.
 * @param most bytes of text in all: an archive can hold far more than it weighs
 * @throws Error in words for a person
 */
export async function readZip(
  bytes: Uint8Array,
  wanted: (name: string) => boolean,
  most: number,
): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  let left = most
  for (const entry of entriesOf(bytes)) {
    if (!wanted(entry.name)) continue
    const content = await contentOf(bytes, entry, left)
    left -= content.length
    found.set(entry.name, new TextDecoder().decode(content))
  }
  return found
}

function entriesOf(bytes: Uint8Array): Entry[] {
  const view = viewOf(bytes)
  const end = endOf(view)
  const entries: Entry[] = []
  let at = view.getUint32(end + 16, true)
  for (let left = view.getUint16(end + 10, true); left > 0; left--) {
    if (at + 46 > view.byteLength || view.getUint32(at, true) !== ENTRY) throw broken()
    const nameLength = view.getUint16(at + 28, true)
    entries.push({
      name: new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength)),
      method: view.getUint16(at + 10, true),
      packedSize: view.getUint32(at + 20, true),
      offset: view.getUint32(at + 42, true),
    })
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  return entries
}

/** It stands at the very end, but for a comment. */
function endOf(view: DataView): number {
  const first = Math.max(0, view.byteLength - END_LENGTH - MAX_COMMENT_LENGTH)
  for (let at = view.byteLength - END_LENGTH; at >= first; at--) if (view.getUint32(at, true) === END) return at
  throw broken()
}

async function contentOf(bytes: Uint8Array, entry: Entry, most: number): Promise<Uint8Array> {
  const view = viewOf(bytes)
  const { offset, packedSize, method } = entry
  if (offset + 30 > view.byteLength || view.getUint32(offset, true) !== LOCAL) throw broken()
  const start = offset + 30 + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true)
  if (start + packedSize > bytes.length || (method !== STORED && method !== DEFLATED)) throw broken()
  const packed = new Blob([bytes.slice(start, start + packedSize)])
  const stream = method === STORED ? packed.stream() : packed.stream().pipeThrough(inflater())
  return collected(stream, most)
}

function inflater(): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  return new DecompressionStream('deflate-raw')
}

async function collected(stream: ReadableStream<Uint8Array>, most: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  const reader = stream.getReader()
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw broken()
    })
    if (done) break
    length += value.length
    if (length > most) {
      await reader.cancel()
      throw new Error(t('archiveTooLarge'))
    }
    chunks.push(value)
  }
  const all = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    all.set(chunk, at)
    at += chunk.length
  }
  return all
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function broken(): Error {
  return new Error(t('archiveDamaged'))
}

import { Readable } from 'node:stream'
import { crc32, createDeflateRaw } from 'node:zlib'

export interface ZipEntry {
  /** With slashes, relative. */
  name: string
  modifiedAt: Date
  content: AsyncIterable<Buffer>
}

/** Sizes come after the content (bit 3), names are UTF-8 (bit 11). https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT */
const FLAGS = 0x0808
const DEFLATED = 8
const VERSION = 20
/** Without the 64-bit extension, nothing may lie beyond. */
const LIMIT = 0xffff_ffff
const MAX_ENTRIES = 0xffff

/** A ZIP archive as it is read, piece by piece; never more than one piece in memory. */
export function zipStream(entries: AsyncIterable<ZipEntry>): Readable {
  return Readable.from(pieces(entries))
}

interface Written {
  name: Buffer
  offset: number
  fixed: Buffer
  sums: Buffer
}

async function* pieces(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Buffer> {
  const written: Written[] = []
  let offset = 0
  for await (const entry of entries) {
    if (written.length === MAX_ENTRIES) throw new Error('A ZIP archive holds at most 65535 files.')
    const name = Buffer.from(entry.name)
    const fixed = fixedFields(entry.modifiedAt)
    const head = Buffer.concat([
      uint32(0x04034b50),
      uint16(VERSION),
      fixed,
      Buffer.alloc(12),
      uint16(name.length, 0),
      name,
    ])
    const start = offset
    yield head
    offset += head.length
    const sums = { crc: 0, size: 0, packed: 0 }
    for await (const piece of deflated(entry.content, sums)) {
      yield piece
      offset += piece.length
    }
    const trailer = uint32(sums.crc, sums.packed, sums.size)
    yield Buffer.concat([uint32(0x08074b50), trailer])
    offset += 4 + trailer.length
    if (offset > LIMIT) throw new Error('The archive would be larger than 4 GiB.')
    written.push({ name, offset: start, fixed, sums: trailer })
  }
  yield directory(written, offset)
}

async function* deflated(
  content: AsyncIterable<Buffer>,
  sums: { crc: number; size: number; packed: number },
): AsyncGenerator<Buffer> {
  const source = async function* () {
    for await (const chunk of content) {
      sums.crc = crc32(chunk, sums.crc)
      sums.size += chunk.length
      yield chunk
    }
  }
  const input = Readable.from(source())
  const packer = createDeflateRaw({ level: 6 })
  input.on('error', error => packer.destroy(error))
  for await (const piece of input.pipe(packer) as AsyncIterable<Buffer>) {
    sums.packed += piece.length
    yield piece
  }
}

function directory(written: readonly Written[], offset: number): Buffer {
  const records = written.map(({ name, fixed, sums, offset: start }) =>
    Buffer.concat([
      uint32(0x02014b50),
      uint16(VERSION, VERSION),
      fixed,
      sums,
      uint16(name.length, 0, 0, 0, 0),
      uint32(0, start),
      name,
    ]),
  )
  const size = records.reduce((sum, record) => sum + record.length, 0)
  const end = [uint32(0x06054b50), uint16(0, 0, records.length, records.length), uint32(size, offset), uint16(0)]
  return Buffer.concat([...records, ...end])
}

/** Flags, method, time and date as DOS wrote them. */
function fixedFields(date: Date): Buffer {
  const year = Math.min(Math.max(date.getUTCFullYear(), 1980), 2107)
  const time = (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1)
  const day = ((year - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate()
  return uint16(FLAGS, DEFLATED, time, day)
}

function uint16(...values: number[]): Buffer {
  const buffer = Buffer.alloc(values.length * 2)
  for (const [index, value] of values.entries()) buffer.writeUInt16LE(value, index * 2)
  return buffer
}

function uint32(...values: number[]): Buffer {
  const buffer = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) buffer.writeUInt32LE(value, index * 4)
  return buffer
}

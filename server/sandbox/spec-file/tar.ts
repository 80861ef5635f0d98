/**
 * Tar files of regular files alone, as they are streamed: https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html#tag_20_94_13_06.
 * What a stranger wrote is read with it, so nothing that the format could say beside a name and a size is taken: no links,
 * no folders, and no headers of any length that a reader would have to keep.
 */

const BLOCK = 512
const NAME_BYTES = 100
const SIZE = { start: 124, end: 136 }
const CHECKSUM = { start: 148, end: 156 }
const TYPE = 156
const MAGIC = { start: 257, text: 'ustar' }
/** The first bit of a size that does not fit into eleven octal digits. */
const BINARY = 0x80

export interface TarFile {
  name: string
  size: number
  content: AsyncIterable<Buffer>
}

/** It is no tar, has more than regular files, or ends before it is over. */
export class TarProblem extends Error {}

export async function* writeTar(files: AsyncIterable<TarFile>): AsyncGenerator<Buffer, void, undefined> {
  for await (const { name, size, content } of files) {
    yield header(name, size)
    let left = size
    for await (const chunk of content) {
      left -= chunk.length
      if (left < 0) break
      yield chunk
    }
    if (left !== 0) throw new TarProblem(`${name} is not as long as it says`)
    yield Buffer.alloc(padding(size))
  }
  yield Buffer.alloc(2 * BLOCK)
}

/** The content of a file can be read until the next one is asked for; what was not read is passed over. */
export async function* readTar(source: AsyncIterable<Buffer>): AsyncGenerator<TarFile, void, undefined> {
  const bytes = new Bytes(source)
  try {
    for (;;) {
      const block = await bytes.whole(BLOCK)
      if (block.every(byte => byte === 0)) return
      const { name, size } = parseHeader(block)
      const content = contentOf(bytes, size)
      yield { name, size, content }
      for await (const _unread of content);
      await bytes.whole(padding(size))
    }
  } finally {
    await bytes.close()
  }
}

/** The same generator each time: a reader who stops goes on later. */
function contentOf(bytes: Bytes, size: number): AsyncIterable<Buffer> {
  let left = size
  return {
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        if (left === 0) return { done: true, value: undefined }
        const chunk = await bytes.some(left)
        left -= chunk.length
        return { done: false, value: chunk }
      },
    }),
  }
}

function header(name: string, size: number): Buffer {
  const block = Buffer.alloc(BLOCK)
  if (Buffer.byteLength(name) > NAME_BYTES) throw new TarProblem(`${name} is too long a name`)
  block.write(name, 0)
  block.write('0000644\0', 100)
  block.write('0000000\0', 108)
  block.write('0000000\0', 116)
  writeSize(block.subarray(SIZE.start, SIZE.end), size)
  block.write('00000000000\0', 136)
  block.write('0', TYPE)
  block.write(`${MAGIC.text}\0${'00'}`, MAGIC.start)
  block.write(`${checksum(block).toString(8).padStart(6, '0')}\0 `, CHECKSUM.start)
  return block
}

function parseHeader(block: Buffer): { name: string; size: number } {
  const magic = block.toString('latin1', MAGIC.start, MAGIC.start + MAGIC.text.length)
  const stored = Number.parseInt(textIn(block, CHECKSUM.start, CHECKSUM.end), 8)
  if (magic !== MAGIC.text || stored !== checksum(block)) throw new TarProblem('there is no header of a file')
  // A file, in the words of two generations of the format.
  if (block[TYPE] !== 0x30 && block[TYPE] !== 0) throw new TarProblem('there is more than files')
  return { name: textIn(block, 0, NAME_BYTES), size: readSize(block.subarray(SIZE.start, SIZE.end)) }
}

function textIn(block: Buffer, start: number, end: number): string {
  return block.toString('utf8', start, end).replace(/\0.*$/s, '')
}

/** Of all bytes of the header, its own taken as blanks. */
function checksum(block: Buffer): number {
  return block.reduce((sum, byte, index) => sum + (index >= CHECKSUM.start && index < CHECKSUM.end ? 0x20 : byte), 0)
}

function writeSize(field: Buffer, size: number): void {
  if (size < 8 ** 11) {
    field.write(`${size.toString(8).padStart(11, '0')}\0`)
    return
  }
  field[0] = BINARY
  field.writeUIntBE(size, field.length - 6, 6)
}

function readSize(field: Buffer): number {
  const isBinary = (field[0] ?? 0) === BINARY && field.subarray(1, 6).every(byte => byte === 0)
  const text = textIn(field, 0, field.length).trim()
  if (isBinary) return field.readUIntBE(field.length - 6, 6)
  if (!/^[0-7]{1,12}$/.test(text)) throw new TarProblem('a size is no number')
  return Number.parseInt(text, 8)
}

function padding(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK
}

/** A stream that is taken in pieces of a wanted length. */
class Bytes {
  readonly #source: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  /** At least one byte. @throws TarProblem at the end */
  async some(limit: number): Promise<Buffer> {
    while (this.#rest.length === 0) {
      const { done, value } = await this.#source.next()
      if (done) throw new TarProblem('it ends before it is over')
      this.#rest = value
    }
    const chunk = this.#rest.subarray(0, limit)
    this.#rest = this.#rest.subarray(chunk.length)
    return chunk
  }

  /** For short pieces, which are kept. */
  async whole(length: number): Promise<Buffer> {
    const chunks: Buffer[] = []
    for (let left = length; left > 0; ) {
      const chunk = await this.some(left)
      chunks.push(chunk)
      left -= chunk.length
    }
    return Buffer.concat(chunks)
  }

  async close(): Promise<void> {
    await this.#source.return?.()
  }
}

import { damagedFile } from './description.ts'

/**
 * The headers of a layer as they stream by, read in the way of the engines (Go's archive/tar). A sparse file takes a few bytes in a
 * layer and is as large as it says on the engine's disk, where no quota stops it; no engine writes one. What engines could read
 * otherwise than this does is refused too, since it could hide such a file.
 */

const BLOCK = 512
const SIZE = { start: 124, end: 136 }
const CHECKSUM = { start: 148, end: 156 }
const TYPE = 156
/** Go's own bound. */
const MAX_PAX_BYTES = 1024 * 1024
/** Links, devices, folders and pipes: nothing follows them, whatever size they say. */
const WITHOUT_CONTENT = '123456'

export class LayerHeaders {
  readonly #block = Buffer.alloc(BLOCK)
  #filled = 0
  /** Bytes that follow the last header, with what fills up their last block. */
  #toSkip = 0
  #pax: { left: number; padding: number; chunks: Buffer[]; isGlobal: boolean } | undefined
  /** That the next header has, instead of its own. */
  #size: number | undefined
  /** The next header has a name from before it. */
  #isNamed = false
  #zeros = 0

  /** @throws AppError bad_request */
  add(bytes: Buffer): void {
    // Two blocks of zeros are the end, whatever follows.
    for (let at = 0; at < bytes.length && this.#zeros < 2; ) {
      const left = bytes.length - at
      if (this.#pax && this.#pax.left > 0) {
        const taken = Math.min(left, this.#pax.left)
        // The chunk may be memory that is used again.
        this.#pax.chunks.push(Buffer.from(bytes.subarray(at, at + taken)))
        this.#pax.left -= taken
        at += taken
        if (this.#pax.left === 0) this.#endPax(this.#pax)
      } else if (this.#toSkip > 0) {
        const taken = Math.min(left, this.#toSkip)
        this.#toSkip -= taken
        at += taken
      } else {
        const taken = Math.min(left, BLOCK - this.#filled)
        bytes.copy(this.#block, this.#filled, at, at + taken)
        this.#filled += taken
        at += taken
        if (this.#filled === BLOCK) this.#header()
      }
    }
  }

  #header(): void {
    const block = this.#block
    this.#filled = 0
    if (block.every(byte => byte === 0)) {
      this.#zeros++
      return
    }
    if (this.#zeros > 0 || !hasChecksum(block)) throw damagedFile('a layer is no archive')
    const type = String.fromCharCode(block[TYPE] ?? 0)
    const own = numberIn(block.subarray(SIZE.start, SIZE.end))
    switch (type) {
      case 'x':
      case 'g':
        this.#beginPax(own, type === 'g')
        return
      case 'L':
      case 'K':
        this.#isNamed = true
        this.#toSkip = own + padding(own)
        return
      case 'S':
        throw sparse()
      default: {
        const size = this.#size ?? own
        // A folder in the oldest form, for which an engine would expect no content.
        const isOld = type === '\0' && size > 0
        if (isOld && (this.#isNamed || /\/\0*$/.test(block.toString('latin1', 0, 100).replace(/\0.*$/s, '')))) {
          throw damagedFile('a layer has entries of an unknown kind')
        }
        this.#toSkip = WITHOUT_CONTENT.includes(type) ? 0 : size + padding(size)
        this.#size = undefined
        this.#isNamed = false
      }
    }
  }

  #beginPax(size: number, isGlobal: boolean): void {
    if (size > MAX_PAX_BYTES) throw damagedFile('a layer has too long a header')
    if (!isGlobal) this.#size = undefined
    if (size > 0) this.#pax = { left: size, padding: padding(size), chunks: [], isGlobal }
  }

  #endPax({ padding: fill, chunks, isGlobal }: { padding: number; chunks: Buffer[]; isGlobal: boolean }): void {
    this.#pax = undefined
    this.#toSkip = fill
    for (const [name, value] of recordsIn(Buffer.concat(chunks))) {
      if (name.startsWith('GNU.sparse')) throw sparse()
      if (name === 'path') this.#isNamed = true
      if (name !== 'size') continue
      if (isGlobal || !/^\d{0,15}$/.test(value)) throw damagedFile('a layer says an unknown size')
      this.#size = value === '' ? undefined : Number(value)
    }
  }
}

/** Each is `<its length> <name>=<value>` and the end of a line. */
function* recordsIn(bytes: Buffer): Generator<[name: string, value: string]> {
  for (let at = 0; at < bytes.length; ) {
    const digits = /^(\d{1,7}) /.exec(bytes.toString('latin1', at, at + 8))?.[1]
    const end = at + Number(digits)
    const record = digits === undefined ? '' : bytes.toString('latin1', at + digits.length + 1, end)
    const equals = record.indexOf('=')
    if (end > bytes.length || equals < 1 || !record.endsWith('\n')) throw damagedFile('a layer has an unknown header')
    yield [record.slice(0, equals), record.slice(equals + 1, -1)]
    at = end
  }
}

/** Old programs summed up signed bytes. */
function hasChecksum(block: Buffer): boolean {
  const stored = numberIn(block.subarray(CHECKSUM.start, CHECKSUM.end))
  let unsigned = 0
  let signed = 0
  for (const [index, byte] of block.entries()) {
    const counted = index >= CHECKSUM.start && index < CHECKSUM.end ? 0x20 : byte
    unsigned += counted
    signed += counted > 127 ? counted - 256 : counted
  }
  return stored === unsigned || stored === signed
}

function numberIn(field: Buffer): number {
  const isBinary = field.length > 8 && field[0] === 0x80 && field.subarray(1, 6).every(byte => byte === 0)
  if (isBinary) return field.readUIntBE(field.length - 6, 6)
  const text = field.toString('latin1').replace(/^[ \0]+|[ \0]+$/g, '')
  // Zeros within would end the number for some, and not for others.
  if (!/^[0-7]*$/.test(text)) throw damagedFile('a layer says an unknown size')
  return text === '' ? 0 : Number.parseInt(text, 8)
}

function padding(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK
}

function sparse() {
  return damagedFile('a layer has a file that is larger than its content')
}

/** D-Bus marshalling: writing is little-endian, reading follows the sender. Everything is aligned to its own size. */

export class Writer {
  readonly #parts: Buffer[] = []
  length = 0

  raw(part: Buffer): void {
    this.#parts.push(part)
    this.length += part.length
  }
  align(size: number): void {
    this.raw(Buffer.alloc(padding(this.length, size)))
  }
  uint32(value: number): void {
    this.align(4)
    const part = Buffer.alloc(4)
    part.writeUInt32LE(value)
    this.raw(part)
  }
  int64(value: number): void {
    this.align(8)
    const part = Buffer.alloc(8)
    part.writeBigInt64LE(BigInt(value))
    this.raw(part)
  }
  text(value: string): void {
    this.uint32(Buffer.byteLength(value))
    this.raw(Buffer.from(`${value}\0`))
  }
  signature(value: string): void {
    this.raw(Buffer.from([value.length]))
    this.raw(Buffer.from(`${value}\0`))
  }
  field(code: number, type: 's' | 'o' | 'g', value: string): void {
    this.align(8)
    this.raw(Buffer.from([code]))
    this.signature(type)
    if (type === 'g') this.signature(value)
    else this.text(value)
  }
  buffer(): Buffer {
    return Buffer.concat(this.#parts)
  }
}

export class Reader {
  readonly #bytes: Buffer
  readonly #little: boolean
  #at = 0
  constructor(bytes: Buffer, little: boolean) {
    this.#bytes = bytes
    this.#little = little
  }
  get atEnd(): boolean {
    return this.#at >= this.#bytes.length
  }
  align(size: number): void {
    this.#at += padding(this.#at, size)
  }
  byte(): number {
    const value = this.#bytes.readUInt8(this.#at)
    this.#at += 1
    return value
  }
  value(type: string): string | boolean | number | undefined {
    if (type.startsWith('v')) return this.value(this.#text(this.byte()))
    if (type.startsWith('s') || type.startsWith('o')) return this.#text(this.#uint32())
    if (type.startsWith('g')) return this.#text(this.byte())
    if (type.startsWith('b')) return this.#uint32() !== 0
    if (type.startsWith('u')) return this.#uint32()
    return undefined
  }
  #uint32(): number {
    this.align(4)
    const value = this.#little ? this.#bytes.readUInt32LE(this.#at) : this.#bytes.readUInt32BE(this.#at)
    this.#at += 4
    return value
  }
  #text(length: number): string {
    const text = this.#bytes.toString('utf8', this.#at, this.#at + length)
    this.#at += length + 1
    return text
  }
}

export function padding(length: number, size: number): number {
  return (size - (length % size)) % size
}

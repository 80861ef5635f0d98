/** D-Bus marshalling: writing is little-endian, reading follows the sender. Everything is aligned to its own size. */

/** Text for `s`, `o` and `g`, a boolean for `b`, a number for `u`, texts for `as`, what is inside for `v`; undefined for the rest. */
export type Value = string | boolean | number | string[] | undefined

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
  /** What is inside was written by itself, from a place that is aligned as it is here. */
  array(inside: Writer, alignment: 4 | 8): void {
    this.uint32(inside.length)
    this.align(alignment)
    this.raw(inside.buffer())
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
  /** One after the other, up to the first whose type is not known. */
  values(signature: string): Value[] {
    const types = /^(?:as|[sogbuv])*/.exec(signature)?.[0].match(/as|[sogbuv]/g) ?? []
    return types.map(type => this.value(type))
  }
  value(type: string): Value {
    if (type.startsWith('as')) return this.#texts()
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
  #texts(): string[] {
    const end = this.#uint32() + this.#at
    const texts: string[] = []
    while (this.#at < end) texts.push(this.#text(this.#uint32()))
    return texts
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

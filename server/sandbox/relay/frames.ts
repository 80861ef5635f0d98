/**
 * The frames between the service and the relay of a sandbox, over the input and output of one process: a byte for the
 * kind, the number of the connection, the length of the content (both unsigned, 32 bits, big-endian), and the content.
 */
export const FRAME = {
  /** To the relay: a port and, behind spaces, the names or addresses to try in turn. */
  open: 1,
  opened: 2,
  /** No connection: the name of the error, as POSIX has it, or `UNKNOWN_NAME`. */
  failed: 3,
  data: 4,
  /** Nothing more comes from this side. */
  end: 5,
  /** The connection is gone, in both directions. */
  reset: 6,
  /** How many bytes of content were taken: 32 bits. Nobody is sent more than `WINDOW` beyond what they took. */
  taken: 7,
} as const
export type FrameKind = (typeof FRAME)[keyof typeof FRAME]

export interface Frame {
  kind: number
  connection: number
  content: Buffer
}

/** Where a name has no address. */
export const UNKNOWN_NAME = 'ENOTFOUND'

/** Bytes of a connection that may be under way. */
export const WINDOW = 256 * 1024
export const MAX_CONTENT = 64 * 1024

const HEAD = 9

export function frame(kind: FrameKind, connection: number, content: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(HEAD)
  head.writeUInt8(kind, 0)
  head.writeUInt32BE(connection, 1)
  head.writeUInt32BE(content.length, 5)
  return Buffer.concat([head, content])
}

/** Puts frames together again from chunks of any size. @throws RangeError for one that is too long */
export class FrameReader {
  #rest: Buffer = Buffer.alloc(0)

  push(chunk: Buffer): Frame[] {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    const frames: Frame[] = []
    while (this.#rest.length >= HEAD) {
      const length = this.#rest.readUInt32BE(5)
      if (length > MAX_CONTENT) throw new RangeError(`A frame of ${length} bytes.`)
      if (this.#rest.length < HEAD + length) break
      const content = this.#rest.subarray(HEAD, HEAD + length)
      frames.push({ kind: this.#rest.readUInt8(0), connection: this.#rest.readUInt32BE(1), content })
      this.#rest = this.#rest.subarray(HEAD + length)
    }
    return frames
  }
}

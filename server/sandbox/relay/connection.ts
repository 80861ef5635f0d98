import { Duplex } from 'node:stream'
import { type Destination, PortClosed } from '../../domain/port-closed.ts'
import { FRAME, type Frame, type FrameKind, MAX_CONTENT, UNKNOWN_NAME, WINDOW } from './frames.ts'

/** One connection into a sandbox, as a stream of bytes. */
export class RelayedConnection extends Duplex {
  /** Resolves when the other side has answered. @throws PortClosed */
  readonly opened: Promise<void>
  readonly #destination: Destination
  readonly #send: (kind: FrameKind, content?: Buffer) => void
  #settle: { resolve: () => void; reject: (error: Error) => void } | undefined
  /** How much may be sent. */
  #credit = WINDOW
  #onCredit = () => {}
  /** What was received and is not known to be taken. */
  #received = 0
  #isOver = false
  /** Which of the two directions have ended. */
  readonly #ended = { incoming: false, outgoing: false }

  constructor(destination: Destination, send: (kind: FrameKind, content?: Buffer) => void) {
    super({ allowHalfOpen: true })
    this.#destination = destination
    this.#send = send
    this.opened = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject }
    })
    this.opened.catch(() => {})
  }

  /** @throws RangeError for what no relay sends */
  receive({ kind, content }: Frame): void {
    switch (kind) {
      case FRAME.opened:
        return this.#settle?.resolve()
      case FRAME.failed:
        return this.#end(failureOf(this.#destination, content.toString()))
      case FRAME.data:
        this.#received += content.length
        if (this.#received > WINDOW) throw new RangeError('More than was asked for.')
        this.push(content)
        return
      case FRAME.end:
        this.#ended.incoming = true
        this.push(null)
        return
      case FRAME.reset:
        return this.#end(new Error('The program in the sandbox has broken the connection off.'))
      case FRAME.taken:
        this.#credit += content.readUInt32BE(0)
        return this.#onCredit()
    }
  }

  /** The way to the sandbox is gone. */
  lose(error: Error): void {
    this.#end(error)
  }

  #end(error: Error): void {
    this.#isOver = true
    this.#settle?.reject(error)
    this.destroy(error)
  }

  override _read(): void {
    if (this.#received === 0) return
    const taken = Buffer.alloc(4)
    taken.writeUInt32BE(this.#received)
    this.#received = 0
    this.#send(FRAME.taken, taken)
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: () => void): void {
    const size = Math.min(chunk.length, this.#credit, MAX_CONTENT)
    if (size > 0) {
      this.#credit -= size
      this.#send(FRAME.data, chunk.subarray(0, size))
    }
    if (size === chunk.length) return callback()
    const rest = () => this._write(chunk.subarray(size), _encoding, callback)
    if (this.#credit > 0) return rest()
    this.#onCredit = () => {
      this.#onCredit = () => {}
      rest()
    }
  }

  override _final(callback: () => void): void {
    this.#ended.outgoing = true
    this.#send(FRAME.end)
    callback()
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#settle?.reject(error ?? new Error('The connection was given up.'))
    const isWhole = this.#ended.incoming && this.#ended.outgoing
    if (!this.#isOver && !isWhole) this.#send(FRAME.reset)
    this.#isOver = true
    callback(error)
  }
}

function failureOf(destination: Destination, code: string): PortClosed {
  return new PortClosed(destination, wordsOf(destination, code))
}

function wordsOf({ host }: Destination, code: string): string {
  if (code === UNKNOWN_NAME) return 'Its name is not known in the sandbox.'
  if (code !== 'ECONNREFUSED') return `It does not answer (${code}).`
  return host === null ? 'Nothing listens there.' : 'Nothing listens there, or the sandbox may not reach it.'
}

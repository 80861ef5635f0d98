import type { WebSocket } from 'ws'
import type { LaunchMode } from './launch.ts'

const CHANNEL = { stdin: 0, resize: 4 } as const
const MAX_FRAME_BYTES = 256 * 1024

/** What goes to a process, in the form that what has launched it reads. */
export class ProcessInput {
  readonly #socket: WebSocket
  readonly #mode: LaunchMode
  #isOver = false
  /** So many bytes were sent. */
  sentBytes = 0

  constructor(socket: WebSocket, mode: LaunchMode) {
    this.#socket = socket
    this.#mode = mode
  }

  /** Resolves when the bytes are handed over; a process that has ended takes none, which is no error. */
  async write(data: string | Buffer): Promise<void> {
    const bytes = Buffer.from(data)
    for (let at = 0; at < bytes.length && !this.#isOver; at += MAX_FRAME_BYTES) {
      const piece = bytes.subarray(at, at + MAX_FRAME_BYTES)
      await this.send(...(this.#mode === 'framed' ? [Buffer.from(`${piece.length}\n`)] : []), piece)
    }
  }

  end(): void {
    if (this.#mode === 'framed' && !this.#isOver) void this.send(Buffer.from('0\n'))
  }

  /** The process has ended: nobody takes more. */
  finish(): void {
    if (this.#isOver) return
    this.#isOver = true
    if (this.#mode === 'framed') void this.send(Buffer.from('end\n'))
  }

  send(...content: Buffer[]): Promise<void> {
    return this.#put(CHANNEL.stdin, ...content)
  }

  resize({ cols, rows }: { cols: number; rows: number }): Promise<void> {
    return this.#put(CHANNEL.resize, Buffer.from(JSON.stringify({ Width: cols, Height: rows })))
  }

  #put(channel: number, ...content: Buffer[]): Promise<void> {
    const message = Buffer.concat([Buffer.from([channel]), ...content])
    this.sentBytes += message.length
    return new Promise(resolve => {
      if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(message, () => resolve())
      else resolve()
    })
  }
}

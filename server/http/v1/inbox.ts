import type { WebSocket } from 'ws'
import { BOUNDS } from '../../domain/bounds.ts'
import { FrameRate } from '../sockets/frame-rate.ts'
import { CLOSE_CODES } from '../sockets/socket-protocol.ts'

/** Nobody sends this much before an answer; one without a key must not fill the memory. */
const MAX_WAITING = 16

interface Frame {
  data: Buffer
  isBinary: boolean
}

/** Frames from a client, kept in order until somebody wants them: some follow the authentication in the same packet. */
export class Inbox {
  readonly #socket: WebSocket
  #waiting: Frame[] = []
  #waitingLength = 0
  #handler: ((frame: Frame) => void) | undefined

  constructor(socket: WebSocket) {
    this.#socket = socket
    const rate = new FrameRate()
    socket.on('message', (data: Buffer, isBinary) => {
      if (socket.readyState !== socket.OPEN) return
      if (!rate.allows()) return socket.close(CLOSE_CODES.tooMany, 'Too many frames')
      if (this.#handler) return this.#handler({ data, isBinary })
      this.#waitingLength += data.length
      const waiting = this.#waiting.push({ data, isBinary })
      if (waiting > MAX_WAITING || this.#waitingLength > BOUNDS.socketFrame.limit) socket.terminate()
    })
  }

  /** The first frame; empty when none comes in time, or the client goes. */
  first(timeoutMs: number): Promise<string> {
    return new Promise(resolve => {
      const finish = (text: string) => {
        clearTimeout(timer)
        this.#socket.off('message', look)
        this.#socket.off('close', giveUp)
        resolve(text)
      }
      const look = () => finish(String(this.#waiting.shift()?.data ?? ''))
      const giveUp = () => finish('')
      const timer = setTimeout(giveUp, timeoutMs)
      this.#socket.on('message', look)
      this.#socket.on('close', giveUp)
    })
  }

  /** @param onBytes for binary frames, which are text to those who expect none */
  handle(onText: (text: string) => void, onBytes: (bytes: Buffer) => void = bytes => onText(String(bytes))): void {
    const handler = ({ data, isBinary }: Frame) => (isBinary ? onBytes(data) : onText(String(data)))
    this.#handler = handler
    const waiting = this.#waiting
    this.#waiting = []
    for (const frame of waiting) handler(frame)
  }
}

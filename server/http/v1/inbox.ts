import type { WebSocket } from 'ws'
import { BOUNDS } from '../../domain/bounds.ts'
import { FrameRate } from '../sockets/frame-rate.ts'
import { CLOSE_CODES } from '../sockets/socket-protocol.ts'

/** Nobody sends this much before an answer; one without a key must not fill the memory. */
const MAX_WAITING = 16

/** Frames from a client, kept in order until somebody wants them: some follow the authentication in the same packet. */
export class Inbox {
  readonly #socket: WebSocket
  #waiting: string[] = []
  #waitingLength = 0
  #handler: ((text: string) => void) | undefined

  constructor(socket: WebSocket) {
    this.#socket = socket
    const rate = new FrameRate()
    socket.on('message', data => {
      if (socket.readyState !== socket.OPEN) return
      if (!rate.allows()) return socket.close(CLOSE_CODES.tooMany, 'Too many frames')
      const text = String(data)
      if (this.#handler) return this.#handler(text)
      this.#waitingLength += text.length
      const waiting = this.#waiting.push(text)
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
      const look = () => finish(this.#waiting.shift() ?? '')
      const giveUp = () => finish('')
      const timer = setTimeout(giveUp, timeoutMs)
      this.#socket.on('message', look)
      this.#socket.on('close', giveUp)
    })
  }

  handle(handler: (text: string) => void): void {
    this.#handler = handler
    const waiting = this.#waiting
    this.#waiting = []
    for (const text of waiting) handler(text)
  }
}

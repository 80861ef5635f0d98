import type { WebSocket } from 'ws'
import { CLOSE_CODES } from './socket-protocol.ts'

const MAX_SUBSCRIBERS = 50
/** A subscriber with this much unsent data is dropped rather than kept in memory. */
const MAX_UNSENT_BYTES = 8 * 1024 * 1024

/** The sockets on each conversation, so many at most. */
export class Subscribers {
  readonly #counts = new Map<string, number>()

  /** Counts the socket until it closes. @returns false, with the socket closed, when there are too many */
  join(socket: WebSocket, topic: string): boolean {
    const count = this.#counts.get(topic) ?? 0
    if (count >= MAX_SUBSCRIBERS) {
      socket.close(CLOSE_CODES.tooMany, 'Too many subscribers')
      return false
    }
    this.#counts.set(topic, count + 1)
    socket.on('close', () => {
      const left = (this.#counts.get(topic) ?? 1) - 1
      if (left > 0) this.#counts.set(topic, left)
      else this.#counts.delete(topic)
    })
    return true
  }
}

/** Sends unless the socket is closing; a reader that is too slow is closed. */
export function sendTo(socket: WebSocket, text: string): void {
  if (socket.bufferedAmount > MAX_UNSENT_BYTES) socket.close(CLOSE_CODES.tooMany, 'Too slow')
  else if (socket.readyState === socket.OPEN) socket.send(text)
}

import type { WebSocket } from 'ws'

/** Nobody sends this much before an answer; one without a key must not fill the memory. */
const MAX_WAITING = 16

/** Frames from a client, kept in order until somebody wants them: some follow the authentication in the same packet. */
export class Inbox {
  readonly #socket: WebSocket
  #waiting: string[] = []
  #handler: ((text: string) => void) | undefined

  constructor(socket: WebSocket) {
    this.#socket = socket
    socket.on('message', data => {
      if (this.#handler) this.#handler(String(data))
      else if (this.#waiting.push(String(data)) > MAX_WAITING) socket.terminate()
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

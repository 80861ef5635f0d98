import { setImmediate as nextTurn } from 'node:timers/promises'
import type { WebSocket } from 'ws'
import { BOUNDS } from '../../domain/bounds.ts'
import type { BacklogOptions } from '../../event/log.ts'
import { CLOSE_CODES } from './socket-protocol.ts'

/** The sockets on each conversation, so many at most. */
export class Subscribers {
  readonly #counts = new Map<string, number>()

  /** Counts the socket until it closes. @returns false, with the socket closed, when there are too many */
  join(socket: WebSocket, topic: string): boolean {
    const count = this.#counts.get(topic) ?? 0
    if (count >= BOUNDS.subscribers.limit) {
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

/** A backlog goes on when no more than this is unsent. */
const LITTLE_UNSENT_BYTES = 1024 * 1024

/** How a socket takes a long backlog: as fast as its reader does. */
export function backlogOf(socket: WebSocket): BacklogOptions {
  return {
    ready: () => drained(socket),
    onError: () => socket.close(CLOSE_CODES.internal, 'Internal error'),
  }
}

/** Resolves in a later turn, when little is left to send or the socket has closed. */
async function drained(socket: WebSocket): Promise<void> {
  await nextTurn()
  while (socket.readyState === socket.OPEN && socket.bufferedAmount > LITTLE_UNSENT_BYTES) {
    // A ping is written out after everything that was sent before it. A peer that reads nothing misses its pings.
    await new Promise<void>(resolve => socket.ping(undefined, undefined, () => resolve()))
  }
}

/** Sends unless the socket is closing; a reader that is too slow is closed. */
export function sendTo(socket: WebSocket, text: string): void {
  if (socket.bufferedAmount > BOUNDS.unsentBytes.limit) socket.close(CLOSE_CODES.tooMany, 'Too slow')
  else if (socket.readyState === socket.OPEN) socket.send(text)
}

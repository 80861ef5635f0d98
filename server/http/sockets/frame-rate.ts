import { BOUNDS } from '../../domain/bounds.ts'
import { RateLimiter } from '../core/rate-limit.ts'

const { limit } = BOUNDS.socketFrames

/** How many frames the client of one socket may send: each costs work and may get an answer. */
export class FrameRate {
  readonly #limiter = new RateLimiter({ perSecond: limit / 2, burst: limit })

  /** Counts a frame. @returns false when it is one too many */
  allows(): boolean {
    return this.#limiter.take('client') === 0
  }
}

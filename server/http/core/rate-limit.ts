import { RATE_LIMIT } from '../../api/contract/limits.ts'
import type { Refusal } from './refusal.ts'

interface Bucket {
  tokens: number
  filledAt: number
}

/** Buckets that are full again say nothing; they are let go when there are this many. */
const MAX_BUCKETS = 1000

/** A token bucket for each caller. */
export class RateLimiter {
  readonly #rate: { perSecond: number; burst: number }
  readonly #now: () => number
  readonly #buckets = new Map<string, Bucket>()

  /** `now` in milliseconds, never going back. */
  constructor(rate: { perSecond: number; burst: number } = RATE_LIMIT, now: () => number = () => performance.now()) {
    this.#rate = rate
    this.#now = now
  }

  /** 0 when the caller may go on, else in how many seconds to come again. */
  take(caller: string): number {
    const now = this.#now()
    const bucket = this.#buckets.get(caller) ?? this.#open(caller, now)
    bucket.tokens = this.#filled(bucket, now)
    bucket.filledAt = now
    if (bucket.tokens < 1) return (1 - bucket.tokens) / this.#rate.perSecond
    bucket.tokens -= 1
    return 0
  }

  get callers(): number {
    return this.#buckets.size
  }

  #open(caller: string, now: number): Bucket {
    if (this.#buckets.size >= MAX_BUCKETS) {
      for (const [each, bucket] of this.#buckets) {
        if (this.#filled(bucket, now) === this.#rate.burst) this.#buckets.delete(each)
      }
    }
    const bucket = { tokens: this.#rate.burst, filledAt: now }
    this.#buckets.set(caller, bucket)
    return bucket
  }

  #filled({ tokens, filledAt }: Bucket, now: number): number {
    return Math.min(this.#rate.burst, tokens + ((now - filledAt) / 1000) * this.#rate.perSecond)
  }
}

/** The refusal of a caller that is over the limit. `seconds` is when to come again. */
export function tooManyRequests(seconds: number): Refusal {
  return {
    status: 429,
    code: 'too_many_requests',
    message: 'Too many requests',
    detail: `More than ${RATE_LIMIT.perSecond} requests a second. Wait as long as Retry-After says, then go on.`,
    headers: { 'Retry-After': String(Math.ceil(seconds)) },
  }
}

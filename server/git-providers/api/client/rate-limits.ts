const MAX_LIMITED = 100
const MINUTE_MS = 60_000
/** What a provider may ask for at most; GitHub's limits are for an hour. */
const MAX_WAIT_MS = 60 * MINUTE_MS

/** Until when a provider has asked not to be asked again, by token. */
export class RateLimits {
  readonly #until = new Map<string, number>()
  readonly #now: () => number

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /** In milliseconds since 1970; undefined when it may be asked. */
  until(key: string): number | undefined {
    const until = this.#until.get(key)
    if (until !== undefined && until > this.#now()) return until
    this.#until.delete(key)
    return undefined
  }

  /** Takes note of an answer. @returns until when it limits the token; undefined when it does not */
  note(key: string, status: number, headers: Headers): number | undefined {
    return isLimited(status, headers) ? this.limit(key, headers) : undefined
  }

  /** Limits the token for as long as the headers of an answer say. */
  limit(key: string, headers: Headers): number {
    const until = Math.min(untilOf(headers, this.#now()), this.#now() + MAX_WAIT_MS)
    const [oldest] = this.#until.keys()
    if (this.#until.size >= MAX_LIMITED && oldest !== undefined) this.#until.delete(oldest)
    this.#until.set(key, until)
    return until
  }
}

/**
 * GitHub says 403 with no calls remaining, or with `retry-after` for its secondary limits
 * (https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api); the others say 429.
 */
function isLimited(status: number, headers: Headers): boolean {
  if (status === 429) return true
  return status === 403 && (headers.get('x-ratelimit-remaining') === '0' || headers.has('retry-after'))
}

function untilOf(headers: Headers, now: number): number {
  const after = headers.get('retry-after')
  if (after !== null && /^\d+$/.test(after)) return now + Number(after) * 1000
  const date = after === null ? Number.NaN : Date.parse(after)
  if (!Number.isNaN(date) && date > now) return date
  const reset = headers.get('x-ratelimit-reset') ?? headers.get('ratelimit-reset')
  if (reset !== null && /^\d+$/.test(reset) && Number(reset) * 1000 > now) return Number(reset) * 1000
  return now + MINUTE_MS
}

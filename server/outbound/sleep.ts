import { unlessAborted } from '../async/unless-aborted.ts'

/** So long after `begin` the computer is taken to be awake: a sleep may not come about, and its end may not be reported. Time asleep may count. */
const MAX_MS = 60_000

/**
 * Whether the computer is asleep, or about to be. Servers end connections meanwhile without a word that arrives here: what waits for an answer
 * over one waits in vain.
 */
export class Sleep {
  #beginning = new AbortController()
  #end: (() => void) | undefined
  #ended: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined

  begin(): void {
    if (this.#end) return
    this.#ended = new Promise(resolve => {
      this.#end = resolve
    })
    this.#timer = setTimeout(() => this.end(), MAX_MS).unref()
    this.#beginning.abort()
  }

  end(): void {
    // Where time asleep counts, the timer has ended it already: calls that have begun since then go on.
    if (!this.#end) return
    clearTimeout(this.#timer)
    this.#beginning = new AbortController()
    this.#end()
    this.#end = undefined
  }

  /** Resolves once the computer is awake, at once where it is, with what aborts when it next falls asleep. @throws the signal's reason */
  async awake(signal: AbortSignal): Promise<AbortSignal> {
    while (this.#end) await unlessAborted(this.#ended, signal)
    return this.#beginning.signal
  }
}

import { unlessAborted } from './unless-aborted.ts'

/**
 * Work that several callers wait for. Each can leave by its own signal; when the last one has left, the work is aborted.
 * Who joins late hears the latest progress first.
 */
export class SharedTask<Result, Progress> {
  readonly #listeners = new Set<(progress: Progress) => void>()
  readonly #abort = new AbortController()
  readonly #result: Promise<Result>
  #latest: Progress | undefined

  private constructor(run: (report: (progress: Progress) => void, signal: AbortSignal) => Promise<Result>) {
    const report = (progress: Progress) => {
      this.#latest = progress
      for (const listener of [...this.#listeners]) listener(progress)
    }
    // Not before the caller has the task: it may end at once.
    this.#result = Promise.resolve().then(() => run(report, this.#abort.signal))
    this.#result.catch(() => {})
  }

  static start<Result, Progress>(
    run: (report: (progress: Progress) => void, signal: AbortSignal) => Promise<Result>,
  ): SharedTask<Result, Progress> {
    return new SharedTask(run)
  }

  async join(onProgress: (progress: Progress) => void, signal?: AbortSignal): Promise<Result> {
    // Own identity: the same function may join twice.
    const listener = (progress: Progress) => onProgress(progress)
    this.#listeners.add(listener)
    if (this.#latest !== undefined) listener(this.#latest)
    try {
      return await unlessAborted(this.#result, signal)
    } catch (error) {
      // Leaving alone means ending it, and what it holds is given back before the caller goes on.
      if (signal?.aborted && this.#listeners.size === 1) await this.cancel()
      throw error
    } finally {
      this.#listeners.delete(listener)
    }
  }

  /** It is ending, or has ended, by an abort. */
  get cancelled(): boolean {
    return this.#abort.signal.aborted
  }

  /** Ends it for everybody; resolves when it has cleaned up. */
  async cancel(): Promise<void> {
    this.#abort.abort()
    await this.#result.catch(() => {})
  }
}

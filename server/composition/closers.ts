import { settledWithin } from '../async/settled-within.ts'
import { messageOf } from '../domain/errors.ts'
import type { Log } from '../log.ts'

/** What is given up after it may still hold a socket or a child process; the end of the process ends these. */
const CLOSE_MS = 10_000

/** For the closers of a process: the service takes as long as all of its own parts together may. */
export const PROCESS_CLOSE_MS = 180_000

/**
 * What was opened, closed in the reverse order. One that fails or does not end is logged by its name and keeps none of the
 * others open: the database above all is closed whatever happens.
 */
export class Closers {
  readonly #log: Log
  readonly #closeMs: number
  readonly #opened: { name: string; close: () => unknown }[] = []

  constructor(log: Log, closeMs = CLOSE_MS) {
    this.#log = log
    this.#closeMs = closeMs
  }

  /** @param name what the log calls it when it does not close */
  add(name: string, close: () => unknown): void {
    this.#opened.push({ name, close })
  }

  /** Never rejects. */
  close = async (): Promise<void> => {
    for (let next = this.#opened.pop(); next; next = this.#opened.pop()) await this.#closeOne(next)
  }

  async #closeOne({ name, close }: { name: string; close: () => unknown }): Promise<void> {
    let ended = false
    const closed = (async () => close())()
      .catch(error => this.#log.error({ name, error: messageOf(error) }, 'Something could not be closed'))
      .finally(() => {
        ended = true
      })
    await settledWithin(this.#closeMs, closed)
    if (!ended) this.#log.error({ name }, 'Something did not close in time and was left')
  }
}

import type { Worker } from 'node:worker_threads'
import { startConfinedThread } from '../../async/confined-thread.ts'
import { BOUNDS } from '../../domain/bounds.ts'
import type { ThreadData } from './messages.ts'

/** A thread that has not closed its files by then is ended. */
const CLOSE_MS = 3_000

/** A thread of the search, from its start until it is closed or has ended by itself. */
export class Thread<To extends { kind: string }, From extends { kind: string }> {
  readonly #worker: Worker
  readonly #ended: Promise<void>

  /** @param onEnd is called once, also for a thread that was closed */
  constructor(code: string, data: ThreadData, on: { message: (message: From) => void; end: (why: string) => void }) {
    this.#worker = startConfinedThread(code, { workerData: data, memoryBytes: BOUNDS.searchMemory.limit })
    this.#worker.unref()
    let why = 'the thread ended'
    this.#worker.on('message', on.message)
    this.#worker.on('error', error => {
      why = error.message
    })
    this.#ended = new Promise(resolve =>
      this.#worker.on('exit', () => {
        resolve()
        on.end(why)
      }),
    )
  }

  send(message: To): void {
    this.#worker.postMessage(message)
  }

  /** Lets it close its files, and ends it when it does not. */
  async close(message: To): Promise<void> {
    this.send(message)
    const timer = setTimeout(() => void this.#worker.terminate(), CLOSE_MS)
    await this.#ended
    clearTimeout(timer)
  }

  /** At once. */
  end(): void {
    void this.#worker.terminate()
  }
}

import type { Worker } from 'node:worker_threads'
import { startConfinedThread } from '../../../async/confined-thread.ts'
import { BOUNDS } from '../../../domain/bounds.ts'
import type { FromZipThread, ToZipThread } from './messages.ts'

/** Messages on their way to the thread: each round trip costs more than a small entry. */
const MAX_IN_FLIGHT = 16

interface Listeners {
  /** What `more` asked for. */
  onBytes(bytes: Uint8Array): void
  onEnd(): void
  onFailure(error: Error): void
}

/**
 * Packs one archive in a thread of its own: the list of entries at its end is written in one turn, however many there are.
 */
export class ZipThread {
  readonly #worker: Worker
  readonly #listeners: Listeners
  #onTheWay = 0
  #room: { resolve: () => void; reject: (error: Error) => void } | undefined
  #ended: Error | undefined

  static async start(listeners: Listeners): Promise<ZipThread> {
    // Loaded only now: few archives are made.
    const { default: code } = await import('./thread-main.ts?thread')
    return new ZipThread(code, listeners)
  }

  private constructor(code: string, listeners: Listeners) {
    this.#listeners = listeners
    this.#worker = startConfinedThread(code, { memoryBytes: BOUNDS.zipMemory.limit })
    this.#worker.unref()
    this.#worker.on('message', (message: FromZipThread) => this.#hear(message))
    this.#worker.on('error', error => this.#fail(reasonOf(error)))
    this.#worker.on('exit', () => this.#fail(new Error('The archive was given up.')))
  }

  more(): void {
    this.#send({ kind: 'more' })
  }

  /** Resolves when there is room for the next; one call at a time. @throws Error when the archive has failed or was closed */
  async take(message: Exclude<ToZipThread, { kind: 'more' }>): Promise<void> {
    if (this.#ended) throw this.#ended
    this.#send(message)
    if (++this.#onTheWay < MAX_IN_FLIGHT) return
    await new Promise<void>((resolve, reject) => {
      this.#room = { resolve, reject }
    })
  }

  close(): void {
    void this.#worker.terminate()
  }

  #send(message: ToZipThread): void {
    this.#worker.postMessage(message)
  }

  #hear(message: FromZipThread): void {
    if (message.kind === 'ready') this.#hasTaken()
    else if (message.kind === 'bytes') this.#listeners.onBytes(message.bytes)
    else if (message.kind === 'failed') this.#fail(new Error(message.message))
    else this.#listeners.onEnd()
  }

  #hasTaken(): void {
    this.#onTheWay--
    this.#room?.resolve()
  }

  #fail(error: Error): void {
    if (this.#ended) return
    this.#ended = error
    this.#room?.reject(error)
    this.#listeners.onFailure(error)
  }
}

function reasonOf(error: Error): Error {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ERR_WORKER_OUT_OF_MEMORY' ? new Error('The archive has too many entries.', { cause: error }) : error
}

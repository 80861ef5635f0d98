import type { Worker } from 'node:worker_threads'
import { startConfinedThread } from '../../../async/confined-thread.ts'
import { BOUNDS } from '../../../domain/bounds.ts'
import type { EmulatorRequest, Rendered } from './emulator.ts'

/** Why output could not be rendered, as the end of a sentence. */
export class RenderingError extends Error {
  override name = 'RenderingError'
}

/** How long a thread may take to begin; a busy machine needs seconds. */
const START_MS = 30_000
/** Short, so that a machine that slept, or did nothing else for a while, does not use up the time at once. */
const TICK_MS = 250

/**
 * An emulator in a thread of its own, which can be ended whatever it does. A worker thread and not a process: it starts in
 * half the time and costs 9 MB instead of 50, and what it is given (see `Sanitizer`) cannot make it allocate much at once.
 */
export class EmulatorThread {
  readonly #worker: Worker
  #answer: { resolve: (rendered: Rendered) => void; reject: (error: RenderingError) => void } | undefined
  #ended: RenderingError | undefined

  static async start(): Promise<EmulatorThread> {
    // Loaded only now: few commands need it.
    const { default: code } = await import('./thread-main.ts?thread')
    const thread = new EmulatorThread(code)
    await thread.#online()
    return thread
  }

  private constructor(code: string) {
    this.#worker = startConfinedThread(code, { memoryBytes: BOUNDS.terminalRendererMemory.limit, youngMegabytes: 8 })
    this.#worker.unref()
    this.#worker.on('message', (rendered: Rendered) => this.#answer?.resolve(rendered))
    this.#worker.on('error', error => this.#end(reasonOf(error)))
    this.#worker.on('exit', () => this.#end('the renderer ended'))
  }

  /** It can render: it has not failed, and is not at work. */
  get idle(): boolean {
    return this.#ended === undefined && this.#answer === undefined
  }

  /** Clears everything: what follows is the output of another program. */
  begin(): void {
    this.#send({ kind: 'begin' })
  }

  /**
   * One call at a time.
   * @param withinMs after which the thread is ended
   * @throws RenderingError; the thread is of no use any more
   */
  async render(text: string, withinMs: number): Promise<Rendered> {
    if (this.#ended) throw this.#ended
    const stop = this.#countDown(withinMs)
    try {
      return await new Promise((resolve, reject) => {
        this.#answer = { resolve, reject }
        this.#send({ kind: 'render', text })
      })
    } finally {
      stop()
      this.#answer = undefined
    }
  }

  close(): void {
    this.#end('it was closed')
    void this.#worker.terminate()
  }

  async #online(): Promise<void> {
    const stop = this.#countDown(START_MS)
    try {
      await new Promise<void>((resolve, reject) => {
        this.#worker.once('online', resolve)
        this.#answer = { resolve: () => {}, reject }
      })
    } finally {
      stop()
      this.#answer = undefined
    }
  }

  #send(request: EmulatorRequest): void {
    this.#worker.postMessage(request)
  }

  #countDown(milliseconds: number): () => void {
    let ticks = Math.ceil(milliseconds / TICK_MS)
    const timer = setInterval(() => {
      if (--ticks > 0) return
      this.#end('it took too long')
      void this.#worker.terminate()
    }, TICK_MS)
    return () => clearInterval(timer)
  }

  #end(why: string): void {
    this.#ended ??= new RenderingError(why)
    this.#answer?.reject(this.#ended)
  }
}

function reasonOf(error: Error): string {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'it took too much memory' : 'the renderer failed'
}

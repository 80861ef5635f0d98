import type { PdfProblemCode, PdfReplies, PdfReply, PdfRequest } from './messages.ts'

/** A document can ask for work without end. */
const OPEN_MS = 30_000
const PAGE_MS = 20_000

export class PdfProblem extends Error {
  readonly code: PdfProblemCode

  constructor(code: PdfProblemCode) {
    super(code)
    this.code = code
  }
}

interface Job {
  request: Exclude<PdfRequest, { kind: 'open' }>
  resolve: (value: never) => void
  reject: (problem: unknown) => void
}

/**
 * A document in a worker, asked one thing at a time; what was asked last comes first, as it is what somebody looks at now. A
 * worker that takes too long is ended, and another one opens the document again for what is asked next.
 */
export class PdfReader {
  readonly #file: Blob
  readonly #waiting: Job[] = []
  #worker: Worker | null = null
  #isBusy = false
  #isClosed = false

  constructor(file: Blob) {
    this.#file = file
  }

  /** @throws PdfProblem */
  async open(): Promise<PdfReplies['open']> {
    this.#isBusy = true
    try {
      return await this.#start()
    } finally {
      this.#isBusy = false
      void this.#next()
    }
  }

  /** Aborting gives up what is not begun yet. @throws PdfProblem */
  draw(page: number, width: number, signal: AbortSignal): Promise<PdfReplies['draw']> {
    return this.#ask({ kind: 'draw', page, width }, signal)
  }

  /** @throws PdfProblem */
  text(page: number, signal: AbortSignal): Promise<PdfReplies['text']> {
    return this.#ask({ kind: 'text', page }, signal)
  }

  close(): void {
    this.#isClosed = true
    this.#worker?.terminate()
    this.#worker = null
  }

  #ask<T>(request: Job['request'], signal: AbortSignal): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      // A picture that nobody waits for any more would keep its memory until it is collected.
      const settle = (value: T) => (signal.aborted ? closePicture(value) : resolve(value))
      const job: Job = { request, resolve: settle, reject }
      this.#waiting.push(job)
      signal.addEventListener('abort', () => {
        const place = this.#waiting.indexOf(job)
        if (place !== -1) this.#waiting.splice(place, 1)
        reject(signal.reason)
      })
      void this.#next()
    })
  }

  async #next(): Promise<void> {
    if (this.#isBusy || this.#isClosed) return
    const job = this.#waiting.pop()
    if (!job) return
    this.#isBusy = true
    try {
      if (!this.#worker) await this.#start()
      job.resolve((await this.#send(job.request, PAGE_MS)) as never)
    } catch (problem) {
      job.reject(problem)
    }
    this.#isBusy = false
    void this.#next()
  }

  async #start(): Promise<PdfReplies['open']> {
    const data = await this.#file.arrayBuffer()
    if (this.#isClosed) throw new PdfProblem('slow')
    this.#worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' })
    return (await this.#send({ kind: 'open', data }, OPEN_MS)) as PdfReplies['open']
  }

  async #send(request: PdfRequest, limitMs: number): Promise<unknown> {
    const worker = this.#worker
    if (!worker) throw new PdfProblem('slow')
    const heard = new AbortController()
    try {
      return await new Promise((resolve, reject) => {
        const { signal } = heard
        const late = setTimeout(() => this.#end(() => reject(new PdfProblem('slow'))), limitMs)
        signal.addEventListener('abort', () => clearTimeout(late))
        worker.addEventListener('error', () => this.#end(() => reject(new PdfProblem('damaged'))), { signal })
        worker.addEventListener(
          'message',
          ({ data }: MessageEvent<PdfReply>) => {
            if (data.kind === 'reply') resolve(data.value)
            else if (data.kind === 'problem') reject(new PdfProblem(data.code))
          },
          { signal },
        )
        worker.postMessage(request, request.kind === 'open' ? [request.data] : [])
      })
    } finally {
      heard.abort()
    }
  }

  #end(then: () => void): void {
    this.#worker?.terminate()
    this.#worker = null
    then()
  }
}

function closePicture(value: unknown): void {
  if (typeof value === 'object' && value !== null && 'picture' in value) (value.picture as ImageBitmap).close()
}

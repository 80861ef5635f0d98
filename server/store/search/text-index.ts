import { dirname } from 'node:path'
import { BOUNDS } from '../../domain/bounds.ts'
import { AppError } from '../../domain/errors.ts'
import { indexFile } from './layout.ts'
import type {
  FromIndexer,
  FromReader,
  IndexProgress,
  SearchAnswer,
  SearchRequest,
  ThreadData,
  ToIndexer,
  ToReader,
} from './messages.ts'
import { sqlitePath } from './sqlite.ts'
import { Thread } from './thread.ts'

interface Dependencies {
  /** Of the database. */
  file: string
  instanceId: string
  log: { info(fields: object, message: string): void; warn(fields: object, message: string): void }
  /** After which the first start of the thread that indexes is due: what has to be quick at a start comes first. */
  startMs?: number
}

interface Waiting {
  request: SearchRequest
  signal: AbortSignal
  resolve: (answer: SearchAnswer) => void
  reject: (error: unknown) => void
}

const START_MS = 2_000
/** So long what has changed is gathered before the thread looks at it. */
const GATHER_MS = 200
const RESTART_MS = 30_000

/**
 * The index of what stands in all conversations: a file beside the database, which one thread keeps up to date and
 * another searches. Neither the log nor a start of the service waits for them. Whatever happens to the file, it is made
 * again of the database.
 */
export class TextIndex {
  readonly #dependencies: Dependencies
  readonly #data: ThreadData
  readonly #changed = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  #indexer: Thread<ToIndexer, FromIndexer> | undefined
  #indexerIsStarting = false
  #reader: Thread<ToReader, FromReader> | undefined
  readonly #waiting: Waiting[] = []
  #current: Waiting | undefined
  #deadline: NodeJS.Timeout | undefined
  #progress: IndexProgress | undefined
  /** Resolves when there is an index, or a problem with it. */
  readonly #looked: Promise<void>
  #setLooked = () => {}
  #closed = false

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
    const { file, instanceId } = dependencies
    this.#looked = new Promise(resolve => {
      this.#setLooked = resolve
    })
    this.#data = { sqlite: sqlitePath(), database: file, index: indexFile(dirname(file)), instanceId }
  }

  start(): void {
    this.#timer = setTimeout(() => void this.#startIndexer(), this.#dependencies.startMs ?? START_MS).unref()
  }

  /** Something of this conversation was stored, changed or deleted. Takes no time. */
  note(conversation: string): void {
    this.#changed.add(conversation)
    if (this.#indexer && !this.#timer) this.#timer = setTimeout(() => this.#tellIndexer(), GATHER_MS).unref()
  }

  /** undefined before the index was looked at. */
  progress(): IndexProgress | undefined {
    return this.#progress
  }

  /** @throws AppError too_many_requests, store_unavailable, unavailable while it is being closed */
  async search(request: SearchRequest, signal: AbortSignal): Promise<SearchAnswer> {
    signal.throwIfAborted()
    if (this.#closed) throw new AppError('unavailable', 'Atelier is closing.')
    if (this.#waiting.length >= BOUNDS.searchesWaiting.limit) throw new AppError('too_many_requests', TOO_MANY)
    void this.#startIndexer()
    return new Promise((resolve, reject) => {
      this.#waiting.push({ request, signal, resolve, reject })
      void this.#searchNext()
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    for (const { reject } of this.#waiting.splice(0)) reject(new AppError('unavailable', 'Atelier is closing.'))
    await Promise.all([this.#reader?.close({ kind: 'close' }), this.#indexer?.close({ kind: 'close' })])
  }

  async #startIndexer(): Promise<void> {
    if (this.#indexer || this.#indexerIsStarting || this.#closed) return
    this.#indexerIsStarting = true
    clearTimeout(this.#timer)
    this.#timer = undefined
    const { default: code } = await import('./indexer-main.ts?thread')
    this.#indexerIsStarting = false
    if (this.#closed) return
    this.#indexer = new Thread<ToIndexer, FromIndexer>(code, this.#data, {
      message: message => this.#onProgress(message),
      end: why => this.#indexerEnded(why),
    })
    // It looks at every conversation by itself.
    this.#changed.clear()
  }

  #tellIndexer(): void {
    this.#timer = undefined
    this.#indexer?.send({ kind: 'changed', conversations: [...this.#changed] })
    this.#changed.clear()
  }

  #onProgress(message: FromIndexer): void {
    if (message.kind !== 'progress') return
    const { problem } = message.progress
    if (problem && problem !== this.#progress?.problem) this.#warn(problem)
    this.#progress = message.progress
    this.#setLooked()
  }

  #indexerEnded(why: string): void {
    this.#indexer = undefined
    if (this.#closed) return
    this.#warn(why)
    this.#progress = { indexed: 0, total: 0, ...this.#progress, problem: why }
    this.#setLooked()
    this.#timer = setTimeout(() => void this.#startIndexer(), RESTART_MS).unref()
  }

  async #searchNext(): Promise<void> {
    if (this.#current) return
    const next = this.#waiting.shift()
    if (!next) return
    if (next.signal.aborted) {
      next.reject(next.signal.reason)
      return this.#searchNext()
    }
    this.#current = next
    try {
      const [reader] = await Promise.all([this.#startedReader(), this.#looked])
      this.#deadline = setTimeout(() => reader.end(), BOUNDS.searchWait.limit)
      reader.send({ kind: 'search', request: next.request })
    } catch (error) {
      this.#settle(({ reject }) => reject(error))
    }
  }

  async #startedReader(): Promise<Thread<ToReader, FromReader>> {
    if (this.#reader) return this.#reader
    const { default: code } = await import('./reader-main.ts?thread')
    if (this.#closed) throw new AppError('unavailable', 'Atelier is closing.')
    const reader = new Thread<ToReader, FromReader>(code, this.#data, {
      message: message => this.#onReply(message),
      end: why => {
        this.#reader = undefined
        if (!this.#closed) this.#warn(why)
        this.#settle(({ reject }) => reject(new AppError('store_unavailable', GIVEN_UP)))
      },
    })
    this.#reader = reader
    return reader
  }

  #onReply(message: FromReader): void {
    if (message.kind === 'answer') this.#settle(({ resolve }) => resolve(message.answer))
    if (message.kind !== 'failure') return
    // Before the first step of the indexing there is no file yet.
    if (message.damaged) this.#indexer?.send({ kind: 'rebuild' })
    if (message.damaged) this.#warn(message.problem)
    const refusal = new AppError('store_unavailable', message.damaged ? DAMAGED : NOT_YET, { cause: message.problem })
    this.#settle(({ reject }) => reject(refusal))
  }

  #settle(use: (current: Waiting) => void): void {
    clearTimeout(this.#deadline)
    const current = this.#current
    this.#current = undefined
    if (current) use(current)
    void this.#searchNext()
  }

  #warn(problem: string): void {
    this.#dependencies.log.warn({ problem }, 'The search index had a problem')
  }
}

const TOO_MANY = 'Too many searches wait for each other. Try again in a moment.'
const GIVEN_UP = 'The search took too long and was given up. Use more or longer words.'
const DAMAGED = 'The search index was damaged and is being made again. Try again in a moment.'
const NOT_YET = 'The search index cannot be read now. Try again in a moment.'

import { z } from 'zod'
import type { PipedProcess } from '../domain/sandbox-handle.ts'
import { MessageBuffer } from './message-buffer.ts'
import { BrowserEnded, BrowserProblem, CommandRefused } from './problem.ts'

/** A screenshot has some megabytes, the tree of a huge page some tens. */
const MAX_MESSAGE_BYTES = 96 * 2 ** 20
const ANSWER_MS = 30_000

const message = z.object({
  id: z.number().optional(),
  method: z.string().optional(),
  sessionId: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.object({ message: z.string() }).optional(),
})

export interface BrowserEvent {
  method: string
  params: unknown
  /** Of the tab that it is about; undefined for the browser itself. */
  sessionId: string | undefined
}

export interface CommandOptions {
  sessionId?: string
  signal?: AbortSignal
  timeoutMs?: number
}

export interface ConnectionListener {
  onEvent: (event: BrowserEvent) => void
  /** Once, however it came about. */
  onEnd: () => void
}

interface Waiting {
  sessionId: string | undefined
  resolve: (result: unknown) => void
  reject: (error: Error) => void
}

/**
 * The DevTools protocol over a pipe: JSON messages, each ended by a zero byte.
 * https://chromedevtools.github.io/devtools-protocol/
 */
export class Connection {
  readonly #pipe: Pick<PipedProcess, 'stdout' | 'write'>
  readonly #onEvent: (event: BrowserEvent) => void
  readonly #onEnd: () => void
  readonly #waiting = new Map<number, Waiting>()
  #nextId = 1
  #ended: BrowserEnded | undefined

  constructor(pipe: Pick<PipedProcess, 'stdout' | 'write'>, { onEvent, onEnd }: ConnectionListener) {
    this.#pipe = pipe
    this.#onEvent = onEvent
    this.#onEnd = onEnd
    const buffer = new MessageBuffer(MAX_MESSAGE_BYTES)
    pipe.stdout.on('data', (chunk: Buffer) => {
      const messages = buffer.append(chunk)
      if (messages) for (const text of messages) this.#take(text)
      else this.end('The browser was ended: the page is larger than can be handled.')
    })
    const gone = () => this.end('The browser ended while it was used. The next call starts it anew.')
    pipe.stdout.once('end', gone).once('close', gone)
  }

  get ended(): boolean {
    return this.#ended !== undefined
  }

  /**
   * @throws CommandRefused with the browser's own words, BrowserEnded, BrowserProblem when no answer comes, or the
   * signal's reason
   */
  async send(method: string, params: object = {}, options: CommandOptions = {}): Promise<unknown> {
    const { sessionId, signal, timeoutMs = ANSWER_MS } = options
    signal?.throwIfAborted()
    if (this.#ended) throw this.#ended
    const id = this.#nextId++
    const giveUp = new AbortController()
    const timer = setTimeout(() => giveUp.abort(silence(method)), timeoutMs)
    const given = AbortSignal.any([giveUp.signal, ...(signal ? [signal] : [])])
    try {
      return await new Promise((resolve, reject) => {
        given.addEventListener('abort', () => reject(given.reason), { once: true })
        this.#waiting.set(id, { sessionId, resolve, reject })
        void this.#pipe.write(`${JSON.stringify({ id, method, params, ...(sessionId && { sessionId }) })}\0`)
      })
    } finally {
      clearTimeout(timer)
      this.#waiting.delete(id)
    }
  }

  /** What is waited for in a tab that crashed or was closed will not come. */
  refuse(sessionId: string, reason: string): void {
    for (const waiting of this.#waiting.values()) {
      if (waiting.sessionId === sessionId) waiting.reject(new BrowserProblem(reason))
    }
  }

  end(reason: string): void {
    if (this.#ended) return
    this.#ended = new BrowserEnded(reason)
    for (const waiting of this.#waiting.values()) waiting.reject(this.#ended)
    this.#onEnd()
  }

  #take(text: string): void {
    try {
      const { id, method, sessionId, params, result, error } = message.parse(JSON.parse(text))
      if (method !== undefined) return this.#onEvent({ method, params, sessionId })
      const waiting = id === undefined ? undefined : this.#waiting.get(id)
      if (error) waiting?.reject(new CommandRefused(error.message))
      else waiting?.resolve(result)
    } catch {
      // The sandbox may send anything. A call whose answer cannot be read ends with its time-out.
    }
  }
}

function silence(method: string): BrowserProblem {
  return new BrowserProblem(`The page does not answer (${method}). It may be busy; open it again or close the tab.`)
}

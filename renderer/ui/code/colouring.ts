import type { Token } from './kinds.ts'
import type { Language } from './languages.ts'
import type { Asked } from './worker.ts'

export type Lines = readonly (readonly Token[])[]

const MAX_TEXT = 200_000
/** A grammar is a set of regular expressions: some texts take some of them for ever. */
const DEADLINE_MS = 4_000
const MAX_KEPT = 60
/** A language whose grammar has hung so often is not asked again. */
const MAX_HUNG = 2

interface Job extends Asked {
  done: (lines: Lines | null) => void
}

/** Asks a worker for tokens, one text at a time. A worker that takes too long is ended, and its text has no colours. */
class Colouring {
  readonly #kept = new Map<string, Promise<Lines | null>>()
  /** Of those that are kept, what is there. */
  readonly #known = new Map<string, Lines>()
  readonly #waiting: Job[] = []
  #running: Job | null = null
  #worker: Worker | null = null
  #deadline: ReturnType<typeof setTimeout> | undefined
  #lastId = 0
  readonly #hung = new Map<Language, number>()

  /** Aborting gives up a text that is not begun yet; it resolves to null. */
  linesOf(text: string, language: Language, signal?: AbortSignal): Promise<Lines | null> {
    const isHung = (this.#hung.get(language) ?? 0) >= MAX_HUNG
    if (isHung || text.length > MAX_TEXT || typeof Worker === 'undefined') return Promise.resolve(null)
    const key = keyOf(text, language)
    const known = this.#kept.get(key)
    if (known) {
      this.#kept.delete(key)
      this.#kept.set(key, known)
      return known
    }
    const lines = new Promise<Lines | null>(done => {
      const job = { id: ++this.#lastId, text, language, done }
      this.#waiting.push(job)
      signal?.addEventListener('abort', () => this.#giveUp(key, job), { once: true })
    })
    this.#kept.set(key, lines)
    void lines.then(found => found && this.#kept.has(key) && this.#known.set(key, found))
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > MAX_KEPT && oldest !== undefined) {
      this.#kept.delete(oldest)
      this.#known.delete(oldest)
    }
    this.#next()
    return lines
  }

  /** Without asking. */
  known(text: string, language: Language): Lines | null {
    return this.#known.get(keyOf(text, language)) ?? null
  }

  #giveUp(key: string, job: Job): void {
    const place = this.#waiting.indexOf(job)
    if (place === -1) return
    this.#waiting.splice(place, 1)
    this.#kept.delete(key)
    job.done(null)
  }

  #next(): void {
    if (this.#running) return
    // The newest first: it is what somebody looks at now.
    const job = this.#waiting.pop()
    if (!job) return
    if ((this.#hung.get(job.language) ?? 0) >= MAX_HUNG) {
      job.done(null)
      return this.#next()
    }
    this.#running = job
    this.#deadline = setTimeout(() => this.#end(true), DEADLINE_MS)
    this.#worker ??= this.#start()
    const { id, text, language } = job
    this.#worker.postMessage({ id, text, language } satisfies Asked)
  }

  #start(): Worker {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' })
    worker.addEventListener('message', ({ data }: MessageEvent<{ id: number; lines: Lines | null }>) => {
      if (data.id === this.#running?.id) this.#finish(data.lines)
    })
    worker.addEventListener('error', () => this.#end(false))
    return worker
  }

  #end(hung: boolean): void {
    this.#worker?.terminate()
    this.#worker = null
    const language = this.#running?.language
    if (hung && language) this.#hung.set(language, (this.#hung.get(language) ?? 0) + 1)
    this.#finish(null)
  }

  #finish(lines: Lines | null): void {
    clearTimeout(this.#deadline)
    this.#running?.done(lines)
    this.#running = null
    this.#next()
  }
}

function keyOf(text: string, language: Language): string {
  return `${language} ${text}`
}

export const colouring = new Colouring()

import { type Dropped, type Found, filesIn } from './dropped.ts'
import { type Choice, type Decision, type Existing, type Failure, sendAll, type UploadProgress } from './send-all.ts'

/** So many take minutes, and are seldom meant. */
const MANY_FILES = 1_000

/** How far it is, or what it waits for. */
export type UploadState =
  | { readonly kind: 'reading'; readonly files: number }
  | {
      readonly kind: 'asking'
      readonly files: number
      readonly bytes: number
      readonly answer: (goesOn: boolean) => void
    }
  | { readonly kind: 'sending'; readonly progress: UploadProgress }
  | {
      readonly kind: 'failed'
      readonly folder: string
      readonly uploaded: number
      readonly failures: readonly Failure[]
      readonly onPaths: OnPaths
    }

/** Is given what is in the folder now, also when that is nothing. */
type OnPaths = (paths: readonly string[]) => void

export interface UploadsSnapshot {
  readonly state: UploadState | null
  /** A file that is there already, about which a person is asked. */
  readonly question: { path: string; answer: (choice: Choice, forAll: boolean) => void } | null
  /** How many uploads have ended. */
  readonly ended: number
}

/** What becomes of an upload: `failed` counts files, and only what nobody sees is said. */
export type UploadOutcome =
  | { readonly kind: 'uploaded'; readonly files: number }
  | { readonly kind: 'failed'; readonly failed: number; readonly uploaded: number; readonly isSeen: boolean }
  | { readonly kind: 'empty' | 'stopped' | 'refused' }
  /** It waits for an answer, and nobody sees what it asks. */
  | { readonly kind: 'asks_unseen' }
  | { readonly kind: 'broken'; readonly error: unknown }

export interface UploadsOptions {
  /** Uploads one. @returns the path that it has now @throws ApiError, or why the file cannot be uploaded at all */
  send(
    folder: string,
    file: Dropped,
    means: { existing: Existing; signal: AbortSignal; onProgress: (sent: number) => void },
  ): Promise<string>
  onOutcome(outcome: UploadOutcome): void
  /** Why a file that was dropped could not be read. */
  unreadable(): Error
}

/**
 * The uploads into the folders of one conversation, one at a time, as a store for `useSyncExternalStore`. It outlives the tabs
 * in which they are begun: what one asks and says is there when somebody comes back.
 */
export class Uploads {
  readonly #options: UploadsOptions
  readonly #listeners = new Set<() => void>()
  #snapshot: UploadsSnapshot = { state: null, question: null, ended: 0 }
  #stopping: AbortController | null = null

  constructor(options: UploadsOptions) {
    this.#options = options
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  snapshot = (): UploadsSnapshot => this.#snapshot

  begin(folder: string, files: readonly Dropped[], onPaths: OnPaths = () => {}): void {
    if (files.length > 0) void this.#run(folder, async () => ({ files: [...files], unreadable: [] }), onPaths)
  }

  /** Of entries as a drop has them, with the files of folders. */
  beginWith(folder: string, entries: readonly FileSystemEntry[], onPaths: OnPaths = () => {}): void {
    if (entries.length === 0) return
    const onFound = (files: number) => this.#set({ state: { kind: 'reading', files } })
    void this.#run(folder, signal => filesIn(entries, { signal, onFound }), onPaths)
  }

  /** Those that failed, once more. */
  again(): void {
    const { state } = this.#snapshot
    if (state?.kind !== 'failed') return
    const files = state.failures.flatMap(({ path, file }) => (file ? [{ path, file }] : []))
    this.begin(state.folder, files, state.onPaths)
  }

  stop(): void {
    this.#stopping?.abort()
  }

  /** Takes away what is said of those that failed. */
  close(): void {
    if (this.#snapshot.state?.kind === 'failed') this.#set({ state: null })
  }

  async #run(folder: string, find: (signal: AbortSignal) => Promise<Found>, onPaths: OnPaths): Promise<void> {
    const { onOutcome } = this.#options
    if (this.#stopping) return onOutcome({ kind: 'refused' })
    const controller = new AbortController()
    this.#stopping = controller
    const { signal } = controller
    let paths: readonly string[] = []
    try {
      const { files, unreadable } = await find(signal)
      if (!(await this.#goesOn(files, signal))) controller.abort()
      signal.throwIfAborted()
      const outcome = await sendAll(folder, files, {
        signal,
        ask: path => this.#askAbout(path, signal),
        send: (file, existing, onProgress) => this.#options.send(folder, file, { existing, signal, onProgress }),
        onProgress: progress => this.#set({ state: { kind: 'sending', progress } }),
      })
      paths = outcome.paths
      const { uploaded } = outcome
      const lost = unreadable.map(path => ({ path, file: null, reason: this.#options.unreadable() }))
      const failures = [...outcome.failures, ...lost]
      const failed = failures.length
      this.#set({ state: failed > 0 ? { kind: 'failed', folder, uploaded, failures, onPaths } : null })
      if (failed > 0) onOutcome({ kind: 'failed', failed, uploaded, isSeen: this.#listeners.size > 0 })
      else onOutcome(files.length > 0 ? { kind: 'uploaded', files: uploaded } : { kind: 'empty' })
    } catch (error) {
      this.#set({ state: null })
      onOutcome(signal.aborted ? { kind: 'stopped' } : { kind: 'broken', error })
    }
    this.#stopping = null
    this.#set({ ended: this.#snapshot.ended + 1 })
    onPaths(paths)
  }

  async #goesOn(files: readonly Dropped[], signal: AbortSignal): Promise<boolean> {
    if (files.length < MANY_FILES) return true
    const bytes = files.reduce((sum, { file }) => sum + file.size, 0)
    return until<boolean>(signal, answer =>
      this.#set({ state: { kind: 'asking', files: files.length, bytes, answer } }),
    )
  }

  #askAbout(path: string, signal: AbortSignal): Promise<Decision> {
    return until<Decision>(signal, resolve =>
      this.#set({ question: { path, answer: (choice, forAll) => resolve({ choice, forAll }) } }),
    ).finally(() => this.#set({ question: null }))
  }

  #set(change: Partial<UploadsSnapshot>): void {
    this.#snapshot = { ...this.#snapshot, ...change }
    const asks = change.question || change.state?.kind === 'asking'
    if (asks && this.#listeners.size === 0) this.#options.onOutcome({ kind: 'asks_unseen' })
    for (const listener of this.#listeners) listener()
  }
}

/** What a person answers, unless the signal comes first. */
function until<T>(signal: AbortSignal, ask: (answer: (value: T) => void) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    ask(resolve)
  })
}

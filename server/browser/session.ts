import { createMutex } from '../async/mutex.ts'
import type { SandboxHandle } from '../domain/sandbox-handle.ts'
import { Browser, type BrowserTarget } from './browser.ts'
import { BrowserProblem } from './problem.ts'

const REMOVE_MS = 10_000

export interface SessionOptions {
  /** The running sandbox, resumed where it was paused. */
  sandbox: () => Promise<SandboxHandle>
  /** The sandbox as it is. @throws AppError when it does not run */
  whileRunning: () => Promise<SandboxHandle>
  /** @throws BrowserProblem when there is none in the sandbox any more */
  executable: (signal: AbortSignal) => Promise<string>
  /** It could not be started: perhaps it is not there any more. */
  onFailure: () => void
  place: Omit<BrowserTarget, 'executable'>
  /** Without a call for so long it is ended, and started anew when it is needed. */
  idleMs: number
}

/**
 * The browser of one conversation: started by the first call, and anew after it ended. One call at a time. Cookies and
 * what pages store are kept between starts; what was open is not.
 */
export class BrowserSession {
  readonly #options: SessionOptions
  readonly #mutex = createMutex()
  #browser: Browser | undefined
  #started = 0
  #idle: NodeJS.Timeout | undefined
  #closed = false

  constructor(options: SessionOptions) {
    this.#options = options
  }

  /** undefined while none runs. */
  get browser(): Browser | undefined {
    return this.#browser?.ended ? undefined : this.#browser
  }

  /**
   * Runs a job with the browser that runs, or a new one.
   * @param job gets whether pages that were open before are lost
   */
  use<T>(signal: AbortSignal, job: (browser: Browser, anew: boolean) => Promise<T>): Promise<T> {
    return this.#mutex(async () => {
      signal.throwIfAborted()
      clearTimeout(this.#idle)
      try {
        const sandbox = await this.#options.sandbox()
        const running = await this.#running(signal)
        const browser = running ?? (await this.#start(sandbox, signal))
        return await job(browser, !running && this.#started > 1)
      } finally {
        this.#rest()
      }
    })
  }

  /** Ends it; a later call starts it anew. Always resolves. */
  async sleep(): Promise<void> {
    clearTimeout(this.#idle)
    const browser = this.#browser
    this.#browser = undefined
    await browser?.close()
  }

  /** Ends it for good, and removes what it kept. Always resolves. */
  async close(): Promise<void> {
    this.#closed = true
    await this.sleep()
    if (this.#started === 0) return
    const { whileRunning, place } = this.#options
    try {
      const sandbox = await whileRunning()
      await sandbox.exec({ argv: ['rm', '-rf', '--', place.profile], cwd: '/', timeoutMs: REMOVE_MS })
    } catch {
      // A sandbox that does not run is not woken for this: what is left goes with it.
    }
  }

  /** One whose last page closed itself is given another, when it is not about to end. */
  async #running(signal: AbortSignal): Promise<Browser | undefined> {
    const { browser } = this
    if (!browser || browser.tabs.length > 0) return browser
    try {
      await browser.openTab(signal)
      return browser
    } catch (error) {
      if (!(error instanceof BrowserProblem)) throw error
      await this.sleep()
      return undefined
    }
  }

  async #start(sandbox: SandboxHandle, signal: AbortSignal): Promise<Browser> {
    const executable = await this.#options.executable(signal)
    const browser = await this.#open(sandbox, executable, signal)
    this.#started++
    this.#browser = browser
    return browser
  }

  async #open(sandbox: SandboxHandle, executable: string, signal: AbortSignal): Promise<Browser> {
    const { place, onFailure } = this.#options
    try {
      const browser = await Browser.open(sandbox, { executable, ...place }, signal)
      if (!this.#closed) return browser
      await browser.close()
    } catch (error) {
      if (!signal.aborted) onFailure()
      throw error
    }
    throw new BrowserProblem('The conversation was closed.')
  }

  #rest(): void {
    if (this.#closed) return
    this.#idle = setTimeout(() => void this.sleep(), this.#options.idleMs)
    this.#idle.unref()
  }
}

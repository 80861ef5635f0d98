import { unlessAborted } from '../../async/unless-aborted.ts'
import type { KeptShell } from './kept-shell.ts'

/** More than three commands at a time are rare: the others' shells end with them. */
const MAX_IDLE = 3
const IDLE_MS = 60_000
/** One that is in use is waited for as long as the start of another takes, which is within these bounds. */
const MIN_WAIT_MS = 50
const MAX_WAIT_MS = 500

interface Idle {
  shell: KeptShell
  timer: NodeJS.Timeout
}

/** The shells of one sandbox: those that wait for a command, and those that carry one out. */
export class ShellsOfSandbox {
  readonly #onEmpty: () => void
  #idle: Idle[] = []
  /** Those who have taken one, or are about to. */
  #users = 0
  /** Shells that are in use, or being started. */
  #inUse = 0
  /** The last start, as long as it goes on. */
  #starting: Promise<unknown> | undefined
  #waitMs = MIN_WAIT_MS
  /** Who gets the next one that is given back, in their order. */
  #waiting: ((shell: KeptShell) => void)[] = []

  constructor(onEmpty: () => void) {
    this.#onEmpty = onEmpty
  }

  /** @throws what `start` throws, and the signal's reason */
  async take(start: () => Promise<KeptShell>, signal: AbortSignal): Promise<KeptShell> {
    this.#users++
    try {
      return (await this.#idleOne()) ?? (await this.#another(start, signal))
    } catch (error) {
      this.#leave()
      throw error
    }
  }

  /** undefined where none waits. */
  async takeIdle(): Promise<KeptShell | undefined> {
    this.#users++
    const shell = await this.#idleOne()
    if (!shell) this.#leave()
    return shell
  }

  giveBack(shell: KeptShell): void {
    const next = shell.isOpen ? this.#waiting.shift() : undefined
    if (next) {
      next(shell)
    } else {
      this.#inUse--
      this.#keep(shell)
    }
    this.#leave()
  }

  closeIdle(): void {
    for (let shell = this.#pop(); shell; shell = this.#pop()) shell.close()
    if (this.#users === 0) this.#onEmpty()
  }

  async #idleOne(): Promise<KeptShell | undefined> {
    for (let shell = this.#pop(); shell; shell = this.#pop()) {
      this.#inUse++
      if (shell.isOpen && (await shell.answers())) return shell
      this.#inUse--
      shell.close()
    }
    return undefined
  }

  /**
   * One that somebody gives back, or a new one when none comes back in time. They are started one after the other: of many
   * who come at once, most get what the first have given back by then.
   */
  async #another(start: () => Promise<KeptShell>, signal: AbortSignal): Promise<KeptShell> {
    for (;;) {
      while (this.#starting) await unlessAborted(this.#starting, signal)
      const free = this.#inUse > 0 ? await this.#nextGivenBack() : undefined
      if (free) return free
      if (!this.#starting) return this.#start(start)
    }
  }

  /** undefined when none is in time. */
  #nextGivenBack(): Promise<KeptShell | undefined> {
    return new Promise(resolve => {
      const take = (shell?: KeptShell) => {
        clearTimeout(timer)
        this.#waiting = this.#waiting.filter(each => each !== take)
        resolve(shell)
      }
      const timer = setTimeout(take, this.#waitMs)
      this.#waiting.push(take)
    })
  }

  async #start(start: () => Promise<KeptShell>): Promise<KeptShell> {
    this.#inUse++
    const started = start()
    const starting = started.then(
      () => {},
      () => {},
    )
    this.#starting = starting
    const began = performance.now()
    try {
      const shell = await started
      this.#waitMs = Math.min(MAX_WAIT_MS, Math.max(MIN_WAIT_MS, performance.now() - began))
      return shell
    } catch (error) {
      this.#inUse--
      throw error
    } finally {
      if (this.#starting === starting) this.#starting = undefined
    }
  }

  #keep(shell: KeptShell): void {
    if (!shell.isOpen) return
    if (this.#idle.length >= MAX_IDLE) return shell.close()
    const timer = setTimeout(() => this.#forget(shell), IDLE_MS).unref()
    this.#idle.push({ shell, timer })
  }

  #leave(): void {
    this.#users--
    if (this.#users === 0 && this.#idle.length === 0) this.#onEmpty()
  }

  /** The one that was used last: the others grow old. */
  #pop(): KeptShell | undefined {
    const last = this.#idle.pop()
    clearTimeout(last?.timer)
    return last?.shell
  }

  #forget(shell: KeptShell): void {
    this.#idle = this.#idle.filter(each => each.shell !== shell)
    shell.close()
    if (this.#users === 0 && this.#idle.length === 0) this.#onEmpty()
  }
}

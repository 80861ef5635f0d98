import { EmulatorThread, RenderingError } from './thread.ts'

/** After a command that needed it: the next one often does, too. */
const KEPT_MS = 10_000

/**
 * The emulator of one session: a thread that is started when output first needs it, and ended when none has needed it for
 * a while, so that an idle conversation costs no memory for it.
 */
export class SessionEmulator {
  #kept: EmulatorThread | undefined
  #timer: NodeJS.Timeout | undefined

  /** A thread with an empty screen, the caller's until it is given back. @throws RenderingError */
  async take(): Promise<EmulatorThread> {
    const kept = this.#kept
    this.#kept = undefined
    clearTimeout(this.#timer)
    if (!kept?.idle) return startThread()
    kept.begin()
    return kept
  }

  giveBack(thread: EmulatorThread): void {
    this.close()
    if (!thread.idle) {
      thread.close()
      return
    }
    this.#kept = thread
    this.#timer = setTimeout(() => this.close(), KEPT_MS)
    this.#timer.unref()
  }

  /** Ends the thread that nobody uses. */
  close(): void {
    clearTimeout(this.#timer)
    this.#kept?.close()
    this.#kept = undefined
  }
}

async function startThread(): Promise<EmulatorThread> {
  try {
    return await EmulatorThread.start()
  } catch (error) {
    throw error instanceof RenderingError ? error : new RenderingError('the renderer could not be started')
  }
}

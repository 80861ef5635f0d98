import type { SessionEmulator } from './emulator/session-emulator.ts'
import { Screen } from './screen.ts'

/** How a command came to its end: by itself, or because its shell did. */
export type JobEnd = { kind: 'exited'; exitCode: number } | { kind: 'shell-ended'; exitCode: number }

export interface WaitLimits {
  /** The longest silence in milliseconds, counted anew from each output. */
  quietMs?: number
  /** The longest wait in milliseconds. */
  totalMs?: number
}

const MAX_TIMER_MS = 2 ** 31 - 1

/** A command that was given to a shell, with what it has shown so far. Goes on whether or not someone waits for it. */
export class Job {
  readonly command: string
  readonly screen: Screen
  /** The shell has begun with it: what comes before is the echo of our own typing. */
  started = false
  /** It has shown something. */
  shown = false
  #end: JobEnd | undefined
  #lastOutputAt = performance.now()
  #listeners = new Set<(what: 'output' | 'end') => void>()

  constructor(command: string, emulator: SessionEmulator, reply: (data: string) => void) {
    this.command = command
    this.screen = new Screen(emulator, data => {
      if (!this.#end) reply(data)
    })
  }

  get end(): JobEnd | undefined {
    return this.#end
  }

  addOutput(data: Buffer): void {
    this.#lastOutputAt = performance.now()
    this.screen.write(data)
    this.shown = true
    for (const listener of this.#listeners) listener('output')
  }

  finish(end: JobEnd): void {
    this.#end ??= end
    this.screen.finish()
    for (const listener of this.#listeners) listener('end')
  }

  listen(listener: (what: 'output' | 'end') => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** @throws the signal's reason when aborted; the command goes on then */
  wait(limits: WaitLimits, signal?: AbortSignal): Promise<'ended' | 'quiet' | 'timeout'> {
    if (this.#end) return Promise.resolve('ended')
    const since = performance.now()
    this.#lastOutputAt = since
    return new Promise((resolve, reject) => {
      const timers = new Set<NodeJS.Timeout>()
      const stop = this.listen(what => what === 'end' && settle(() => resolve('ended')))
      const onAbort = () => settle(() => reject(signal?.reason))
      const settle = (finish: () => void) => {
        stop()
        for (const timer of timers) clearTimeout(timer)
        signal?.removeEventListener('abort', onAbort)
        finish()
      }
      const after = (ms: number, act: () => void) => {
        const timer = setTimeout(
          () => {
            timers.delete(timer)
            act()
          },
          Math.min(ms, MAX_TIMER_MS),
        )
        timers.add(timer)
      }
      const { quietMs, totalMs } = limits
      const lookForSilence = (limit: number) => {
        const left = this.#lastOutputAt + limit - performance.now()
        if (left <= 0) settle(() => resolve('quiet'))
        else after(left, () => lookForSilence(limit))
      }
      if (totalMs !== undefined) after(totalMs, () => settle(() => resolve('timeout')))
      if (quietMs !== undefined) lookForSilence(quietMs)
      signal?.addEventListener('abort', onAbort, { once: true })
      if (signal?.aborted) onAbort()
    })
  }
}

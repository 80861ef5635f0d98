import type { Engine } from '../../docker/engine.ts'
import { KeptShell } from './kept-shell.ts'

/** More than two commands at a time are rare: the others' shells end with them. */
const MAX_IDLE = 2
const IDLE_MS = 60_000

interface Idle {
  shell: KeptShell
  timer: NodeJS.Timeout
}

/** The shells of the sandboxes that wait for the next command. Who takes one gives it back, or has stopped it. */
export class KeptShells {
  readonly #idle = new Map<string, Idle[]>()
  #isClosed = false

  /** @throws AppError as `startProcess` does */
  async take(engine: Engine, containerId: string, signal: AbortSignal): Promise<KeptShell> {
    for (let idle = this.#pop(containerId); idle; idle = this.#pop(containerId)) {
      if (idle.isOpen && (await idle.answers())) return idle
      idle.close()
    }
    return KeptShell.start(engine, containerId, signal)
  }

  giveBack(containerId: string, shell: KeptShell): void {
    if (!shell.isOpen) return
    const idle = this.#idle.get(containerId) ?? []
    if (this.#isClosed || idle.length >= MAX_IDLE) return shell.close()
    const timer = setTimeout(() => this.#forget(containerId, shell), IDLE_MS).unref()
    this.#idle.set(containerId, [...idle, { shell, timer }])
  }

  /** Before a sandbox is paused: its shells would not answer. */
  closeOf(containerId: string): void {
    for (let shell = this.#pop(containerId); shell; shell = this.#pop(containerId)) shell.close()
  }

  close(): void {
    this.#isClosed = true
    for (const containerId of [...this.#idle.keys()]) this.closeOf(containerId)
  }

  /** The one that was used last: the others grow old. */
  #pop(containerId: string): KeptShell | undefined {
    const idle = this.#idle.get(containerId)
    const last = idle?.pop()
    if (idle?.length === 0) this.#idle.delete(containerId)
    clearTimeout(last?.timer)
    return last?.shell
  }

  #forget(containerId: string, shell: KeptShell): void {
    const idle = (this.#idle.get(containerId) ?? []).filter(each => each.shell !== shell)
    if (idle.length > 0) this.#idle.set(containerId, idle)
    else this.#idle.delete(containerId)
    shell.close()
  }
}

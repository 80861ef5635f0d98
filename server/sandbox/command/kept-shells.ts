import type { Engine } from '../../docker/engine.ts'
import { KeptShell } from './kept-shell.ts'
import { ShellsOfSandbox } from './shells-of-sandbox.ts'

/** The shells of the sandboxes. Who takes one gives it back, also when it was stopped. */
export class KeptShells {
  readonly #sandboxes = new Map<string, ShellsOfSandbox>()
  #isClosed = false

  /** @throws AppError as `startProcess` does */
  take(engine: Engine, containerId: string, signal: AbortSignal): Promise<KeptShell> {
    const shells = this.#sandboxes.get(containerId) ?? new ShellsOfSandbox(() => this.#sandboxes.delete(containerId))
    this.#sandboxes.set(containerId, shells)
    return shells.take(() => KeptShell.start({ engine, containerId, shells: this }, signal), signal)
  }

  /** Starts one, so that the first command need not. What goes wrong is that command's to say. */
  prepare(engine: Engine, containerId: string, signal: AbortSignal): void {
    this.take(engine, containerId, signal).then(
      shell => this.giveBack(containerId, shell),
      () => {},
    )
  }

  /** Whether the sandbox has shells now: then a command costs the engine nothing. */
  has(containerId: string): boolean {
    return this.#sandboxes.has(containerId)
  }

  /** Whether a shell that waits for a command has run this one, whose output nobody wants; none is started for it. */
  async runIdle(containerId: string, argv: string[]): Promise<boolean> {
    const shell = await this.#sandboxes.get(containerId)?.takeIdle()
    if (!shell) return false
    try {
      const { stdout, stderr, exitCode } = shell.run({ argv, cwd: '/' })
      stdout.resume()
      stderr.resume()
      return (await exitCode) === 0
    } finally {
      this.giveBack(containerId, shell)
    }
  }

  giveBack(containerId: string, shell: KeptShell): void {
    this.#sandboxes.get(containerId)?.giveBack(shell)
    if (this.#isClosed) this.closeOf(containerId)
  }

  /** Before a sandbox is paused: its shells would not answer. */
  closeOf(containerId: string): void {
    this.#sandboxes.get(containerId)?.closeIdle()
  }

  close(): void {
    this.#isClosed = true
    for (const containerId of [...this.#sandboxes.keys()]) this.closeOf(containerId)
  }
}

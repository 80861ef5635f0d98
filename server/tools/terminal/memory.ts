import { type MemoryKills, ranOutOfMemory, USE_LESS_MEMORY } from '../../domain/memory-kills.ts'
import type { SandboxHandle } from '../../domain/sandbox-handle.ts'

/** Whether the sandbox ran out of memory since the model last heard of it: the kernel says nothing to those who wait. */
export class MemoryReport {
  readonly #sandbox: () => Promise<Pick<SandboxHandle, 'memoryKills'>>
  #reported: Promise<MemoryKills | null> | undefined

  constructor(sandbox: () => Promise<Pick<SandboxHandle, 'memoryKills'>>) {
    this.#sandbox = sandbox
  }

  /** What happened before is nothing to report. */
  begin(sandbox: Pick<SandboxHandle, 'memoryKills'>): void {
    this.#reported ??= sandbox.memoryKills()
  }

  /** Of a command that has ended: empty where there is nothing to say. Nothing is asked where all looks well. */
  async after({ exitCode, output }: { exitCode: number; output: string }): Promise<string> {
    if (exitCode === 0 && !/\bKilled\b/.test(output)) return ''
    const before = await this.#reported
    const sandbox = await this.#sandbox().catch(() => undefined)
    const now = await sandbox?.memoryKills()
    if (!now) return ''
    this.#reported = Promise.resolve(now)
    if (!before || now.count <= before.count) return ''
    return `\n[${ranOutOfMemory(now)} ${USE_LESS_MEMORY}]`
  }
}

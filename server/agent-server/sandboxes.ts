import { isAppError } from '../domain/errors.ts'
import type { SandboxHandle } from '../domain/sandbox-handle.ts'
import type { SandboxService } from '../sandbox/service.ts'
import type { Access } from './access.ts'

interface Dependencies {
  sandboxes: SandboxService
  /** Which sandbox the app's own key works in; kept over restarts. */
  chosen: { get(): string | null; set(id: string): void }
}

/**
 * The machine behind the gateway, as its clients see it: a sandbox's key has its sandbox; the app's key has one of its
 * own, which is started when it is first needed, or again when it was removed.
 */
export class GatewaySandboxes {
  readonly #dependencies: Dependencies
  #starting: Promise<string> | undefined

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  /** A paused one is resumed. @throws AppError sandbox_not_found, sandbox_not_running, engine_unavailable */
  async open(access: Access, signal: AbortSignal): Promise<SandboxHandle> {
    const { sandboxes } = this.#dependencies
    return sandboxes.open(await this.running(access, signal))
  }

  /** @throws AppError sandbox_not_found, sandbox_not_running, engine_unavailable */
  async running(access: Access, signal: AbortSignal): Promise<string> {
    const { sandboxes } = this.#dependencies
    const id = access.kind === 'sandbox' ? access.sandboxId : await this.#own()
    await sandboxes.resume(id).catch(error => {
      // Why it cannot be used says more than why it cannot be resumed.
      if (!isAppError(error, 'conflict')) throw error
    })
    await sandboxes.waitUntilRunning(id, { signal })
    return id
  }

  async #own(): Promise<string> {
    const { sandboxes, chosen } = this.#dependencies
    const known = chosen.get()
    const [found] = known ? await sandboxes.batch([known]) : []
    if (known && found && found.status !== 'ERROR' && found.status !== 'MISSING') return known
    this.#starting ??= this.#start().finally(() => {
      this.#starting = undefined
    })
    return this.#starting
  }

  async #start(): Promise<string> {
    const { id } = await this.#dependencies.sandboxes.create()
    this.#dependencies.chosen.set(id)
    return id
  }
}

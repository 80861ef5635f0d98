import type { EngineConnection } from '../docker/connection.ts'
import { isAppError, messageOf } from '../domain/errors.ts'
import type { Log } from '../log.ts'
import { type Sandbox, statusOf } from './state.ts'

/** The engine looks at every file that a sandbox has written, which takes it a second for a hundred thousand. */
const LOOK_EVERY_MS = 5 * 60_000
/** Of its limit: from here on a sandbox says so. One that the engine holds to its limit never gets beyond it. */
const NOTED_PART = 0.95

export interface SandboxDiskUseOptions {
  connection: Pick<EngineConnection, 'engine'>
  log: Log
  sandboxes(): readonly Sandbox[]
  /** Bytes that sandboxes of this spec may write. */
  limitOf(specId: string): Promise<number>
  /** There is something else to say about it. */
  onChange(id: string): void
}

/**
 * What running sandboxes have written, and whether that is about what they may. Most engines cannot hold a container to a
 * limit, and Atelier neither ends nor pauses one that goes beyond it, since its work would be lost: it says so.
 */
export class SandboxDiskUse {
  readonly #options: SandboxDiskUseOptions
  readonly #notes = new Map<string, string>()
  readonly #closing = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #round: Promise<void> = Promise.resolve()

  constructor(options: SandboxDiskUseOptions) {
    this.#options = options
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.#round = this.#round.then(() => this.look())
    }, LOOK_EVERY_MS).unref()
  }

  /** null while there is nothing to say. */
  noteOn(id: string): string | null {
    return this.#notes.get(id) ?? null
  }

  /** One after the other, so that the engine's disk is left to those who work. Never rejects. */
  async look(): Promise<void> {
    const all = this.#options.sandboxes()
    const ids = new Set(all.map(({ id }) => id))
    for (const id of this.#notes.keys()) if (!ids.has(id)) this.#notes.delete(id)
    for (const sandbox of all) {
      if (this.#closing.signal.aborted) return
      if (sandbox.kind !== 'container' || statusOf(sandbox) !== 'RUNNING') continue
      await this.#lookAt(sandbox.id, sandbox.container.id, sandbox.specId).catch(error => {
        // It ended meanwhile, or the engine went away: the next round tells.
        if (isAppError(error, 'sandbox_not_found') || isAppError(error, 'engine_unavailable')) return
        this.#options.log.info({ sandbox: sandbox.id, error: messageOf(error) }, 'a sandbox could not be measured')
      })
    }
  }

  close(): void {
    this.#closing.abort()
    clearInterval(this.#timer)
  }

  async #lookAt(id: string, containerId: string, specId: string): Promise<void> {
    const { connection, limitOf, onChange, log } = this.#options
    const [bytes, limit] = [await connection.engine().writtenBytes(containerId), await limitOf(specId)]
    const note = bytes < limit * NOTED_PART ? null : words(bytes, limit)
    if (note === this.noteOn(id)) return
    if (note === null) this.#notes.delete(id)
    else {
      if (!this.#notes.has(id)) log.warn({ sandbox: id, bytes, limit }, 'a sandbox has written what it may')
      this.#notes.set(id, note)
    }
    onChange(id)
  }
}

function words(bytes: number, limit: number): string {
  const amount = `It has written ${gigabytes(bytes)} GB, and ${gigabytes(limit)} GB is its limit.`
  return `${amount} Delete what it does not need, or raise the limit in its sandbox spec.`
}

function gigabytes(bytes: number): string {
  return String(Number((bytes / 1e9).toFixed(1)))
}

import { setTimeout as delay } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { EngineConnection } from '../../docker/connection.ts'
import { instanceLabels } from '../../docker/container/labels.ts'
import type { EngineObject } from '../../docker/engine.ts'
import { isAppError, messageOf } from '../../domain/errors.ts'
import type { Log } from '../../log.ts'
import type { SandboxRemovals } from '../../store/sandbox/removals.ts'
import { type DesiredState, reconcile, type Step, sandboxesOf } from './reconcile.ts'

/** What could not be removed is tried again, later each time. */
const FIRST_RETRY_MS = 5000
const MAX_RETRY_MS = 5 * 60_000
/** What is still there right after it was removed is removed again so often, and so soon. */
const MAX_REPEATS = 20
const REPEAT_MS = 250

export interface ReconcilerOptions {
  connection: Pick<EngineConnection, 'engine' | 'subscribe'>
  log: Log
  instanceId: string
  removals: SandboxRemovals
  isHeld(sandboxId: string): boolean
}

/**
 * Removes what starts, deletions and their failures left in the engine: whenever one is connected, and whenever asked.
 * One round at a time.
 */
export class Reconciler {
  readonly #options: ReconcilerOptions
  #round: Promise<void> | undefined
  #askedAgain = false
  #retry: NodeJS.Timeout | undefined
  #retryMs = FIRST_RETRY_MS
  #unsubscribe = () => {}
  #closed = false

  constructor(options: ReconcilerOptions) {
    this.#options = options
  }

  start(): void {
    this.#unsubscribe = this.#options.connection.subscribe({
      onConnected: () => void this.run(),
      onLost: () => {},
    })
  }

  get wanted(): DesiredState {
    const { instanceId, removals, isHeld } = this.#options
    return {
      instanceId,
      removals: { get: id => removals.reasonOf(id), keys: () => removals.ids },
      isHeld,
      isUsed: id => removals.isUsed(id),
    }
  }

  /** Resolves when a whole round, begun after this call, is over. Never rejects: what fails is tried again later. */
  run(): Promise<void> {
    this.#askedAgain = true
    this.#round ??= this.#rounds().finally(() => {
      this.#round = undefined
    })
    return this.#round
  }

  /** Only the parts of this sandbox, without waiting for others. @throws AppError what kept a part of it */
  async remove(sandboxId: string): Promise<void> {
    try {
      const steps = (await this.#steps()).filter(step => step.sandboxId === sandboxId)
      await this.#carryOut(steps)
      for (const step of await this.#steps()) {
        if (step.kind === 'forget' && step.sandboxId === sandboxId) await this.#take(step)
      }
      // The image of another may have waited for this one's.
      if (this.#options.removals.ids.size > 0) void this.run()
    } catch (error) {
      this.#retryLater()
      throw error
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#unsubscribe()
    clearTimeout(this.#retry)
    await this.#round
  }

  async #rounds(): Promise<void> {
    while (this.#askedAgain && !this.#closed) {
      this.#askedAgain = false
      clearTimeout(this.#retry)
      try {
        // What is removed in one pass is forgotten in the next.
        let before: Step[] = []
        let repeated = 0
        for (let steps = await this.#steps(); steps.length > 0 && !this.#closed; steps = await this.#steps()) {
          // An engine may take its time with what it has agreed to remove.
          if (isDeepStrictEqual(steps, before)) {
            if (++repeated > MAX_REPEATS) return this.#retryLater()
            await delay(REPEAT_MS)
          }
          await this.#carryOut(steps)
          before = steps
        }
        this.#retryMs = FIRST_RETRY_MS
      } catch (error) {
        // The next connection asks for a round of its own.
        if (isAppError(error, 'engine_unavailable')) continue
        this.#options.log.warn({ error: messageOf(error) }, 'sandboxes could not be tidied up')
        this.#retryLater()
      }
    }
  }

  async #steps(): Promise<Step[]> {
    const { connection, instanceId, removals } = this.#options
    const objects: EngineObject[] = await connection.engine().listObjects(instanceLabels(instanceId))
    // The engine may have been known under another entry when they were begun.
    removals.claim(sandboxesOf(objects, instanceId))
    return reconcile(this.wanted, objects)
  }

  /** In the order of the kinds, all of a kind at the same time. @throws the first failure, after the others were tried */
  async #carryOut(steps: readonly Step[]): Promise<void> {
    const kinds = new Set(steps.map(kindOf))
    const failures: unknown[] = []
    for (const kind of kinds) {
      const done = await Promise.allSettled(steps.filter(step => kindOf(step) === kind).map(step => this.#take(step)))
      for (const each of done) if (each.status === 'rejected') failures.push(each.reason)
    }
    if (failures.length > 0) throw failures[0]
  }

  async #take(step: Step): Promise<void> {
    const { connection, removals, log } = this.#options
    if (step.kind === 'forget') return removals.forget(step.sandboxId)
    const { kind, name } = step.object
    log.info({ sandbox: step.sandboxId, kind, name }, 'removing what is not wanted any more')
    await connection.engine().removeObject(step.object)
  }

  #retryLater(): void {
    if (this.#closed) return
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => void this.run(), this.#retryMs)
    this.#retry.unref()
    this.#retryMs = Math.min(this.#retryMs * 2, MAX_RETRY_MS)
  }
}

function kindOf(step: Step): string {
  return step.kind === 'remove' ? step.object.kind : step.kind
}

import { createMutex } from '../../async/mutex.ts'
import { AppError, isAppError } from '../../domain/errors.ts'
import { type Sandbox, statusOf } from '../state.ts'
import type { IdlePausing } from './idle-pausing.ts'

export interface RunningLimitOptions {
  /** null for any number. */
  runningLimit(): number | null
  sandboxes(): readonly Sandbox[]
  idle: Pick<IdlePausing, 'pauseLongestIdle'>
  /** There is room for fewer that are prepared before anybody asks. */
  onEntered(): void
}

/**
 * How many sandboxes of one engine, which share its processors and memory, run at once.
 *
 * INVARIANT: whoever starts or resumes one has a place before, and keeps it until the sandbox itself is seen to run, so that many
 * at once never are more than may be.
 */
export class RunningLimit {
  readonly #options: RunningLimitOptions
  readonly #mutex = createMutex()
  /** Ids of those that resume; one that starts has none yet. */
  readonly #entering = new Set<{ id: string | undefined }>()

  constructor(options: RunningLimitOptions) {
    this.#options = options
  }

  /** How many more may run. */
  room(): number {
    return Math.max(0, (this.#options.runningLimit() ?? Number.POSITIVE_INFINITY) - this.#running().size)
  }

  /**
   * Keeps a place until the returned function is called. What nothing has used for longest is paused for it, where it may be.
   * @throws AppError too_many_sandboxes
   */
  enter(id?: string): Promise<() => void> {
    return this.#mutex(async () => {
      while (!(id !== undefined && this.#running().has(id)) && this.room() < 1) {
        // One that cannot be paused is no reason to refuse a place that another one has.
        if (!(await this.#options.idle.pauseLongestIdle().catch(unlessAway))) {
          throw refusal(this.#options.runningLimit() ?? 0)
        }
      }
      const entering = { id }
      this.#entering.add(entering)
      if (this.#options.runningLimit() !== null) this.#options.onEntered()
      return () => {
        this.#entering.delete(entering)
      }
    })
  }

  /** One that resumes and is seen to run already counts once. */
  #running(): ReadonlySet<unknown> {
    const running = this.#options.sandboxes().filter(runs)
    return new Set<unknown>([...running.map(({ id }) => id), ...[...this.#entering].map(each => each.id ?? each)])
  }
}

/** @returns that the next one is to be tried */
function unlessAway(error: unknown): true {
  if (isAppError(error, 'engine_unavailable')) throw error
  return true
}

function runs(sandbox: Sandbox): boolean {
  return sandbox.kind !== 'unreachable' && ['RUNNING', 'STARTING'].includes(statusOf(sandbox))
}

function refusal(limit: number): AppError {
  const many = limit === 1 ? 'A sandbox runs, and only one may' : `${limit} sandboxes run, and no more may`
  const remedy =
    'Pause or delete one, or raise "Running sandboxes at most" in Settings › Sandbox (max_running_sandboxes).'
  return new AppError('too_many_sandboxes', `${many} at once. ${remedy}`, { details: { limit } })
}

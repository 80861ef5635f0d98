import { createMutex } from '../../async/mutex.ts'
import { AppError, isAppError } from '../../domain/errors.ts'
import { type Sandbox, statusOf } from '../state.ts'
import type { IdlePausing } from './idle-pausing.ts'

export interface RunningLimitOptions {
  /** null for any number. */
  runningLimit(): number | null
  sandboxes(): readonly Sandbox[]
  idle: Pick<IdlePausing, 'pauseLongestIdle' | 'giveWay'>
  /** There is room for fewer that are prepared before anybody asks. */
  onEntered(): void
}

/** Places that only copies of one sandbox take. */
interface KeptPlaces {
  of: string
  left: number
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
  readonly #kept = new Set<KeptPlaces>()

  constructor(options: RunningLimitOptions) {
    this.#options = options
  }

  /** How many more may run. */
  room(): number {
    const kept = [...this.#kept].reduce((sum, { left }) => sum + left, 0)
    return Math.max(0, (this.#options.runningLimit() ?? Number.POSITIVE_INFINITY) - this.#running().size - kept)
  }

  /**
   * Keeps a place until the returned function is called. What nothing has used for longest is paused for it, where it may be.
   * @param asked the one that resumes, or the one that is copied, whose kept places come first
   * @throws AppError too_many_sandboxes
   */
  enter({ id, copyOf }: { id?: string; copyOf?: string | undefined } = {}): Promise<() => void> {
    return this.#mutex(async () => {
      const kept = [...this.#kept].find(({ of, left }) => of === copyOf && left > 0)
      if (kept) kept.left -= 1
      else if (id === undefined || !this.#running().has(id)) await this.#makeRoom(1)
      const entering = { id }
      this.#entering.add(entering)
      this.#entered()
      return () => {
        this.#entering.delete(entering)
      }
    })
  }

  /**
   * Keeps places for copies of a sandbox that are to begin, until the returned function is called.
   * @param givesWay whether it is paused where its own place is needed for them
   * @throws AppError too_many_sandboxes
   */
  keep(of: string, count: number, givesWay: boolean): Promise<() => void> {
    return this.#mutex(async () => {
      if (givesWay && this.room() < count) await this.#options.idle.giveWay(of)
      await this.#makeRoom(count)
      const kept = { of, left: count }
      this.#kept.add(kept)
      this.#entered()
      return () => {
        this.#kept.delete(kept)
      }
    })
  }

  async #makeRoom(count: number): Promise<void> {
    while (this.room() < count) {
      // One that cannot be paused is no reason to refuse a place that another one has.
      if (!(await this.#options.idle.pauseLongestIdle().catch(unlessAway))) {
        throw refusal(this.#options.runningLimit() ?? 0, count)
      }
    }
  }

  #entered(): void {
    if (this.#options.runningLimit() !== null) this.#options.onEntered()
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

function refusal(limit: number, count: number): AppError {
  const many = limit === 1 ? 'A sandbox runs, and only one may' : `${limit} sandboxes run, and no more may`
  const what = count === 1 ? many : `There is no room for ${count} more sandboxes: no more than ${limit} may run`
  const remedy =
    'Pause or delete one, or raise "Running sandboxes at most" in Settings › Sandbox (max_running_sandboxes).'
  return new AppError('too_many_sandboxes', `${what} at once. ${remedy}`, { details: { limit } })
}

import type { ComposeProject } from '../../compose/read.ts'
import { AppError } from '../../domain/errors.ts'
import type { ServiceProgress } from './set.ts'

/** A service as an agent is to know it. */
export interface KnownService {
  name: string
  image: string
  ports: readonly number[]
  /** Why it does not work, in sentences; null for one that does. */
  problem: string | null
}

/** What is known of the services of one sandbox, and done to them. */
interface Work {
  turn: Promise<unknown>
  abort: AbortController
  /** Of those that are being started, or were not. */
  progress: Map<string, ServiceProgress>
  project: ComposeProject | null
  known: KnownService[]
  /** Lines of the build that is under way for a service, or has failed. */
  builds: Map<string, string[]>
  /** They are being looked at; whether once more after that. */
  look: { isAskedAgain: boolean } | null
}

/** One thing after the other is done to the services of a sandbox. */
export class ServiceWork {
  readonly #all = new Map<string, Work>()

  of(id: string): Work {
    const known = this.#all.get(id)
    if (known) return known
    const turn = Promise.resolve()
    const work = {
      turn,
      abort: new AbortController(),
      progress: new Map(),
      project: null,
      known: [],
      builds: new Map(),
      look: null,
    }
    this.#all.set(id, work)
    return work
  }

  has(id: string): boolean {
    return this.#all.has(id)
  }

  known(id: string): readonly KnownService[] {
    return this.#all.get(id)?.known ?? []
  }

  inTurn<T>(id: string, work: () => Promise<T>): Promise<T> {
    const own = this.of(id)
    const next = own.turn.catch(() => {}).then(work)
    own.turn = next
    return next
  }

  /** Looks at them after something has changed: however much does, once at a time. Never rejects. */
  async seen(id: string, look: () => Promise<unknown>): Promise<void> {
    const work = this.#all.get(id)
    if (!work) return
    if (work.look) {
      work.look.isAskedAgain = true
      return
    }
    const own = { isAskedAgain: true }
    work.look = own
    while (own.isAskedAgain) {
      own.isAskedAgain = false
      // What there is no answer to is seen with the next change.
      await look().catch(() => {})
    }
    work.look = null
  }

  /** What is being started is given up; what comes after this is not. */
  giveUp(id: string): void {
    const work = this.of(id)
    work.abort.abort(new AppError('conflict', 'The services were stopped while they were being started.'))
    work.abort = new AbortController()
  }

  /** How far its services were started and built; without a name, of all of them. */
  forget(id: string, name?: string): void {
    const { progress, builds } = this.of(id)
    for (const each of [progress, builds]) {
      if (name === undefined) each.clear()
      else each.delete(name)
    }
  }

  delete(id: string): void {
    this.#all.delete(id)
  }

  async close(): Promise<void> {
    for (const id of this.#all.keys()) this.giveUp(id)
    await Promise.allSettled([...this.#all.values()].map(({ turn }) => turn))
  }
}

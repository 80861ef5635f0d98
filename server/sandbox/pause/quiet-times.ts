import { timeLimit } from '../../async/time-limit.ts'
import { unlessAborted } from '../../async/unless-aborted.ts'
import type { EngineConnection } from '../../docker/connection.ts'
import { partLabels } from '../../docker/container/labels.ts'
import type { ContainerState, ContainerWork } from '../../docker/engine.ts'
import type { KeptShells } from '../command/kept-shells.ts'
import type { Sandbox } from '../state.ts'
import { isWaitingForSomebody } from './activity.ts'

/** Of one processor: what a waiting server or a watcher of files takes stays below, what builds or computes does not. */
const BUSY_PART = 0.02
/** Beyond both, programs talk with somebody; below are the announcements of the network itself. */
const BUSY_BYTES_PER_SECOND = 200
const BUSY_BYTES = 10_000
const LOOK_MS = 15_000

interface Measured {
  containerId: string
  work: ContainerWork
  at: number
}

export interface QuietTimesOptions {
  connection: Pick<EngineConnection, 'engine'>
  instanceId: string
  shells: KeptShells
}

/** Since when sandboxes have done no work worth mentioning, as far as they are measured. */
export class QuietTimes {
  readonly #options: QuietTimesOptions
  readonly #measured = new Map<string, Measured>()
  readonly #since = new Map<string, number>()

  constructor(options: QuietTimesOptions) {
    this.#options = options
  }

  /** Milliseconds; 0 for one that was not measured. */
  of(id: string): number {
    const now = performance.now()
    return now - (this.#since.get(id) ?? now)
  }

  /** Each measurement covers the time since the one before it. @returns whether there was work in that time */
  async measure(id: string, containerId: string, everyMs: number): Promise<boolean> {
    const before = this.#measured.get(id)
    if (before?.containerId === containerId && performance.now() - before.at < everyMs) return false
    const work = await inTime(this.#workOf(id, containerId))
    // The engine takes up to a second: work that it saw counts from its answer on, not from the question.
    const at = performance.now()
    this.#measured.set(id, { containerId, work, at })
    const hasWorked = before?.containerId !== containerId || isWork(before, { work, at })
    if (hasWorked) this.#since.set(id, at)
    return hasWorked
  }

  /** Whether it does nothing while it is looked at, which takes about two seconds, and waits for nobody. */
  async isAtRest(sandbox: Sandbox): Promise<boolean> {
    if (sandbox.kind !== 'container') return false
    const { id, container } = sandbox
    await this.measure(id, container.id, 0)
    return !(await this.measure(id, container.id, 0)) && !(await this.isWaiting(container))
  }

  isWaiting(container: ContainerState): Promise<boolean> {
    const { connection, shells } = this.#options
    const place = { engine: connection.engine(), containerId: container.id, shells }
    return inTime(isWaitingForSomebody(place, Object.keys(container.ports).map(Number)))
  }

  /** The next measurement is a first one. */
  begin(id: string): void {
    this.#measured.delete(id)
  }

  clear(): void {
    this.#measured.clear()
    this.#since.clear()
  }

  forgetAllBut(ids: ReadonlySet<string>): void {
    for (const map of [this.#measured, this.#since]) for (const id of map.keys()) if (!ids.has(id)) map.delete(id)
  }

  /** With that of the services beside it, which are paused with it; their network is its own. */
  async #workOf(id: string, containerId: string): Promise<ContainerWork> {
    const { connection, instanceId } = this.#options
    const engine = connection.engine()
    const beside = (await engine.listContainers(partLabels(instanceId, id))).filter(each => each.status === 'running')
    const [own, ...others] = await Promise.all([
      engine.containerWork(containerId),
      ...beside.map(each => engine.containerWork(each.id)),
    ])
    const cpuMilliseconds = others.reduce((sum, each) => sum + each.cpuMilliseconds, own.cpuMilliseconds)
    return { ...own, cpuMilliseconds }
  }
}

/** What a sandbox says of itself may never come: nobody else's pause or start waits for that. */
function inTime<T>(looking: Promise<T>): Promise<T> {
  return unlessAborted(looking, timeLimit(LOOK_MS))
}

function isWork(before: Omit<Measured, 'containerId'>, now: Omit<Measured, 'containerId'>): boolean {
  const elapsedMs = Math.max(1, now.at - before.at)
  const cpu = (now.work.cpuMilliseconds - before.work.cpuMilliseconds) / elapsedMs
  const bytes = now.work.networkBytes - before.work.networkBytes
  return cpu > BUSY_PART || bytes > Math.max(BUSY_BYTES, BUSY_BYTES_PER_SECOND * (elapsedMs / 1000))
}

import type { ContainerState } from '../../docker/engine.ts'
import { isAppError, messageOf } from '../../domain/errors.ts'
import { type Sandbox, statusOf } from '../state.ts'
import { Endings } from './endings.ts'
import type { IdlePausingOptions } from './idle-options.ts'
import { Looks } from './looks.ts'
import { pausesByItself } from './programs.ts'
import { QuietTimes } from './quiet-times.ts'
import { SandboxUses } from './uses.ts'

const MINUTE_MS = 60_000
const LOOK_EVERY_MINUTES = 1
/** From one look to the next, also on a machine under load. */
const MAX_PAUSE_MINUTES = 10
/** At most. The engine measures a container once a second, and answers then. */
const MEASURE_EVERY_MINUTES = 5
/** What was used within so long is not paused for another one either. */
const UNUSED_MINUTES = 5

/**
 * Pauses sandboxes that nothing has used for a while, and resumes them when something needs them.
 *
 * INVARIANTS: one that is in use is not paused, and a use that begins in the middle of a pause waits for its end and
 * resumes; one that a person paused is never resumed here; each pause of ours is recorded before it is done.
 */
export class IdlePausing {
  readonly #options: IdlePausingOptions
  readonly #uses = new SandboxUses()
  readonly #quiet: QuietTimes
  readonly #pausing = new Map<string, Promise<void>>()
  readonly #waking = new Map<string, Promise<void>>()
  readonly #endings: Endings
  readonly #looks = new Looks()
  readonly #closing = new AbortController()
  readonly #minuteMs: number
  /** When the last look ended. */
  #lookedAt = performance.now()
  #timer: NodeJS.Timeout | undefined

  constructor(options: IdlePausingOptions) {
    this.#options = options
    this.#minuteMs = options.minuteMs ?? MINUTE_MS
    this.#quiet = new QuietTimes(options)
    const isPausedHere = (id: string) => this.isPausedHere(id)
    this.#endings = new Endings({ ...options, isPausedHere, use: id => this.use(id), closing: this.#closing.signal })
  }

  start(): void {
    if (this.#closing.signal.aborted) return
    this.#timer = setTimeout(() => {
      const { log } = this.#options
      void this.#look()
        .catch(error => log.warn({ error: messageOf(error) }, 'idle sandboxes could not be looked for'))
        .finally(() => {
          this.#lookedAt = performance.now()
          this.start()
        })
    }, LOOK_EVERY_MINUTES * this.#minuteMs).unref()
  }

  /** Until the returned function is called it is in use; one that was paused here goes on first. @throws what resuming it does */
  async use(id: string): Promise<() => void> {
    const release = this.#uses.begin(id)
    try {
      await this.wake(id)
      return release
    } catch (error) {
      release()
      throw error
    }
  }

  /** Whether something uses it now, works in it or holds it. */
  isInUse(id: string): boolean {
    return this.#uses.isInUse(id) || this.#waking.has(id) || this.#isBusy(id)
  }

  touch(id: string): void {
    this.#uses.touch(id)
  }

  /**
   * Ends something in it: what is left in a paused sandbox would go on with its next use. When the service ends nothing else
   * is woken; one that was paused here is so again afterwards. Never rejects.
   */
  async end(id: string, work: () => Promise<void>): Promise<void> {
    await this.#endings.end(id, work)
  }

  /**
   * Looks into one that runs, without a use of it: it is paused in its time as if nobody looked, though never in the middle.
   * @returns undefined, with nothing done, where it is paused
   */
  async look<T>(id: string, work: () => Promise<T>): Promise<T | undefined> {
    if (this.#pausing.has(id) || this.isPausedHere(id)) return undefined
    return this.#looks.during(id, work)
  }

  /** Resumes it if it was paused here. @throws what resuming it does */
  async wake(id: string): Promise<void> {
    this.#uses.touch(id)
    await this.#pausing.get(id)
    // What ends with the service wakes nothing.
    if (this.#closing.signal.aborted || !this.isPausedHere(id)) return
    const waking =
      this.#waking.get(id) ??
      this.#resume(id).finally(() => {
        this.#waking.delete(id)
      })
    this.#waking.set(id, waking)
    await waking
  }

  isPausedHere(id: string): boolean {
    if (this.#options.idlePauses.minutesOf(id) === undefined) return false
    const sandbox = this.#options.get(id)
    return sandbox?.kind === 'container' && sandbox.container.status === 'paused'
  }

  /** For a person who pauses or resumes it: what goes on here ends first, and nothing begins soon. */
  async settled(id: string): Promise<void> {
    this.#uses.touch(id)
    await this.#pausing.get(id)
    await this.#waking.get(id)?.catch(() => {})
  }

  /** From now on it is as a person wants it. */
  forget(id: string): void {
    try {
      if (this.#options.idlePauses.forget(id)) this.#options.onChange(id)
    } catch (error) {
      // Forgotten until the service ends; after that a sandbox that runs is looked at again.
      this.#options.log.warn({ sandbox: id, error: messageOf(error) }, 'a resumed sandbox could not be recorded')
    }
  }

  /**
   * Pauses the one that nothing has used for longest, of those that are at rest now, without waiting for their time.
   * @returns whether there was one, which there is not where nothing is paused for want of use
   */
  async pauseLongestIdle(): Promise<boolean> {
    if (this.#options.idleMinutes() === null || this.#closing.signal.aborted) return false
    this.#noteSleep()
    const running = this.#options.sandboxes().filter(each => this.#mayRest(each))
    const longestFirst = running.sort((one, other) => this.#uses.lastAt(one.id) - this.#uses.lastAt(other.id))
    // What became of one meanwhile, or that its engine is away, is no reason to refuse another one its place.
    const atRest = await Promise.all(longestFirst.map(each => this.#quiet.isAtRest(each).catch(() => false)))
    for (const [index, sandbox] of longestFirst.entries()) {
      // Whatever has begun meanwhile comes first.
      if (!atRest[index]) continue
      await this.#looks.over(sandbox.id)
      if (this.#closing.signal.aborted || !this.#mayRest(sandbox) || this.#looks.isIn(sandbox.id)) continue
      const minutes = Math.floor((performance.now() - this.#uses.lastAt(sandbox.id)) / this.#minuteMs)
      await this.#pause(sandbox.id, minutes)
      return true
    }
    return false
  }

  /** Pauses one whose place others are given, however lately it was used; not one that anything but the asker holds or uses. */
  async giveWay(id: string): Promise<void> {
    const { get, holds, idlePauses } = this.#options
    const mayPause = () => {
      const sandbox = get(id)
      const isBusy = holds(id) > 1 || idlePauses.isWorkedIn(id) || this.#uses.isInUse(id) || this.#looks.isIn(id)
      return sandbox?.kind === 'container' && this.#isPausable(sandbox.container) && !isBusy
    }
    await this.#looks.over(id)
    if (mayPause() && !this.#closing.signal.aborted) await this.#pause(id, 0)
  }

  noteOn(id: string): string | null {
    const minutes = this.#options.idlePauses.minutesOf(id)
    if (minutes === undefined || !this.isPausedHere(id)) return null
    return minutes === 0 ? 'Paused to make room for others.' : `Paused after ${minutes} minutes without use.`
  }

  /** Begins no other pause, and waits for those under way. */
  async close(): Promise<void> {
    this.#closing.abort()
    clearTimeout(this.#timer)
    await Promise.all(this.#pausing.values())
  }

  async #look(): Promise<void> {
    await this.#options.ready()
    if (this.#closing.signal.aborted) return
    this.#noteSleep()
    await this.#forgetOthers()
    const minutes = this.#options.idleMinutes()
    if (minutes === null) return
    const looks = this.#options.sandboxes().map(async sandbox => {
      if (sandbox.kind !== 'container' || !this.#isPausable(sandbox.container)) return
      await this.#lookAt(sandbox.id, sandbox.container, minutes).catch(error => {
        // It ended meanwhile, or the engine went away: the next round sees that.
        if (isAppError(error, 'sandbox_not_found') || isAppError(error, 'engine_unavailable')) return
        this.#options.log.info({ sandbox: sandbox.id, error: messageOf(error) }, 'a sandbox could not be paused')
      })
    })
    await Promise.all(looks)
  }

  /** Clocks of some systems go on while the machine is suspended: nobody could use anything meanwhile. */
  #noteSleep(): void {
    if (performance.now() - this.#lookedAt < MAX_PAUSE_MINUTES * this.#minuteMs) return
    for (const { id } of this.#options.sandboxes()) this.#uses.touch(id)
    this.#quiet.clear()
  }

  async #resume(id: string): Promise<void> {
    await this.#options.resume(id)
    this.forget(id)
  }

  /** What runs was resumed by somebody, also from outside; what is gone needs no record. */
  async #forgetOthers(): Promise<void> {
    const { idlePauses, sandboxes, get } = this.#options
    for (const id of idlePauses.ids) {
      const sandbox = get(id)
      // One that is not known may be of another engine, and is there again with it.
      const isOver = sandbox?.kind === 'container' && statusOf(sandbox) !== 'PAUSED'
      if (isOver && !this.#pausing.has(id) && !(await this.#isPausedNow(id))) this.forget(id)
    }
    const ids = new Set(sandboxes().map(({ id }) => id))
    this.#uses.forgetAllBut(ids)
    this.#quiet.forgetAllBut(ids)
  }

  /** What is known of it may be older than a pause whose answer was lost with the engine. */
  async #isPausedNow(id: string): Promise<boolean> {
    try {
      return (await this.#options.connection.engine().inspectContainer(id))?.status === 'paused'
    } catch {
      return true
    }
  }

  async #lookAt(id: string, container: ContainerState, minutes: number): Promise<void> {
    const limitMs = minutes * this.#minuteMs
    if (this.#isBusy(id)) {
      this.#uses.touch(id)
      this.#quiet.begin(id)
      return
    }
    const unusedMs = performance.now() - this.#uses.lastAt(id)
    // Only of what may be paused soon is anything asked.
    const quietLimitMs = limitMs / 2
    if (unusedMs < limitMs - quietLimitMs) return
    const isDue = unusedMs >= limitMs && this.#quiet.of(id) >= quietLimitMs
    const everyMs = isDue ? 0 : Math.min(MEASURE_EVERY_MINUTES * this.#minuteMs, quietLimitMs)
    await this.#quiet.measure(id, container.id, everyMs)
    if (!isDue || this.#quiet.of(id) < quietLimitMs || this.#closing.signal.aborted) return
    if (await this.#quiet.isWaiting(container)) return this.#uses.touch(id)
    await this.#looks.over(id)
    // Whatever has begun meanwhile comes first.
    if (this.#closing.signal.aborted || this.#isBusy(id) || performance.now() - this.#uses.lastAt(id) < limitMs) return
    if (this.#looks.isIn(id)) return
    await this.#pause(id, minutes)
  }

  #isPausable(container: ContainerState): boolean {
    return container.status === 'running' && pausesByItself(container, this.#options.connection)
  }

  #mayRest({ id }: Sandbox): boolean {
    const sandbox = this.#options.get(id)
    if (sandbox?.kind !== 'container' || !this.#isPausable(sandbox.container) || this.#isBusy(id)) return false
    return performance.now() - this.#uses.lastAt(id) >= UNUSED_MINUTES * this.#minuteMs
  }

  #isBusy(id: string): boolean {
    const { isHeld, idlePauses } = this.#options
    return isHeld(id) || idlePauses.isWorkedIn(id)
  }

  async #pause(id: string, minutes: number): Promise<void> {
    const { idlePauses, pause, log } = this.#options
    idlePauses.save(id, minutes)
    const pausing = pause(id)
    // Where an engine went away in the middle, its return shows whether the record holds. One that cannot be paused is not next again.
    const settled = pausing.catch(() => this.#uses.touch(id))
    this.#pausing.set(id, settled)
    await settled
    this.#pausing.delete(id)
    await pausing
    log.info({ sandbox: id, minutes }, 'a sandbox without use was paused')
  }
}

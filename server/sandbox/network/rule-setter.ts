import { isAppError, messageOf } from '../../domain/errors.ts'
import { randomToken } from '../../domain/ids.ts'
import type { Log } from '../../log.ts'
import { runCommand } from '../command/command.ts'
import { KeptShells } from '../command/kept-shells.ts'
import { SANDBOX } from '../spec.ts'
import { type OneShotOptions, oneShotRequest, ownImage } from './one-shot.ts'

/** A container that a killed Atelier leaves behind ends by itself. */
const LIFETIME_S = 15 * 60
const IN_USE_MS = (LIFETIME_S - 60) * 1000
/** An engine that does not let it work is not asked again for so long. */
const REFUSED_MS = 10 * 60_000
const SET_MS = 10_000

/**
 * $1 process id of the sandbox's main process, $2 its container's id, $3 the rules. The namespace is opened first: if the
 * process is that container's afterwards, its id was no other process's before, and the namespace is that container's.
 */
const SET = `
exec 3<"/proc/$1/ns/net" || exit 1
grep -q "$2" "/proc/$1/cgroup" || { echo "process $1 is not in container $2" >&2; exit 1; }
exec nsenter --net=/proc/self/fd/3 nft "$3"`

/** Its id comes when it runs; `release` lets the reconciler have what is left of it. */
interface CommonContainer {
  madeAt: number
  id: Promise<string>
  release: () => void
}

/** What passes by itself: an image that comes, an engine or a container that went away. */
const PASSING = ['image_missing', 'engine_unavailable', 'sandbox_not_found', 'sandbox_not_running'] as const

/**
 * Sets rules in the network namespaces of sandboxes, from one container of ours that sees the processes of the engine's
 * machine: a container for each sandbox costs a third of its start. It has no network, no files to write, and no input but
 * the rules.
 */
export class RuleSetter {
  readonly #options: OneShotOptions & { log: Log }
  readonly #shells = new KeptShells()
  #common: CommonContainer | undefined
  #refusedUntil = 0

  constructor(options: OneShotOptions & { log: Log }) {
    this.#options = options
  }

  /** Has its container made, if there is none. */
  prepare(): void {
    if (Date.now() < this.#refusedUntil) return
    const common = this.#current()
    common.id.catch(error => this.#giveUp(common, messageOf(error), !passes(error)))
  }

  /** Whether the rules stand now: false where an engine does not allow it, or anything else went wrong. */
  async set({ id, pid }: { id: string; pid: number }, rules: string): Promise<boolean> {
    if (Date.now() < this.#refusedUntil) return false
    const { connection, signal } = this.#options
    const common = this.#current()
    try {
      const place = { engine: connection.engine(), containerId: await common.id, shells: this.#shells }
      const argv = ['/bin/sh', '-c', SET, 'sh', String(pid), id, rules]
      const { exitCode, stderr } = await runCommand(place, { argv, cwd: '/', timeoutMs: SET_MS, signal })
      if (exitCode === 0) return true
      this.#giveUp(common, stderr.trim(), /not permitted|denied/i.test(stderr))
    } catch (error) {
      signal.throwIfAborted()
      this.#giveUp(common, messageOf(error), !passes(error))
    }
    return false
  }

  async close(): Promise<void> {
    this.#shells.close()
    if (this.#common) await this.#remove(this.#common)
  }

  #current(): CommonContainer {
    const known = this.#common
    if (known && Date.now() - known.madeAt < IN_USE_MS) return known
    if (known) this.#retire(known)
    const name = `${SANDBOX.namePrefix}once-${randomToken(12)}`
    const release = this.#options.hold(name)
    const common = { madeAt: Date.now(), id: this.#make(name), release }
    common.id.catch(release)
    this.#common = common
    return common
  }

  async #make(name: string): Promise<string> {
    const { connection, images, instanceId } = this.#options
    const request = oneShotRequest(name, ownImage(images), instanceId, {
      command: ['/bin/sleep', String(LIFETIME_S)],
      network: 'none',
      extraHosts: [],
      capabilities: ['NET_ADMIN', 'SYS_ADMIN', 'SYS_PTRACE'],
      seesHost: true,
    })
    const engine = connection.engine()
    const id = await engine.createContainer(request)
    await engine.startContainer(id)
    return id
  }

  /** A sandbox that has ended meanwhile is no reason not to try with the next one; an engine's refusal is. */
  #giveUp(common: CommonContainer, error: string, isRefusal: boolean): void {
    if (this.#common !== common) return
    if (isRefusal) this.#refusedUntil = Date.now() + REFUSED_MS
    this.#options.log.info({ error }, 'rules were not set from the common container')
    this.#retire(common)
  }

  #retire(common: CommonContainer): void {
    if (this.#common === common) this.#common = undefined
    void this.#remove(common)
  }

  async #remove({ id, release }: CommonContainer): Promise<void> {
    try {
      this.#shells.closeOf(await id)
      await this.#options.connection.engine().removeContainer(await id)
    } catch {
      // It ends by itself.
    } finally {
      release()
    }
  }
}

function passes(error: unknown): boolean {
  return PASSING.some(code => isAppError(error, code))
}

import { text } from 'node:stream/consumers'
import { timeLimit } from '../../async/time-limit.ts'
import { unlessAborted } from '../../async/unless-aborted.ts'
import type { Engine } from '../../docker/engine.ts'
import { isAppError, messageOf } from '../../domain/errors.ts'
import type { Log } from '../../log.ts'
import { type CommandPlace, runCommand } from '../command/command.ts'
import { KeptShells } from '../command/kept-shells.ts'
import { SANDBOX } from '../spec.ts'
import { NOBODY, type OneShotOptions, oneShotName, oneShotRequest, ownImage } from './one-shot.ts'

/** A container that a killed Atelier leaves behind ends by itself. */
const LIFETIME_S = 15 * 60
/** Its nameservers are those of its start: what is to be known of the network later needs a new one. */
export const IN_USE_MS = 5 * 60_000
/** An engine that does not let it work is not asked again for so long. */
const REFUSED_MS = 10 * 60_000
const SET_MS = 10_000
const LOOK_MS = 10_000

/**
 * $1 process id of the sandbox's main process, $2 its container's id, then the words for nft. The namespace is opened first: if the
 * process is that container's afterwards, its id was no other process's before, and the namespace is that container's.
 */
const NFT = `
exec 3<"/proc/$1/ns/net" || exit 1
grep -q "$2" "/proc/$1/cgroup" || { echo "process $1 is not in container $2" >&2; exit 1; }
shift 2
exec nsenter --net=/proc/self/fd/3 nft "$@"`

/** The main one of a sandbox, on the engine's machine, and its container. */
interface SandboxProcess {
  id: string
  pid: number
}

/** Its id comes when it runs; `release` lets the reconciler have what is left of it. */
interface Container {
  madeAt: number
  id: Promise<string>
  release: () => void
}

/** What passes by itself: an image that comes, an engine or a container that went away. */
const PASSING = ['image_missing', 'engine_unavailable', 'sandbox_not_found', 'sandbox_not_running'] as const

/**
 * One container of ours, for all sandboxes: it sets the rules in their network namespaces, as it sees the processes of the
 * engine's machine, and looks at the network around them, as it is on the bridge. A container for each of these costs a third
 * of a start. It listens to nothing and has no files to write; what reads the answers of nameservers has no capability.
 */
export class CommonContainer {
  readonly #options: OneShotOptions & { log: Log }
  readonly #shells = new KeptShells()
  #current: Container | undefined
  #refusedUntil = 0

  constructor(options: OneShotOptions & { log: Log }) {
    this.#options = options
  }

  /** Has its container made, if there is none. */
  prepare(): void {
    if (Date.now() < this.#refusedUntil) return
    const container = this.#inUse()
    container.id.catch(error => this.#giveUp(container, messageOf(error), !passes(error)))
  }

  /** Whether the rules stand now: false where an engine does not allow it, or anything else went wrong. */
  async setRules(process: SandboxProcess, rules: string): Promise<boolean> {
    const set = await this.#use(async (engine, containerId) => {
      const { exitCode, stderr } = await this.#nft({ engine, containerId }, process, [rules])
      return exitCode === 0 ? true : { problem: stderr.trim() }
    })
    return set ?? false
  }

  /** What a command of nft prints as JSON; nothing where it fails, as in a sandbox that has ended; undefined where it could not be run. */
  readRules(process: SandboxProcess, command: string): Promise<string | undefined> {
    return this.#use(async (engine, containerId) => {
      return (await this.#nft({ engine, containerId }, process, ['-j', command])).stdout
    })
  }

  #nft(place: Omit<CommandPlace, 'shells'>, { id, pid }: SandboxProcess, words: readonly string[]) {
    const argv = ['/bin/sh', '-c', NFT, 'sh', String(pid), id, ...words]
    const { signal } = this.#options
    return runCommand({ ...place, shells: this.#shells }, { argv, cwd: '/', timeoutMs: SET_MS, signal })
  }

  /** What a command prints that reads the network of the bridge; undefined where it could not be run. */
  look(argv: string[]): Promise<string | undefined> {
    return this.#use(async (engine, containerId) => {
      const late = timeLimit(LOOK_MS)
      const signal = AbortSignal.any([late, this.#options.signal])
      try {
        const stream = await unlessAborted(engine.exec(containerId, { argv, user: NOBODY, signal }), signal)
        const [printed, said, exitCode] = await Promise.all([text(stream.stdout), text(stream.stderr), stream.exitCode])
        return exitCode === 0 ? printed : { problem: said.trim() }
      } catch (error) {
        if (late.aborted) return { problem: `It did not look around within ${LOOK_MS / 1000} s.` }
        throw error
      }
    })
  }

  /** undefined where there is no such container, or it failed: then it is given up, and the next one tries anew. */
  async #use<T extends string | boolean>(
    work: (engine: Engine, containerId: string) => Promise<T | { problem: string }>,
  ): Promise<T | undefined> {
    if (Date.now() < this.#refusedUntil) return undefined
    const container = this.#inUse()
    try {
      const result = await work(this.#options.connection.engine(), await container.id)
      if (typeof result !== 'object') return result
      this.#giveUp(container, result.problem, /not permitted|denied/i.test(result.problem))
    } catch (error) {
      this.#options.signal.throwIfAborted()
      this.#giveUp(container, messageOf(error), !passes(error))
    }
    return undefined
  }

  async close(): Promise<void> {
    this.#shells.close()
    if (this.#current) await this.#remove(this.#current)
  }

  #inUse(): Container {
    const known = this.#current
    if (known && Date.now() - known.madeAt < IN_USE_MS) return known
    if (known) this.#retire(known)
    const name = oneShotName()
    const release = this.#options.hold(name)
    const container = { madeAt: Date.now(), id: this.#make(name), release }
    container.id.catch(release)
    this.#current = container
    return container
  }

  async #make(name: string): Promise<string> {
    const { connection, images, instanceId } = this.#options
    const request = oneShotRequest(name, ownImage(images), instanceId, {
      command: ['/bin/sleep', String(LIFETIME_S)],
      network: 'bridge',
      extraHosts: [...SANDBOX.extraHosts],
      capabilities: ['NET_ADMIN', 'SYS_ADMIN', 'SYS_PTRACE'],
      seesHost: true,
    })
    const engine = connection.engine()
    const id = await engine.createContainer(request)
    await engine.startContainer(id)
    return id
  }

  /** A sandbox that has ended meanwhile is no reason not to try with the next one; an engine's refusal is. */
  #giveUp(container: Container, error: string, isRefusal: boolean): void {
    if (this.#current !== container) return
    if (isRefusal) this.#refusedUntil = Date.now() + REFUSED_MS
    this.#options.log.info({ error }, 'the common container of the networks was given up')
    this.#retire(container)
  }

  #retire(container: Container): void {
    if (this.#current === container) this.#current = undefined
    void this.#remove(container)
  }

  async #remove({ id, release }: Container): Promise<void> {
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

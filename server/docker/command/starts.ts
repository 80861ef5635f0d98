import type Docker from 'dockerode'
import { timeLimit } from '../../async/time-limit.ts'
import { unlessAborted } from '../../async/unless-aborted.ts'
import { AppError } from '../../domain/errors.ts'
import { containerState, listedState } from '../container/state.ts'
import type { ContainerState, ExecStream } from '../engine.ts'
import { engineError, statusOf, translateErrors } from '../errors.ts'

/** An engine locks a container while it works on it: one that is stuck must not hold up what is asked of the others. */
const INSPECT_MS = 5_000
/** An engine that needs longer to start a command is overloaded, and better paused later. */
const START_TIMEOUT_MS = 20_000

/**
 * Starts commands in containers, and never pauses or inspects a container meanwhile.
 *
 * A command that is caught by a pause between being started and having begun begins when the container goes on. Until then
 * Docker 20.10 with containerd 1.6 holds locks that it needs to resume, stop, remove or inspect the container: it could
 * never be used again. https://github.com/moby/moby/blob/v20.10.24/daemon/exec.go
 */
export class CommandStarts {
  readonly #docker: Docker
  readonly #exclusive = new PendingWork<Promise<unknown>>()
  readonly #starts = new PendingWork<Promise<ExecStream>>()

  constructor(docker: Docker) {
    this.#docker = docker
  }

  /** Resolves with what `start` does. */
  async start(containerId: string, start: () => Promise<ExecStream>): Promise<ExecStream> {
    // Each of them ends in time.
    while (this.#exclusive.of(containerId).length > 0) await Promise.allSettled(this.#exclusive.of(containerId))
    const starting = start()
    const begun = starting.then(stream => stream.begun)
    this.#starts.add(containerId, starting, begun)
    return starting
  }

  /**
   * Those that begin after this wait for it; the engine refuses them then.
   * @throws AppError conflict where a command that is being started does not begin
   */
  pause(containerId: string): Promise<void> {
    return this.#alone(containerId, this.#pause(containerId))
  }

  /** What only the list tells where the engine does not answer in time; undefined when there is no such container. */
  inspect(idOrName: string): Promise<ContainerState | undefined> {
    return this.#alone(idOrName, this.#inspect(idOrName, timeLimit(INSPECT_MS)))
  }

  /** One that is paused may have caught a command that somebody else was starting. */
  async inspectListed(listed: Docker.ContainerInfo): Promise<ContainerState | undefined> {
    return listed.State === 'paused' ? listedState(listed) : this.inspect(listed.Id)
  }

  #alone<T>(container: string, work: Promise<T>): Promise<T> {
    this.#exclusive.add(container, work, work)
    return work
  }

  /** All that are being started have begun. What prints nothing does not tell so by itself. */
  async #begun(container: string): Promise<void> {
    await Promise.allSettled(this.#starts.of(container).map(async starting => (await starting).untilBegun()))
  }

  async #pause(id: string): Promise<void> {
    const late = timeLimit(START_TIMEOUT_MS)
    await unlessAborted(this.#begun(id), late).catch(() => {
      throw new AppError(
        'conflict',
        'A command is being started in the sandbox, and the engine needs long for it. Pause the sandbox again in a minute.',
      )
    })
    return translateErrors('Pausing the sandbox', () => this.#docker.getContainer(id).pause())
  }

  async #inspect(idOrName: string, late: AbortSignal): Promise<ContainerState | undefined> {
    try {
      await unlessAborted(this.#begun(idOrName), late)
      return containerState(await inspect(this.#docker.getContainer(idOrName), late))
    } catch (error) {
      if (statusOf(error) === 404) return undefined
      if (!late.aborted) throw engineError('Looking at the sandbox', error)
      return this.#fromList(idOrName)
    }
  }

  /** The engine keeps the list apart from the containers: it answers whatever holds one of them. */
  async #fromList(idOrName: string): Promise<ContainerState> {
    const all = await this.#docker.listContainers({ all: true }).catch(error => {
      throw engineError('Looking at the sandbox', error)
    })
    const listed = all.find(({ Id, Names }) => Id === idOrName || Names.includes(`/${idOrName}`))
    if (listed) return listedState(listed)
    const message = `The engine does not tell how the container ${idOrName} is. Something holds it; restart the engine if that stays so.`
    throw new AppError('engine_failed', message)
  }
}

/** Work that is under way, by the container that it is for. */
class PendingWork<Work> {
  readonly #work = new Map<string, Set<Work>>()

  of(container: string): Work[] {
    return [...(this.#work.get(container) ?? [])]
  }

  /** Until `over` has settled. */
  add(container: string, work: Work, over: Promise<unknown>): void {
    const all = this.#work.get(container) ?? new Set()
    this.#work.set(container, all.add(work))
    const remove = () => {
      all.delete(work)
      if (all.size === 0 && this.#work.get(container) === all) this.#work.delete(container)
    }
    over.then(remove, remove)
  }
}

/** The published types leave the signal out. */
function inspect(container: Docker.Container, abortSignal: AbortSignal): Promise<Docker.ContainerInspectInfo> {
  const abortable = container as unknown as { inspect(options: object): Promise<Docker.ContainerInspectInfo> }
  return abortable.inspect({ abortSignal })
}

import type { Readable } from 'node:stream'
import type { EngineConnection } from '../../docker/connection.ts'
import { AppError } from '../../domain/errors.ts'
import type { SandboxHandle } from '../../domain/sandbox-handle.ts'
import { type ContainerHandleOptions, handleOf } from '../container-handle.ts'
import type { IdlePausing } from '../pause/idle-pausing.ts'
import { pauseEndsPrograms } from '../pause/programs.ts'
import { assertAllowed, type Sandbox, statusOf } from '../state.ts'

interface Options extends Pick<ContainerHandleOptions, 'memory' | 'networks' | 'shells'> {
  connection: Pick<EngineConnection, 'engine' | 'status' | 'info'>
  idle: Pick<IdlePausing, 'use' | 'touch' | 'end' | 'wake' | 'look' | 'isPausedHere'>
  /** @throws AppError sandbox_not_found */
  find(id: string): Promise<Sandbox>
}

/** Whoever looks uses nothing. */
const NO_USE: ContainerHandleOptions['idle'] = {
  use: async () => () => {},
  touch: () => {},
  end: (_id, work) => work(),
}

/** The ways into the sandboxes of one engine. */
export class SandboxHandles {
  readonly #options: Options

  constructor(options: Options) {
    this.#options = options
  }

  /** One that was paused for want of use goes on. @throws AppError where it does not run */
  async usable(id: string): Promise<Sandbox> {
    const { find, idle } = this.#options
    // Not before it is known.
    await find(id)
    await idle.wake(id)
    const sandbox = await find(id)
    assertAllowed('use', sandbox)
    return sandbox
  }

  /** As `EngineSandboxes.open`. */
  async open(id: string, workingDir?: string): Promise<SandboxHandle> {
    return this.#handle(await this.usable(id), this.#options.idle, workingDir)
  }

  /**
   * For what is asked again and again: it neither wakes the sandbox nor keeps it awake.
   * @returns undefined where it is paused for want of use
   * @throws AppError sandbox_not_found, sandbox_not_running
   */
  async look<T>(id: string, work: (sandbox: SandboxHandle) => Promise<T>, workingDir?: string): Promise<T | undefined> {
    const { find, idle } = this.#options
    const sandbox = await find(id)
    return idle.look(id, async () => {
      assertAllowed('use', sandbox)
      return work(this.#handle(sandbox, NO_USE, workingDir))
    })
  }

  /** A tar of a folder, under its own name; of a sandbox that does not run as its engine has it. @throws AppError file_not_found */
  async readFolder(id: string, path: string): Promise<Readable> {
    const sandbox = await this.#options.find(id)
    const { connection, idle } = this.#options
    // Where a pause ends programs nothing is there to be read; what was paused for want of use goes on for it.
    const isWoken = pauseEndsPrograms(connection) && idle.isPausedHere(id)
    if (sandbox.kind === 'container' && statusOf(sandbox) !== 'RUNNING' && !isWoken) {
      return connection.engine().getArchive(sandbox.container.id, path)
    }
    return (await this.open(id)).readArchive(path)
  }

  #handle(sandbox: Sandbox, idle: ContainerHandleOptions['idle'], workingDir?: string): SandboxHandle {
    if (sandbox.kind !== 'container') throw new AppError('sandbox_not_running', 'The sandbox is not running.')
    const { connection, memory, networks, shells } = this.#options
    const parts = { memory, networks, shells, idle, engine: () => connection.engine() }
    return handleOf(sandbox.container, parts, workingDir)
  }
}

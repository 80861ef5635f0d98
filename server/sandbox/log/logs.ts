import type { EngineConnection } from '../../docker/connection.ts'
import { AppError, isAppError } from '../../domain/errors.ts'
import type { EngineSandboxes } from '../engine/sandboxes.ts'
import { pauseEndsPrograms } from '../pause/programs.ts'
import { statusOf } from '../state.ts'
import { shownLog } from './shown.ts'

export interface SandboxLogsOptions {
  connection: Pick<EngineConnection, 'engine' | 'status' | 'info'>
  sandboxes: { cache: Pick<EngineSandboxes['cache'], 'list' | 'ready'> }
}

/** What the first processes of the sandboxes of one engine print: the commands of their specs. */
export class SandboxLogs {
  readonly #options: SandboxLogsOptions

  constructor(options: SandboxLogsOptions) {
    this.#options = options
  }

  /**
   * Its last lines, also while it is paused; null where none are kept: its spec has no command, or it was started before logs were.
   * @throws AppError sandbox_not_found, engine_unavailable
   */
  async read(id: string, lines: number): Promise<string | null> {
    const { connection, sandboxes } = this.#options
    await sandboxes.cache.ready()
    const sandbox = sandboxes.cache.list().find(each => each.id === id)
    if (!sandbox) throw new AppError('sandbox_not_found', `There is no sandbox ${id}. Start a new one.`)
    // While it starts there is nothing yet.
    if (sandbox.kind === 'booting' || sandbox.kind === 'failed') return null
    // On a cluster the log is gone with the programs.
    if (statusOf(sandbox) === 'PAUSED' && pauseEndsPrograms(connection)) return null
    return shownLog(connection.engine(), sandbox.container.id, lines).catch(error => {
      // It ended meanwhile, and the list has yet to show that.
      if (isAppError(error, 'sandbox_not_running')) return null
      throw error
    })
  }
}

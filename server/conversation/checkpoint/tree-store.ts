import { unlessAborted } from '../../async/unless-aborted.ts'
import { messageOf } from '../../domain/errors.ts'
import type { SandboxHandle } from '../../domain/sandbox-handle.ts'
import { carriedFiles, PROGRAM_FOLDER, PROGRAMS } from '../../git/checkpoint/programs.ts'
import { type Taken, takeTree } from '../../git/checkpoint/trees.ts'
import type { ImagePrograms } from '../../sandbox/image-programs.ts'

/** The files of conversations, kept in their sandboxes, in any image. */
export class TreeStore {
  readonly #dependencies: { programs: Pick<ImagePrograms, 'read'> }

  constructor(dependencies: { programs: Pick<ImagePrograms, 'read'> }) {
    this.#dependencies = dependencies
  }

  /** As `takeTree`. Where the image lacks the programs, ours are put into the sandbox first. */
  async take(
    sandbox: SandboxHandle,
    asked: Parameters<typeof takeTree>[1],
    signal: AbortSignal,
  ): Promise<Exclude<Taken, { kind: 'lacking' }>> {
    const taken = await takeTree(sandbox, asked, signal)
    if (taken.kind !== 'lacking') return taken
    try {
      const programs = await unlessAborted(this.#dependencies.programs.read(PROGRAMS), signal)
      await sandbox.writeFiles(PROGRAM_FOLDER, carriedFiles(programs), 'root')
    } catch (error) {
      signal.throwIfAborted()
      return { kind: 'failed', said: messageOf(error) }
    }
    const again = await takeTree(sandbox, asked, signal)
    return again.kind === 'lacking' ? { kind: 'failed', said: 'The sandbox does not keep programs.' } : again
  }
}

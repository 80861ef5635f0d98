import { unlessAborted } from '../../async/unless-aborted.ts'
import { BOUNDS } from '../../domain/bounds.ts'
import { messageOf } from '../../domain/errors.ts'
import type { ProgramFile, SandboxHandle } from '../../domain/sandbox-handle.ts'
import { carriedFiles, PROGRAM_FOLDER, PROGRAMS } from '../../git/checkpoint/programs.ts'
import { pruneTrees, type Taken, takeTree } from '../../git/checkpoint/trees.ts'
import type { Log } from '../../log.ts'
import type { CheckpointTable } from '../../store/conversation/checkpoints.ts'
import type { Conversation } from '../../store/conversation/conversations.ts'

/** Of those that may go, how many go at once where the store is too large. */
const SHARE = 0.25

export interface TreeStoreDependencies {
  /** Ours, such as run in that sandbox. */
  programsFor(sandboxId: string, names: readonly string[]): Promise<ProgramFile[]>
  table: CheckpointTable
  log: Log
}

/** The files of conversations, kept in their sandboxes: in any image, and within a bound. */
export class TreeStore {
  readonly #dependencies: TreeStoreDependencies

  constructor(dependencies: TreeStoreDependencies) {
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
      const programs = await unlessAborted(this.#dependencies.programsFor(sandbox.id, PROGRAMS), signal)
      await sandbox.writeFiles(PROGRAM_FOLDER, carriedFiles(programs), 'root')
    } catch (error) {
      signal.throwIfAborted()
      return { kind: 'failed', said: messageOf(error), isPruningDue: false }
    }
    const again = await takeTree(sandbox, asked, signal)
    if (again.kind !== 'lacking') return again
    return { kind: 'failed', said: 'The sandbox does not keep programs.', isPruningDue: false }
  }

  /**
   * What the files are now. What takes them without making a checkpoint lets the store grow too. The tree itself stays, as the
   * index has it. Nothing must be taken or restored meanwhile.
   */
  async takeAndPrune(
    sandbox: SandboxHandle,
    conversation: Pick<Conversation, 'id' | 'created_at'>,
    signal: AbortSignal,
  ): ReturnType<TreeStore['take']> {
    const taken = await this.take(sandbox, { conversation: conversation.id }, signal)
    if (taken.isPruningDue) await this.prune(sandbox, conversation, signal)
    return taken
  }

  /**
   * Removes what no checkpoint of the conversation needs, and the oldest ones as long as they take too much. One that is not
   * there any more is removed too. Nothing must be taken or restored meanwhile. Never rejects.
   */
  async prune(
    sandbox: SandboxHandle,
    { id, created_at }: Pick<Conversation, 'id' | 'created_at'>,
    signal: AbortSignal,
  ): Promise<void> {
    const { table, log } = this.#dependencies
    try {
      for (;;) {
        const rows = table.list(id)
        const pruned = await pruneTrees(sandbox, { conversation: id, trees: rows.map(({ tree }) => tree) }, signal)
        if (!pruned) return log.debug({ conversation: id }, 'The checkpoints were not pruned')
        // Each is removed from the list before its files are: what is listed can be restored.
        table.drop(
          id,
          rows.filter(({ tree }) => !pruned.found.has(tree)),
        )
        const removable = table.removable(id, created_at)
        if (pruned.bytes <= BOUNDS.checkpointStore.limit || removable.length === 0) return
        const removed = removable.slice(0, Math.ceil(removable.length * SHARE))
        table.drop(id, removed)
        log.info(
          { conversation: id, checkpoints: removed.length, bytes: pruned.bytes },
          'The oldest checkpoints were removed',
        )
      }
    } catch (error) {
      log.debug({ conversation: id, error: messageOf(error) }, 'The checkpoints were not pruned')
    }
  }
}

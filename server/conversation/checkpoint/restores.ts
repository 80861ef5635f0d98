import type { Bus } from '../../bus.ts'
import { AppError } from '../../domain/errors.ts'
import type { SandboxHandle } from '../../domain/sandbox-handle.ts'
import type { EventLog } from '../../event/log.ts'
import { restoreTree, type Tree } from '../../git/checkpoint/trees.ts'
import type { CheckpointRow, CheckpointTable } from '../../store/conversation/checkpoints.ts'
import type { Conversation } from '../../store/conversation/conversations.ts'
import type { CheckpointList } from './list.ts'
import type { TreeStore } from './tree-store.ts'

interface Dependencies {
  table: CheckpointTable
  list: CheckpointList
  trees: TreeStore
  eventLog: Pick<EventLog, 'lastSeq'>
  bus: Bus
}

interface Restored {
  sandbox: SandboxHandle
  conversation: Conversation
  /** What a person saw that the files are; null where nothing of them was shown. */
  expected: Tree | null
  isRunning: () => boolean
}

/** Makes files what they were, and loses nothing by that. */
export class Restores {
  readonly #dependencies: Dependencies

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  /**
   * What the files are now is kept first.
   * @throws AppError conversation_running, conflict for files that have changed, git_refused in git's words
   */
  async to(tree: Tree, restored: Restored, signal: AbortSignal): Promise<{ before: CheckpointRow; files: number }> {
    const { list, trees, eventLog, bus } = this.#dependencies
    const { sandbox, conversation } = restored
    const { id } = conversation
    const { before, isPruningDue } = await this.#keepNow(tree, restored, signal)
    if (restored.isRunning()) {
      throw new AppError('conversation_running', 'The agent began to work in these files meanwhile. Pause it first.')
    }
    const done = await restoreTree(sandbox, { conversation: id, from: before.tree, tree }, signal)
    if (done.kind === 'changed') throw changedMeanwhile()
    if (done.kind === 'failed') {
      const said = done.said || 'git gave no reason'
      throw new AppError('git_refused', `The files could not be restored as a whole: ${said}`)
    }
    list.add(id, { tree, reason: 'restored', seq: eventLog.lastSeq(id) })
    bus.publish({ resource: 'conversation', id })
    // Not before: nothing else names the tree that is restored.
    if (isPruningDue) await trees.prune(sandbox, conversation, signal)
    return { before, files: done.files }
  }

  async #keepNow(next: Tree, { sandbox, conversation, expected }: Restored, signal: AbortSignal) {
    const { table, list, trees, eventLog } = this.#dependencies
    const { id } = conversation
    const taken = await trees.take(sandbox, { conversation: id, next }, signal)
    if (taken.kind === 'failed') {
      await trees.prune(sandbox, conversation, signal)
      const message = `The files cannot be kept as they are now, so nothing was restored. ${taken.said}`
      throw new AppError('git_refused', message.trim())
    }
    if (expected !== null && taken.shown !== expected) throw changedMeanwhile()
    list.add(id, { tree: taken.tree, reason: 'before_restore', seq: eventLog.lastSeq(id) })
    const before = table.last(id)
    if (!before) throw new AppError('conversation_not_found', 'The conversation does not exist any more.')
    return { before, isPruningDue: taken.isPruningDue }
  }
}

function changedMeanwhile(): AppError {
  const message = 'Files were written meanwhile, so nothing was changed. Look at what differs now, and try again.'
  return new AppError('conflict', message)
}

import type { RouteReply } from '../../api/contract/route.ts'
import type { Event } from '../../api/event/events.ts'
import type { Checkpoint, restoreCheckpoint } from '../../api/v1/conversation/checkpoints.ts'
import type { Bus } from '../../bus.ts'
import { AppError, messageOf } from '../../domain/errors.ts'
import type { ConversationId } from '../../domain/ids.ts'
import type { SandboxHandle } from '../../domain/sandbox-handle.ts'
import type { EventLog } from '../../event/log.ts'
import { countChanges, handOverTrees, restoreTree, type Tree, type TreeChanges } from '../../git/checkpoint/trees.ts'
import type { Log } from '../../log.ts'
import type { Page, PageQuery } from '../../paging/page.ts'
import { pageOf } from '../../paging/page.ts'
import type { SandboxService } from '../../sandbox/service.ts'
import { type CheckpointRow, CheckpointTable } from '../../store/conversation/checkpoints.ts'
import type { Conversation, ConversationTable } from '../../store/conversation/conversations.ts'
import type { Database } from '../../store/database/database.ts'
import { CheckpointList } from './list.ts'
import { Restores } from './restores.ts'
import { TreeStore, type TreeStoreDependencies } from './tree-store.ts'

interface Dependencies {
  database: Database
  conversations: Pick<ConversationTable, 'get'>
  sandboxes: Pick<SandboxService, 'open'>
  programsFor: TreeStoreDependencies['programsFor']
  eventLog: Pick<EventLog, 'lastSeq' | 'byIds'>
  bus: Bus
  log: Log
}

/** What keeps the files while an agent runs. */
export interface RunKeeper {
  /**
   * Says that the files are what is to be kept as what they are after all events so far; one after the other.
   * Never rejects: work is not held up because its files cannot be kept.
   */
  keep(reason: 'turn' | 'step'): Promise<void>
  /** Takes nothing more; what has begun is finished. */
  close(): void
}

/** What the files of conversations were. */
export class Checkpoints {
  readonly #dependencies: Dependencies
  readonly #table: CheckpointTable
  readonly #list: CheckpointList
  readonly #trees: TreeStore
  readonly #restores: Restores
  readonly #closing = new AbortController()
  /** Conversations whose agent runs: the run takes their files. */
  readonly #running = new Set<ConversationId>()
  /** What is still at work: two at once would be in each other's way. Never rejects. */
  readonly #busy = new Map<ConversationId, Promise<unknown>>()

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
    this.#table = new CheckpointTable(dependencies.database)
    this.#list = new CheckpointList({ ...dependencies, table: this.#table })
    this.#trees = new TreeStore({ ...dependencies, table: this.#table })
    this.#restores = new Restores({ ...dependencies, table: this.#table, list: this.#list, trees: this.#trees })
  }

  /** For a run of the agent. A sub-conversation works on the files of its parent, which keeps them. */
  forRun(conversation: Conversation, stop: AbortSignal): RunKeeper | null {
    if (conversation.parent_conversation_id !== null) return null
    const signal = AbortSignal.any([stop, this.#closing.signal])
    const { sandboxes, eventLog, log } = this.#dependencies
    const { id, sandbox_id, working_dir } = conversation
    const before = this.settled(id)
    this.#running.add(id)
    let opened: Promise<SandboxHandle> | undefined
    let taking = Promise.resolve()
    let isOver = false
    const open = async () => {
      await before
      return sandboxes.open(sandbox_id, working_dir)
    }
    /** @returns whether the store is to be pruned: an attempt that failed leaves behind what it wrote */
    const take = async (reason: 'turn' | 'step', seq: number) => {
      if (isOver || signal.aborted) return false
      try {
        opened ??= open()
        const taken = await this.#trees.take(await opened, { conversation: id }, signal)
        if (taken.kind === 'tree') {
          this.#list.add(id, { tree: taken.tree, reason, seq })
          return taken.isPruningDue
        }
        log.info({ conversation: id, reason: taken.said }, 'The files of a run are not kept')
      } catch (error) {
        log.debug({ conversation: id, error: messageOf(error) }, 'The files were not kept')
      }
      isOver = true
      return true
    }
    const prune = async () => {
      const sandbox = await opened?.catch(() => undefined)
      if (sandbox) await this.#trees.prune(sandbox, conversation, signal)
    }
    const end = async () => {
      await taking
      isOver = true
    }
    return {
      keep: reason => {
        const seq = eventLog.lastSeq(id)
        const taken = taking.then(() => take(reason, seq))
        taking = taken.then(isDue => (isDue ? prune() : undefined))
        return taken.then(() => {})
      },
      close: () => {
        this.#running.delete(id)
        void this.#alone(id, end)
      },
    }
  }

  /** When nothing takes the files of the conversation any more. Never rejects. */
  async settled(id: ConversationId): Promise<void> {
    await this.#busy.get(id)
  }

  #alone<T>(id: ConversationId, work: () => Promise<T>): Promise<T> {
    const mine = this.settled(id).then(work)
    const ended = mine.catch(() => {})
    this.#busy.set(id, ended)
    void ended.then(() => {
      if (this.#busy.get(id) === ended) this.#busy.delete(id)
    })
    return mine
  }

  /** What is being taken is given up: nothing is to be stored any more. */
  async close(): Promise<void> {
    this.#closing.abort()
    await Promise.all(this.#busy.values())
  }

  /** @param event_id lists only the one that holds what the files were then. @throws AppError event_not_found */
  async list(
    { id }: Pick<Conversation, 'id'>,
    { event_id, ...query }: PageQuery & { event_id?: string | null | undefined },
  ): Promise<Page<Checkpoint>> {
    await this.settled(id)
    const found = event_id ? [this.#list.at(id, event_id)].filter(row => row !== undefined) : this.#table.list(id)
    return pageOf(found.map(toApi), query)
  }

  /** @throws AppError not_found, and those of `restoreTree` */
  restore(
    conversation: Conversation,
    { id, expected }: { id: string; expected: Tree | null },
    signal: AbortSignal,
  ): Promise<RouteReply<typeof restoreCheckpoint>> {
    const treeOf = async () => this.#list.find(conversation.id, id).tree
    return this.restoreTree(conversation, { treeOf, expected }, signal)
  }

  /**
   * The same for a tree of the conversation's store.
   * @param treeOf puts it there first; nothing is taken or restored meanwhile
   * @param expected what the files have to be until then; null for anything
   * @throws AppError conversation_running, conflict for files that have changed meanwhile, git_refused in git's words, those of
   * `treeOf` and of the sandbox
   */
  restoreTree(
    conversation: Conversation,
    { treeOf, expected }: { treeOf: (sandbox: SandboxHandle) => Promise<Tree>; expected: Tree | null },
    signal: AbortSignal,
  ): Promise<RouteReply<typeof restoreCheckpoint>> {
    const { id } = conversation
    const isRunning = () => this.#running.has(id)
    return this.#alone(id, async () => {
      const sandbox = await this.#sandboxOf(conversation)
      const tree = await treeOf(sandbox)
      const { before, files } = await this.#restores.to(tree, { sandbox, conversation, expected, isRunning }, signal)
      return { before: toApi(before), files }
    })
  }

  /**
   * What the files are now, or were after the last step of an agent that works.
   * @returns the sandbox that keeps them, and all trees that it kept of the conversation, newest first, beginning with that
   * @throws AppError git_refused, and those of the sandbox
   */
  async now(conversation: Conversation, signal: AbortSignal): Promise<{ sandbox: SandboxHandle; trees: Tree[] }> {
    const { id } = conversation
    const sandbox = await this.#sandboxOf(conversation)
    const kept = () => this.#table.list(id).map(({ tree }) => tree)
    if (this.#running.has(id) && kept().length > 0) return { sandbox, trees: kept() }
    const take = () => this.#trees.takeAndPrune(sandbox, conversation, signal)
    const taken = this.#running.has(id) ? NOTHING_YET : await this.#alone(id, take)
    if (taken.kind === 'tree') return { sandbox, trees: [taken.tree, ...kept()] }
    throw new AppError('git_refused', `These files are not kept, so they are not compared. ${taken.said}`.trim())
  }

  /**
   * For a conversation that is to be, in a copy of the sandbox of `from`: what was kept is its own from now on, and the files
   * are made what they were at the event.
   * @returns whether they are; false where they were not kept then, or cannot be restored as a whole
   */
  async handOver(
    sandbox: SandboxHandle,
    { from, to, eventId }: { from: ConversationId; to: ConversationId; eventId: string | null },
    signal: AbortSignal,
  ): Promise<boolean> {
    await handOverTrees(sandbox, { from, to }, signal)
    const then = eventId === null ? undefined : this.#list.at(from, eventId)
    if (!then) return eventId === null
    const { tree } = then
    const now = await this.#trees.take(sandbox, { conversation: to, next: tree }, signal)
    if (now.kind === 'failed') return false
    return (await restoreTree(sandbox, { conversation: to, from: now.tree, tree }, signal)).kind === 'done'
  }

  /** Number of the newest checkpoint; 0 without any. */
  last(id: ConversationId): number {
    return this.#table.last(id)?.id ?? 0
  }

  /** What was kept of `from` up to the last of the copied events and the given checkpoint, once `to` exists. */
  copy(from: ConversationId, to: ConversationId, { copied, last }: { copied: readonly Event[]; last: number }): void {
    const end = copied.at(-1)?.seq ?? -1
    const rows = this.#table.list(from).filter(({ id, seq }) => id <= last && seq <= end)
    // The events of the copy are numbered anew: those of other branches are not in it.
    let count = 0
    for (const row of rows.reverse()) {
      while ((copied[count]?.seq ?? Infinity) <= row.seq) count++
      this.#table.add(to, { ...row, seq: count - 1 })
    }
  }

  /**
   * What has become of the files since the conversation was first asked something itself, not as a part of what it was
   * forked from; null where they were not kept then, or cannot be now.
   */
  async changes(conversation: Conversation, signal: AbortSignal): Promise<TreeChanges | null> {
    const { id, created_at } = conversation
    const began = this.#table.beginning(id, created_at)
    if (!began) return null
    const sandbox = await this.#sandboxOf(conversation)
    return this.#alone(id, async () => {
      const now = await this.#trees.takeAndPrune(sandbox, conversation, signal)
      if (now.kind === 'failed') return null
      return countChanges(sandbox, { conversation: id, from: began.tree, tree: now.tree }, signal)
    })
  }

  /**
   * The tree to compare the files with, and that of the files as they are now, which is null while an agent works.
   * @throws AppError bad_request
   */
  async treesOf(
    conversation: Conversation,
    asked: { base: 'last_turn' | 'checkpoint'; id: string },
    signal: AbortSignal,
  ): Promise<{ base: Tree; now: Tree | null }> {
    const { id } = conversation
    const isTurn = asked.base === 'last_turn'
    const found = isTurn ? this.#table.lastTurn(id) : this.#list.lookUp(id, asked.id)
    if (!found) {
      const what = isTurn ? 'The files of the last turn were not kept' : 'The conversation has no such checkpoint'
      throw new AppError('bad_request', `${what}. Choose another base to compare with.`)
    }
    const sandbox = await this.#sandboxOf(conversation)
    if (this.#running.has(id)) return { base: found.tree, now: null }
    const taken = await this.#alone(id, () => this.#trees.takeAndPrune(sandbox, conversation, signal))
    return { base: found.tree, now: taken.kind === 'tree' ? taken.tree : null }
  }

  #sandboxOf({ sandbox_id, working_dir }: Conversation): Promise<SandboxHandle> {
    return this.#dependencies.sandboxes.open(sandbox_id, working_dir)
  }
}

function toApi({ id, seq, created_at, reason }: CheckpointRow): Checkpoint {
  return { id: String(id), seq, created_at, reason }
}

const NOTHING_YET = { kind: 'failed', said: 'Try again when the agent has taken a step.' } as const

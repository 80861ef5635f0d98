import { posix } from 'node:path'
import type { RouteBody, RouteReply } from '../../api/contract/route.ts'
import type { restoreCheckpoint } from '../../api/v1/conversation/checkpoints.ts'
import type {
  RevertedFile,
  ReviewBase,
  ReviewContent,
  ReviewFiles,
  ReviewHunk,
  ReviewSide,
  stageReviewFile,
} from '../../api/v1/conversation/review.ts'
import { createMutex, type Mutex } from '../../async/mutex.ts'
import { AppError, isAppError } from '../../domain/errors.ts'
import type { SandboxHandle } from '../../domain/sandbox-handle.ts'
import type { ChosenBase } from '../../git/review/bases.ts'
import { readReviewed } from '../../git/review/content.ts'
import { listReviewed } from '../../git/review/files.ts'
import { type ReplacedLines, replaceReviewed, revertReviewed, undoRevert } from '../../git/review/revert.ts'
import { stageReviewed } from '../../git/review/stage.ts'
import type { SandboxService } from '../../sandbox/service.ts'
import type { Mask } from '../../secret/mask/mask.ts'
import { maskedValue } from '../../secret/mask/value.ts'
import type { Checkpoints } from '../checkpoint/checkpoints.ts'
import type { ConversationService } from '../service.ts'

interface Dependencies {
  conversations: Pick<ConversationService, 'find'>
  sandboxes: SandboxService
  mask: Pick<Mask, 'mask'>
  checkpoints: Pick<Checkpoints, 'treesOf' | 'restore'>
}

/** What a request compares. */
export interface AskedComparison {
  base: ReviewBase
  commit?: string | null | undefined
  checkpoint?: string | null | undefined
}

/** What a conversation changed, for whoever reviews it. Relative paths begin in its working directory. */
export class ConversationReview {
  readonly #dependencies: Dependencies
  /** By sandbox: between the check of a file and its writing there is no other writing from here. */
  readonly #writing = new Map<string, { mutex: Mutex; users: number }>()

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  async files(id: string, asked: AskedComparison & { path?: string | null | undefined }, signal: AbortSignal) {
    const { sandbox, chosen, version } = await this.#open(id, asked, signal)
    try {
      const folder = posix.resolve(sandbox.workingDir, asked.path ?? '.')
      return this.#masked<ReviewFiles>({ ...(await listReviewed(sandbox, folder, chosen, signal)), version })
    } catch (error) {
      if (isAppError(error, 'not_a_repository')) return { files: [], complete: true, version }
      throw error
    }
  }

  async content(
    id: string,
    asked: AskedComparison & { path: string; old_path?: string | null | undefined },
    signal: AbortSignal,
  ): Promise<ReviewContent> {
    const { sandbox, chosen } = await this.#open(id, asked, signal)
    const file = { folder: sandbox.workingDir, path: asked.path, oldPath: asked.old_path ?? null }
    const { original, modified, version } = await readReviewed(sandbox, file, chosen, signal)
    return { original: this.#shown(original), modified: this.#shown(modified), version }
  }

  /** @throws AppError conversation_running, conflict for what has changed since it was read */
  revert(
    id: string,
    asked: AskedComparison & {
      path: string
      old_path?: string | null | undefined
      version: string
      hunk?: ReviewHunk | null | undefined
    },
    signal: AbortSignal,
  ): Promise<RevertedFile> {
    return this.alone(id, async () => {
      this.assertIdle(id)
      const { sandbox, chosen } = await this.#open(id, asked, signal)
      const { path, old_path: oldPath = null, version, hunk = null } = asked
      const given = { folder: sandbox.workingDir, path, oldPath, version, hunk }
      return { undo: await revertReviewed(sandbox, given, chosen, signal) }
    })
  }

  /** Into the index, or out of it. @throws AppError as `revert`, git_refused */
  stage(
    id: string,
    asked: RouteBody<typeof stageReviewFile>,
    signal: AbortSignal,
  ): Promise<RouteReply<typeof stageReviewFile>> {
    return this.alone(id, async () => {
      this.assertIdle(id)
      const { sandbox, chosen } = await this.#open(id, asked, signal)
      const { path, old_path: oldPath = null, version, hunk = null } = asked
      await stageReviewed(sandbox, { folder: sandbox.workingDir, path, oldPath, version, hunk }, chosen, signal)
      return { success: true }
    })
  }

  /**
   * Replaces lines of a file as it was at a commit, where they stand now.
   * @throws AppError conversation_running, conflict where they have changed or the commit is not here
   */
  replaceLines(id: string, asked: ReplacedLines, signal: AbortSignal): Promise<RevertedFile> {
    return this.alone(id, async () => {
      this.assertIdle(id)
      const { sandbox, chosen } = await this.#open(id, { base: 'commit', commit: asked.commit }, signal)
      return { undo: await replaceReviewed(sandbox, asked, chosen.began, signal) }
    })
  }

  /**
   * What the files were at a checkpoint. @param checkpoint `expected`: what the list of files named
   * @throws AppError conversation_running, conflict for files that have changed since, not_found, git_refused
   */
  restore(
    id: string,
    checkpoint: { id: string; expected: string | null },
    signal: AbortSignal,
  ): Promise<RouteReply<typeof restoreCheckpoint>> {
    return this.alone(id, async () => {
      this.assertIdle(id)
      const { conversations, checkpoints } = this.#dependencies
      return checkpoints.restore(conversations.find(id), checkpoint, signal)
    })
  }

  undo(id: string, { undo }: RevertedFile, signal: AbortSignal): Promise<{ restored: string[] }> {
    return this.alone(id, async () => {
      this.assertIdle(id)
      const { conversations, sandboxes } = this.#dependencies
      const conversation = conversations.find(id)
      const sandbox = await sandboxes.open(conversation.sandbox_id, conversation.working_dir)
      await undoRevert(sandbox, { conversation: conversation.id, paths: undo }, signal)
      return { restored: undo.map(({ path }) => path) }
    })
  }

  /** Between the check of a file and its writing there is no other writing from here. */
  async alone<T>(id: string, work: () => Promise<T>): Promise<T> {
    const { sandbox_id } = this.#dependencies.conversations.find(id)
    const known = this.#writing.get(sandbox_id) ?? { mutex: createMutex(), users: 0 }
    this.#writing.set(sandbox_id, known)
    known.users++
    try {
      return await known.mutex(work)
    } finally {
      if (--known.users === 0) this.#writing.delete(sandbox_id)
    }
  }

  /** @throws AppError conversation_running */
  assertIdle(id: string): void {
    if (this.#dependencies.conversations.find(id).execution_status !== 'running') return
    throw new AppError('conversation_running', 'The agent is at work in these files. Pause it first.')
  }

  async #open(
    id: string,
    { base, commit = null, checkpoint }: AskedComparison,
    signal: AbortSignal,
  ): Promise<{ sandbox: SandboxHandle; chosen: ChosenBase; version: string | null }> {
    const { conversations, sandboxes, checkpoints } = this.#dependencies
    const conversation = conversations.find(id)
    const { sandbox_id, working_dir, created_at } = conversation
    const began = new Date(created_at)
    const sandbox = await sandboxes.open(sandbox_id, working_dir)
    if (base !== 'last_turn' && base !== 'checkpoint')
      return { sandbox, chosen: { base, commit, began }, version: null }
    const trees = await checkpoints.treesOf(conversation, { base, id: checkpoint ?? '' }, signal)
    return {
      sandbox,
      chosen: { base, commit: trees.base, began, kept: { conversation: conversation.id, workingDir: working_dir } },
      version: trees.now,
    }
  }

  #shown(side: ReviewSide | null): ReviewSide | null {
    return side?.text ? this.#masked(side) : side
  }

  #masked<T>(value: T): T {
    return maskedValue(value, this.#dependencies.mask.mask)
  }
}

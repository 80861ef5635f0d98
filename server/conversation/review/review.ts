import { posix } from 'node:path'
import type { ReviewBase, ReviewContent, ReviewFiles, ReviewSide } from '../../api/v1/conversation/review.ts'
import { isAppError } from '../../domain/errors.ts'
import type { SandboxHandle } from '../../domain/sandbox-handle.ts'
import type { ChosenBase } from '../../git/review/bases.ts'
import { readReviewed } from '../../git/review/content.ts'
import { listReviewed } from '../../git/review/files.ts'
import type { SandboxService } from '../../sandbox/service.ts'
import type { Mask } from '../../secret/mask/mask.ts'
import { maskedValue } from '../../secret/mask/value.ts'
import type { ConversationService } from '../service.ts'

interface Dependencies {
  conversations: Pick<ConversationService, 'find'>
  sandboxes: SandboxService
  mask: Pick<Mask, 'mask'>
}

/** What a request compares. */
export interface AskedComparison {
  base: ReviewBase
  commit?: string | null | undefined
}

/** What a conversation changed, for whoever reviews it. Relative paths begin in its working directory. */
export class ConversationReview {
  readonly #dependencies: Dependencies

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  async files(id: string, asked: AskedComparison & { path?: string | null | undefined }, signal: AbortSignal) {
    const { sandbox, chosen } = await this.#open(id, asked)
    try {
      const folder = posix.resolve(sandbox.workingDir, asked.path ?? '.')
      return this.#masked<ReviewFiles>(await listReviewed(sandbox, folder, chosen, signal))
    } catch (error) {
      if (isAppError(error, 'not_a_repository')) return { files: [], complete: true }
      throw error
    }
  }

  async content(
    id: string,
    asked: AskedComparison & { path: string; old_path?: string | null | undefined },
    signal: AbortSignal,
  ): Promise<ReviewContent> {
    const { sandbox, chosen } = await this.#open(id, asked)
    const file = { folder: sandbox.workingDir, path: asked.path, oldPath: asked.old_path ?? null }
    const { original, modified, version } = await readReviewed(sandbox, file, chosen, signal)
    return { original: this.#shown(original), modified: this.#shown(modified), version }
  }

  async #open(id: string, { base, commit }: AskedComparison): Promise<{ sandbox: SandboxHandle; chosen: ChosenBase }> {
    const { conversations, sandboxes } = this.#dependencies
    const { sandbox_id, working_dir, created_at } = conversations.find(id)
    const sandbox = await sandboxes.open(sandbox_id, working_dir)
    return { sandbox, chosen: { base, commit: commit ?? null, began: new Date(created_at) } }
  }

  #shown(side: ReviewSide | null): ReviewSide | null {
    return side?.text ? this.#masked(side) : side
  }

  #masked<T>(value: T): T {
    return maskedValue(value, this.#dependencies.mask.mask)
  }
}

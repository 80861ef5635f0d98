import type { RouteBody, RouteReply } from '../../api/contract/route.ts'
import type {
  ComparedFile,
  Comparison,
  getComparedFile,
  SideChange,
  takeComparedFiles,
} from '../../api/v1/conversation/comparisons.ts'
import type { ReviewFile, ReviewSide } from '../../api/v1/conversation/review.ts'
import { AppError, isAppError } from '../../domain/errors.ts'
import type { Tree } from '../../git/checkpoint/trees.ts'
import {
  changesBetween,
  differingFiles,
  type FilePair,
  type KeptTree,
  readKept,
  treeWith,
} from '../../git/review/trees.ts'
import type { SandboxService } from '../../sandbox/service.ts'
import type { Mask } from '../../secret/mask/mask.ts'
import { maskedValue } from '../../secret/mask/value.ts'
import type { Conversation } from '../../store/conversation/conversations.ts'
import type { Checkpoints } from '../checkpoint/checkpoints.ts'
import type { ConversationService } from '../service.ts'
import type { ConversationReview } from './review.ts'

interface Dependencies {
  conversations: Pick<ConversationService, 'find'>
  sandboxes: Pick<SandboxService, 'open'>
  checkpoints: Pick<Checkpoints, 'now' | 'restoreTree'>
  review: Pick<ConversationReview, 'alone'>
  mask: Pick<Mask, 'mask'>
}

/** What a request names of a pair of conversations. */
export interface ComparedIds {
  conversation_id: string
  other_conversation_id: string
}

/** The files of two conversations side by side, by what is kept of them. */
export class Comparisons {
  readonly #dependencies: Dependencies

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  async files(ids: ComparedIds, signal: AbortSignal): Promise<Comparison> {
    const { here, there, base } = await this.#now(ids, signal)
    const [differing, mine, theirs] = await Promise.all([
      differingFiles(here, there, signal),
      base === null ? null : changesBetween(here, base, signal),
      base === null ? null : changesBetween(there, base, signal),
    ])
    const isKnown = mine !== null && theirs !== null
    const files = comparedFiles(differing.files, isKnown ? { mine, theirs } : { mine: [], theirs: [] })
    const version = `${here.tree}.${there.tree}.${isKnown ? base : ''}`
    const { complete } = differing
    return this.#masked({ files, complete, has_common_files: isKnown, version })
  }

  /** @throws AppError bad_request, file_too_large, conflict for what is not kept any more */
  async content(
    ids: ComparedIds,
    asked: {
      path: string
      other_path?: string | null | undefined
      version: string
      sides: 'both' | 'here' | 'there'
    },
    signal: AbortSignal,
  ): Promise<RouteReply<typeof getComparedFile>> {
    const { here, there, base } = await this.#named(ids, asked.version)
    const { path, other_path, sides } = asked
    if (sides === 'both') {
      const [original, modified] = [readKept(here, path, signal), readKept(there, other_path ?? path, signal)]
      return this.#shown(await Promise.all([original, modified]))
    }
    if (base === null) {
      throw new AppError('bad_request', 'They have no files in common to compare with. Compare both with each other.')
    }
    const side = sides === 'here' ? here : there
    const name = sides === 'here' ? path : (other_path ?? path)
    const [original, modified] = [readKept({ ...side, tree: base }, name, signal), readKept(side, name, signal)]
    return this.#shown(await Promise.all([original, modified]))
  }

  /** @throws AppError conversation_running, conflict where files have changed since, git_refused */
  take(
    ids: ComparedIds,
    { version, paths }: RouteBody<typeof takeComparedFiles>,
    signal: AbortSignal,
  ): Promise<RouteReply<typeof takeComparedFiles>> {
    const { conversations, checkpoints, review } = this.#dependencies
    const conversation = conversations.find(ids.conversation_id)
    return review.alone(conversation.id, async () => {
      for (const { id, title, execution_status } of this.#both(ids)) {
        if (execution_status !== 'running') continue
        const name = title ?? id
        throw new AppError('conversation_running', `The agent of “${name}” is at work in its files. Pause it first.`)
      }
      const { here, there } = await this.#now(ids, signal)
      if (!version.startsWith(`${here.tree}.${there.tree}.`)) throw changedSince()
      const { files } = await differingFiles(here, there, signal)
      const asked = new Set(paths)
      const moves = movedFiles(files)
      const chosen = files.map(({ path }) => path).filter(path => asked.has(this.#masked(path)))
      const wanted = new Set(chosen.flatMap(path => [path, moves.get(path) ?? path]))
      const taken = files.filter(({ path }) => wanted.has(path))
      if (taken.length === 0) throw new AppError('conflict', 'None of these files differs. Compare again.')
      return checkpoints.restoreTree(conversation, () => treeWith(here, there, taken, signal), signal)
    })
  }

  #both({ conversation_id, other_conversation_id }: ComparedIds): [Conversation, Conversation] {
    const { conversations } = this.#dependencies
    return [conversations.find(conversation_id), conversations.find(other_conversation_id)]
  }

  async #now(ids: ComparedIds, signal: AbortSignal): Promise<{ here: KeptTree; there: KeptTree; base: Tree | null }> {
    const [mine, theirs] = this.#both(ids)
    const { checkpoints } = this.#dependencies
    const now = (conversation: Conversation) =>
      checkpoints.now(conversation, signal).catch((error: unknown) => {
        throw named(conversation, error)
      })
    const [here, there] = await Promise.all([now(mine), now(theirs)])
    const known = new Set(here.trees)
    return {
      here: { sandbox: here.sandbox, conversation: mine.id, tree: here.trees[0] ?? '' },
      there: { sandbox: there.sandbox, conversation: theirs.id, tree: there.trees[0] ?? '' },
      // A fork begins with the checkpoints of its original, so the newest of both is where they parted.
      base: there.trees.find(tree => known.has(tree)) ?? null,
    }
  }

  async #named(ids: ComparedIds, version: string): Promise<{ here: KeptTree; there: KeptTree; base: Tree | null }> {
    const trees = version.split('.')
    const [here, there] = await Promise.all(
      this.#both(ids).map(async (conversation, index) => {
        const { id, sandbox_id, working_dir } = conversation
        const opened = this.#dependencies.sandboxes.open(sandbox_id, working_dir)
        const sandbox = await opened.catch((error: unknown) => {
          throw named(conversation, error)
        })
        return { sandbox, conversation: id, tree: trees[index] ?? '' }
      }),
    )
    if (!here || !there) throw changedSince()
    return { here, there, base: trees[2] || null }
  }

  #shown([original, modified]: (ReviewSide | null)[]) {
    const shown = (side: ReviewSide | null = null) => (side?.text ? this.#masked(side) : side)
    return { original: shown(original), modified: shown(modified) }
  }

  #masked<T>(value: T): T {
    return maskedValue(value, this.#dependencies.mask.mask)
  }
}

function changedSince(): AppError {
  return new AppError('conflict', 'The files have changed since they were compared. Compare again.')
}

/** Which of the two it is. */
function named({ id, title }: Conversation, error: unknown): unknown {
  if (!isAppError(error)) return error
  return new AppError(error.code, `“${title ?? id}”: ${error.message}`, { details: { ...error.details }, cause: error })
}

/** What differs, and what both have changed in the same way, by path. */
export function comparedFiles(
  differing: readonly FilePair[],
  { mine, theirs }: { mine: readonly ReviewFile[]; theirs: readonly ReviewFile[] },
): ComparedFile[] {
  const [here, there] = [changesByPath(mine), changesByPath(theirs)]
  const moves = movedFiles(differing)
  const arrived = new Set(moves.values())
  const files = differing.flatMap((pair): ComparedFile[] => {
    const { path } = pair
    const other_path = moves.get(path) ?? null
    // It stands beside the file that it is there.
    if (arrived.has(path)) return []
    const state = other_path === null ? stateOf(pair) : 'moved'
    return [{ path, state, other_path, here: here.get(path) ?? null, there: there.get(other_path ?? path) ?? null }]
  })
  const differs = new Set(differing.map(({ path }) => path))
  for (const [path, change] of here) {
    const other = there.get(path)
    if (other && !differs.has(path)) files.push({ path, state: 'same', other_path: null, here: change, there: other })
  }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1))
}

function stateOf({ here, there }: FilePair): ComparedFile['state'] {
  if (here && there) return 'differs'
  return here ? 'only_here' : 'only_there'
}

/** Files that only one has each, with the same content: where one of here lies there. An empty file tells nothing. */
function movedFiles(files: readonly FilePair[]): Map<string, string> {
  const lost = new Map<string, string[]>()
  for (const { path, here, there } of files) {
    if (here || !there || there.object === EMPTY) continue
    lost.set(there.object, [...(lost.get(there.object) ?? []), path])
  }
  const moves = new Map<string, string>()
  for (const { path, here, there } of files) {
    if (there || !here) continue
    const other = lost.get(here.object)?.shift()
    if (other !== undefined) moves.set(path, other)
  }
  return moves
}

/** Git's name of no bytes. */
const EMPTY = 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391'

function changesByPath(files: readonly ReviewFile[]): Map<string, SideChange> {
  return new Map(
    files.map(({ path, status, additions, deletions }) => [
      path,
      { status: status === 'MOVED' ? 'UPDATED' : status, additions, deletions },
    ]),
  )
}

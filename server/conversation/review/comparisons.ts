import { createHash } from 'node:crypto'
import type { RouteBody, RouteReply } from '../../api/contract/route.ts'
import type {
  ComparedFile,
  Comparison,
  getComparedFile,
  SideChange,
  takeComparedFiles,
} from '../../api/v1/conversation/comparisons.ts'
import type { ReviewSide } from '../../api/v1/conversation/review.ts'
import { AppError, isAppError } from '../../domain/errors.ts'
import type { SandboxHandle } from '../../domain/sandbox-handle.ts'
import type { Tree } from '../../git/checkpoint/trees.ts'
import { treeWith } from '../../git/review/take.ts'
import {
  changesBetween,
  differingFiles,
  type FilePair,
  type KeptChange,
  type KeptTree,
  readKept,
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
    const files = comparedFiles(differing.files, isKnown ? { mine, theirs } : { mine: new Map(), theirs: new Map() })
    const version = [here.tree, there.tree, digestOf(differing.files)].join('.')
    return this.#masked({ files, complete: differing.complete, has_common_files: isKnown, version })
  }

  /** @throws AppError bad_request, file_too_large, conflict for what is not kept any more */
  async content(
    ids: ComparedIds,
    { path, version, sides }: { path: string; version: string; sides: 'both' | 'here' | 'there' },
    signal: AbortSignal,
  ): Promise<RouteReply<typeof getComparedFile>> {
    const [here = '', there = '', hereBefore = '', thereBefore = ''] = version.split('.')
    const [mine, theirs] = this.#both(ids)
    const read = async (conversation: Conversation, object: string) => {
      if (object === '') return null
      const sandbox = await this.#opened(conversation)
      return this.#shown(await readKept({ sandbox, conversation: conversation.id }, { object, path }, signal))
    }
    const [conversation, before, after] = sides === 'there' ? [theirs, thereBefore, there] : [mine, hereBefore, here]
    if (sides !== 'both' && before === UNCHANGED) {
      const message = 'It is not known that this conversation has changed the file. Compare both with each other.'
      throw new AppError('bad_request', message)
    }
    const [original, modified] = await Promise.all(
      sides === 'both'
        ? [read(mine, here), read(theirs, there)]
        : [read(conversation, before), read(conversation, after)],
    )
    return { original: original ?? null, modified: modified ?? null }
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
      // A sandbox may have any program of git's name, which may tell another time of other files.
      if (!version.endsWith(`.${digestOf(files)}`)) throw changedSince()
      const taken = this.#named(files, paths)
      if (taken.length === 0) throw new AppError('conflict', 'None of these files differs. Compare again.')
      const treeOf = () => treeWith(here, there, taken, signal)
      return checkpoints.restoreTree(conversation, { treeOf, expected: here.tree }, signal)
    })
  }

  /** Those of these paths, as they are shown, and where they lie in the other one. */
  #named(files: readonly FilePair[], paths: readonly string[]): FilePair[] {
    const asked = new Set(paths)
    const moves = movedFiles(files)
    const chosen = files.map(({ path }) => path).filter(path => asked.has(this.#masked(path)))
    const shown = new Set(chosen.map(path => this.#masked(path)))
    if (shown.size < chosen.length) {
      const message =
        'Secrets are hidden in the names of several of these files, which look the same by that. Take them with a command.'
      throw new AppError('conflict', message)
    }
    const wanted = new Set(chosen.flatMap(path => [path, moves.get(path) ?? path]))
    return files.filter(({ path }) => wanted.has(path))
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

  async #opened(conversation: Conversation): Promise<SandboxHandle> {
    const opened = this.#dependencies.sandboxes.open(conversation.sandbox_id, conversation.working_dir)
    return opened.catch((error: unknown) => {
      throw named(conversation, error)
    })
  }

  #shown(side: ReviewSide): ReviewSide {
    return side.text ? this.#masked(side) : side
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

/** In the version of a file: what a conversation began with is not known, or is what it has. */
const UNCHANGED = '-'

/** Of all that a person sees, and can choose by that. */
function digestOf(files: readonly FilePair[]): string {
  const digest = createHash('sha256')
  for (const { path, here, there } of files) {
    const sides = [here, there].map(side => (side ? `${side.mode} ${side.object}` : ''))
    digest.update([path, ...sides, ''].join('\0'))
  }
  return digest.digest('hex')
}

type Changes = ReadonlyMap<string, KeptChange>

/** What differs, and what both have changed in the same way, by path. */
export function comparedFiles(
  differing: readonly FilePair[],
  { mine, theirs }: { mine: Changes; theirs: Changes },
): ComparedFile[] {
  const pairs = new Map(differing.map(pair => [pair.path, pair]))
  const moves = movedFiles(differing)
  const arrived = new Set(moves.values())
  const files = differing.flatMap((pair): ComparedFile[] => {
    const { path } = pair
    const other_path = moves.get(path) ?? null
    // It stands beside the file that it is there.
    if (arrived.has(path)) return []
    const state = other_path === null ? stateOf(pair) : 'moved'
    const there = pairs.get(other_path ?? path)?.there ?? null
    const changes = { mine: mine.get(path), theirs: theirs.get(other_path ?? path) }
    return [{ path, state, other_path, ...shownChanges(changes, { here: pair.here, there }) }]
  })
  for (const [path, change] of mine) {
    const other = theirs.get(path)
    if (!other || pairs.has(path)) continue
    const same = { here: change.after, there: other.after }
    files.push({ path, state: 'same', other_path: null, ...shownChanges({ mine: change, theirs: other }, same) })
  }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1))
}

function shownChanges(
  { mine, theirs }: { mine: KeptChange | undefined; theirs: KeptChange | undefined },
  { here, there }: Pick<FilePair, 'here' | 'there'>,
): Omit<ComparedFile, 'path' | 'state' | 'other_path'> {
  const before = [mine, theirs].map(change => (change ? (change.before?.object ?? '') : UNCHANGED))
  const version = [here?.object ?? '', there?.object ?? '', ...before].join('.')
  const modes = { here_mode: here?.mode ?? null, there_mode: there?.mode ?? null }
  return { here: sideChange(mine), there: sideChange(theirs), ...modes, version }
}

function sideChange(change: KeptChange | undefined): SideChange | null {
  return change ? { status: change.status, additions: change.additions, deletions: change.deletions } : null
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

import { join } from 'node:path'
import type { FolderInspection, FolderMode } from '../../api/v1/conversation/folder/folders.ts'
import { AppError } from '../../domain/errors.ts'
import { lookAtSource, type MountPolicyContext } from '../../sandbox/files/mounts.ts'
import type { MountedFolder } from '../../sandbox/spec.ts'
import type { ConfirmedFolderTable } from '../../store/confirmed-folders.ts'
import type { Folders } from '../folders.ts'
import { inspectFolder } from '../inspect.ts'
import type { OpenFolder } from '../open.ts'
import { inPlaceMounts, worktreeMounts } from './layout.ts'
import { type MadeWorktree, makeWorktree, whyNoWorktree } from './worktree.ts'
import type { WorktreeRecords } from './worktree-records.ts'

export interface MountRequest {
  path: string
  mode: Exclude<FolderMode, 'copy'>
  includeChanges: boolean
  /** A person says that the agent may work in the folder itself. */
  isConfirmed: boolean
  conversation: string
  /** That its sandbox is made from; null is the default one, and undefined none: a dev container's. */
  specId: string | null | undefined
}

/** A folder that is ready to be mounted. */
export interface Mountable extends MountedFolder {
  /** On this machine: the folder itself, or the worktree that was made. */
  hostPath: string
  /** Removes what was made for it, for a start that failed. Never rejects. */
  undo(): Promise<void>
}

interface Dependencies {
  folders: Folders
  records: WorktreeRecords
  confirmed: ConfirmedFolderTable
  /** Of the engine that sandboxes of a spec run on, as it is now; of no spec that of the default engine. */
  ground(specId: string | null | undefined): Promise<MountPolicyContext>
}

/** Folders of this computer that an agent works in where they are. */
export class FolderMounts {
  readonly #dependencies: Dependencies

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  /** What a person is shown before a start. @throws AppError file_not_found, bad_request in words */
  inspect(given: string, signal: AbortSignal): Promise<FolderInspection> {
    const { folders, confirmed } = this.#dependencies
    return folders.open(given, signal, async (folder, signal) => {
      const { content, refusal } = await inspectFolder(folder, signal)
      const [worktree, inPlace] = await Promise.all([
        this.#problem(folder, 'worktree', null),
        this.#problem(folder, 'in_place', null),
      ])
      const uncopied = refusal?.message ?? null
      const problems: { mode: FolderMode; reason: string | null }[] = [
        { mode: 'copy', reason: uncopied },
        // What is not committed is copied into it.
        { mode: 'worktree', reason: worktree === null ? uncopied : sentence(worktree) },
        { mode: 'in_place', reason: inPlace === null ? null : sentence(inPlace) },
      ]
      const modes = problems.filter(({ reason }) => reason === null).map(({ mode }) => mode)
      if (refusal && modes.length === 0) throw refusal
      const unavailable = problems.flatMap(({ mode, reason }) => (reason === null ? [] : [{ mode, reason }]))
      return { ...content, modes, unavailable, in_place_confirmed: confirmed.has(folder.path) }
    })
  }

  /** @throws AppError bad_request in words, conflict for a folder that nobody has confirmed */
  prepare(asked: MountRequest, signal: AbortSignal): Promise<Mountable> {
    const { folders, records, confirmed, ground } = this.#dependencies
    return folders.open(asked.path, signal, async (folder, signal) => {
      const problem = await this.#problem(folder, asked.mode, asked.specId)
      if (problem !== null) throw cannot(folder.path, problem)
      const { users } = await ground(asked.specId)
      if (users === null)
        throw new AppError('engine_unavailable', 'No container engine answers. Start it, then try again.')
      if (asked.mode === 'in_place') {
        if (asked.isConfirmed) confirmed.add(folder.path)
        else if (!confirmed.has(folder.path)) throw notConfirmed(folder.path)
        const mounted = await inPlaceMounts(folder, users)
        return { ...mounted, hostPath: folder.path, undo: async () => {} }
      }
      const { includeChanges, conversation } = asked
      const begun = (made: MadeWorktree) => records.remember(conversation, made)
      const made = await makeWorktree(folder, { name: conversation.slice(0, 8), includeChanges, begun, signal })
      const undo = () => records.removeLeft(conversation)
      try {
        return { ...(await worktreeMounts(made, users)), hostPath: made.path, undo }
      } catch (error) {
        await undo()
        throw error
      }
    })
  }

  /** After a start that nobody can undo any more; `hasConversation` keeps what it made. Never rejects. */
  async settle(conversation: string, hasConversation: boolean): Promise<void> {
    const { records } = this.#dependencies
    await (hasConversation ? records.forget(conversation).catch(() => {}) : records.removeLeft(conversation))
  }

  /** Why an agent cannot work so in the folder; null where it can. */
  async #problem(
    folder: OpenFolder,
    mode: MountRequest['mode'],
    specId: MountRequest['specId'],
  ): Promise<string | null> {
    const ground = await this.#dependencies.ground(specId)
    if (!ground.engineIsHere) return 'the engine runs on another machine, which does not see it'
    if (ground.users === 'mapped') return "the engine maps users, so that files made in a sandbox would be nobody's"
    const source = await lookAtSource(folder.path, ground)
    if ('refused' in source) return source.refused
    if (mode === 'worktree') return whyNoWorktree(folder)
    const { repository, path } = folder
    const isWhole = !repository || repository.gitDir === join(path, '.git')
    return isWhole ? null : 'it is a worktree of another folder. Choose that folder'
  }
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`
}

function cannot(path: string, why: string): AppError {
  return new AppError('bad_request', `${path} cannot be worked on where it is: ${why}. Start with a copy instead.`)
}

function notConfirmed(path: string): AppError {
  return new AppError(
    'conflict',
    `In place the agent changes ${path} itself, and programs that you start there may run what it wrote. Say that it may with confirm_in_place, once for each folder.`,
  )
}

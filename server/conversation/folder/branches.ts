import type { FolderBranch, FolderBranchUndone } from '../../api/v1/conversation/folder/branch.ts'
import { AppError } from '../../domain/errors.ts'
import { commitFiles, installObjects, missingFiles } from '../../folder/branch.ts'
import type { PresentFile } from '../../folder/compare.ts'
import type { BaseFile } from '../../folder/copies.ts'
import type { Folders } from '../../folder/folders.ts'
import { type PlannedFile, planFiles } from '../../folder/plan.ts'
import { createBranch, freeBranch, removeBranch } from '../../folder/refs.ts'
import { readRepository } from '../../folder/repository.ts'
import { commitIdentity } from '../../git/repository.ts'
import type { SettingsService } from '../../settings/service.ts'
import type { ConversationService } from '../service.ts'
import { claimedChanges } from './sandbox-result.ts'
import { type FolderWork, fetchWanted, sideOf } from './work.ts'

interface Dependencies {
  conversations: Pick<ConversationService, 'find'>
  settings: Pick<SettingsService, 'read'>
  folders: Folders
  work: FolderWork
}

/** Brings the changes of a conversation into the repository of its folder as a branch, beside what is checked out there. */
export class FolderBranches {
  readonly #dependencies: Dependencies

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  /**
   * One commit of all that the conversation changed, on top of what was copied.
   * @param asked null for a name of the conversation's title, and its title as the message
   * @throws AppError bad_request for a folder that is no repository, or when nothing changed; conflict for a name that is taken
   */
  create(
    given: string,
    asked: { name: string | null; message: string | null },
    signal: AbortSignal,
  ): Promise<FolderBranch> {
    const { work, folders, conversations, settings } = this.#dependencies
    return work.open(given, signal, async opened => {
      const { id, record, sandbox, folder, place, signal } = opened
      const { repository } = folder
      if (!repository) throw noRepository(folder.path)
      const name = asked.name ?? freeBranch(repository, branchNameFor(conversations.find(given)))
      const copied = await folders.copies.copied(id)
      const changes = await claimedChanges(sandbox, { start: record.start, place, signal })
      const present = new Map(changes.map(({ path }) => [path, asCopied(copied.get(path) ?? null)]))
      const planned = await planFiles({ changes, base: copied, present, signal })
      const carried = (await missingFiles(folder, copied, signal)).map(asCarried)
      await fetchWanted(opened, [...planned, ...carried])
      if (carried.some(({ state }) => state === 'refused')) {
        throw new AppError(
          'bad_request',
          'The sandbox no longer has all the files that were copied. Apply to the folder instead.',
        )
      }
      const { title } = conversations.find(given)
      const commit = await commitFiles(folder, {
        copied,
        changed: planned.filter(({ state }) => state !== 'refused').map(({ path }) => path),
        wanted: sideOf(planned, 'wanted'),
        head: record.head === undefined ? record.start : record.head,
        message: asked.message ?? title ?? 'Changes of a conversation',
        author: commitIdentity(settings.read()),
        signal,
      })
      await installObjects(folder, { repository, ...commit, signal })
      await createBranch(repository, name, commit.tip)
      await folders.copies.rememberBranch(id, { name, commit: commit.tip })
      return {
        branch: name,
        commit: commit.tip,
        files: planned.filter(({ state }) => state !== 'refused').map(({ path }) => path),
        refused: planned.filter(({ state }) => state === 'refused').map(({ path }) => path),
      }
    })
  }

  /** Removes a branch that `create` made. @throws AppError conflict when it has changed since or is checked out, bad_request */
  undo(given: string, branch: string): Promise<FolderBranchUndone> {
    const { conversations, folders, work } = this.#dependencies
    const { id } = conversations.find(given)
    return work.alone(async () => {
      const path = await folders.find((await folders.copies.find(id)).path)
      const made = (await folders.copies.branches(id)).findLast(({ name }) => name === branch)
      const repository = await readRepository(path)
      if (!made || !repository) {
        throw new AppError('bad_request', `This conversation made no branch ${branch}. Remove it with git branch -D.`)
      }
      await removeBranch(repository, branch, made.commit)
      return { branch }
    })
  }
}

/** The folder may have changed since: a branch does not touch that. */
function asCopied(file: BaseFile | null): PresentFile {
  return { place: file ? 'file' : 'absent', file, seen: null }
}

/** A file that was copied but is nowhere in the repository, as it was never committed. */
function asCarried(file: { path: string; mode: string; object: string }): PlannedFile {
  const { path, mode, object } = file
  return { path, status: 'UPDATED', state: 'fits', reason: null, now: null, wanted: { mode, object }, seen: null }
}

/** Of the words of its title that every git and file system takes. */
export function branchNameFor({ id, title }: { id: string; title: string | null }): string {
  const words = (title ?? '')
    .normalize('NFKD')
    .toLowerCase()
    .match(/[a-z0-9]+/g)
  const name = (words ?? []).join('-').slice(0, 50).replace(/-$/, '')
  return `atelier/${name || id.slice(0, 8)}`
}

function noRepository(path: string): AppError {
  return new AppError(
    'bad_request',
    `${path} is no git repository, so it has no branches. Apply to the folder instead.`,
  )
}

import { join } from 'node:path'
import type { FolderApplied, FolderFile, FolderPreview, FolderUndone } from '../../api/v1/conversation/folder/apply.ts'
import { AppError } from '../../domain/errors.ts'
import { checkOut, countLines, presentFiles } from '../../folder/compare.ts'
import type { Folders } from '../../folder/folders.ts'
import type { OpenFolder } from '../../folder/open.ts'
import { type PlannedFile, planFiles, readablePaths } from '../../folder/plan.ts'
import { freeBranch } from '../../folder/refs.ts'
import { changedSince, type FileWrite, restoreFiles, writeFiles } from '../../folder/write.ts'
import type { ConversationService } from '../service.ts'
import { branchNameFor } from './branches.ts'
import { claimedChanges } from './sandbox-result.ts'
import { type FolderWork, fetchWanted, sideOf } from './work.ts'

type Choices = ReadonlyMap<string, 'keep_mine' | 'take_theirs'>

interface Compared {
  id: string
  folder: OpenFolder
  planned: PlannedFile[]
  /** Aborted too when Atelier closes. */
  signal: AbortSignal
}

interface Dependencies {
  conversations: Pick<ConversationService, 'find'>
  folders: Folders
  work: FolderWork
}

/** Brings the changes of a conversation back to the folder that it began with, and takes them out again. */
export class FolderApply {
  readonly #dependencies: Dependencies

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  preview(given: string, asked: AbortSignal): Promise<FolderPreview> {
    return this.#compare(given, { keeps: true, asked }, async ({ id, folder, planned, signal }) => {
      const { conversations, folders } = this.#dependencies
      const { copies } = folders
      const sides = { before: sideOf(planned, 'now'), after: sideOf(planned, 'wanted') }
      const counts = await countLines(folder, sides, signal)
      const none = { added: null, removed: null }
      const files = planned.map(({ path, status, state, reason }): FolderFile => {
        return { path, status, state, reason, ...((state !== 'refused' && counts.get(path)) || none) }
      })
      const rank = ({ state }: FolderFile) => ['conflict', 'refused', 'fits'].indexOf(state)
      files.sort((a, b) => rank(a) - rank(b) || (a.path < b.path ? -1 : 1))
      const { path, repository } = folder
      const branch_name = repository && freeBranch(repository, branchNameFor(conversations.find(given)))
      return { path, files, undoable: (await copies.lastUndoable(id)) !== undefined, branch_name }
    })
  }

  /** @throws AppError conflict naming the files that have no choice, or that changed meanwhile */
  apply(given: string, choices: Choices, asked: AbortSignal): Promise<FolderApplied> {
    return this.#compare(given, { keeps: false, asked }, async ({ id, folder, planned, signal }) => {
      const { copies } = this.#dependencies.folders
      const conflicts = planned.filter(({ state }) => state === 'conflict').map(({ path }) => path)
      const open = conflicts.filter(path => !choices.has(path))
      if (open.length > 0) throw conflict('These files changed in the folder too. Choose for each of them', open)
      const kept = conflicts.filter(path => choices.get(path) === 'keep_mine')
      const refused = planned.filter(({ state }) => state === 'refused').map(({ path }) => path)
      const chosen = planned.filter(({ path, state }) => state !== 'refused' && !kept.includes(path))
      if (chosen.length === 0) return { id: '', written: [], kept, refused }
      const out = await checkOut(folder, sideOf(chosen, 'wanted'), signal)
      const writes = chosen.map(({ path, wanted, seen }): FileWrite => {
        const content = wanted && join(out, ...path.split('/'))
        return { path, content, isExecutable: wanted?.mode === '100755', base: wanted, seen }
      })
      const { id: apply, home } = await copies.beginApply(id)
      try {
        const files = await writeFiles(folder.path, writes, { kept: join(home, 'kept'), signal })
        await copies.endApply(id, { id: apply, files })
      } catch (error) {
        await copies.forgetApply(id, apply)
        throw error
      }
      return { id: apply, written: chosen.map(({ path }) => path), kept, refused }
    })
  }

  /** @throws AppError conflict naming the files that changed since */
  undo(given: string, apply: string | null): Promise<FolderUndone> {
    const { conversations, folders, work } = this.#dependencies
    const { id } = conversations.find(given)
    return work.alone(async () => {
      const { copies } = folders
      const path = await folders.find((await copies.find(id)).path)
      const last = await copies.lastUndoable(id)
      if (apply !== null && last?.id !== apply) {
        throw new AppError('bad_request', 'This apply was undone already, or a later one was made since.')
      }
      if (!last) throw new AppError('bad_request', 'There is no apply that can be undone. Look at the folder with git.')
      const kept = join(copies.applyHome(id, last.id), 'kept')
      const changed = await changedSince(path, last.files, kept)
      if (changed.length > 0)
        throw conflict('These files changed since they were applied, so nothing was undone', changed)
      await restoreFiles(path, last.files, kept)
      await copies.forgetApply(id, last.id)
      return { id: last.id, restored: last.files.map(file => file.path) }
    })
  }

  #compare<T>(
    conversation: string,
    { keeps, asked }: { keeps: boolean; asked: AbortSignal },
    work: (compared: Compared) => Promise<T>,
  ): Promise<T> {
    const { copies } = this.#dependencies.folders
    return this.#dependencies.work.open(conversation, asked, async opened => {
      const { id, record, sandbox, folder, place, signal } = opened
      const base = await copies.base(id)
      const changes = await claimedChanges(sandbox, { start: record.start, place, signal })
      const present = await presentFiles(folder, readablePaths(changes, base), { keeps, signal })
      const planned = await planFiles({ changes, base, present, signal })
      await fetchWanted(opened, planned)
      return work({ id, folder, planned, signal })
    })
  }
}

const MAX_NAMED = 20

function conflict(what: string, paths: readonly string[]): AppError {
  const named = paths.slice(0, MAX_NAMED).map(path => JSON.stringify(path))
  const more = paths.length > named.length ? ` and ${paths.length - named.length} more` : ''
  return new AppError('conflict', `${what}: ${named.join(', ')}${more}.`, { details: { files: paths } })
}

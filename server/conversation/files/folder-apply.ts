import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { FolderApplied, FolderFile, FolderPreview, FolderUndone } from '../../api/v1/conversation/folder-apply.ts'
import { createMutex, type Mutex } from '../../async/mutex.ts'
import { BOUNDS } from '../../domain/bounds.ts'
import { AppError } from '../../domain/errors.ts'
import { randomToken } from '../../domain/ids.ts'
import type { SandboxHandle } from '../../domain/sandbox-handle.ts'
import { addObjects, checkOut, countLines, presentFiles } from '../../folder/compare.ts'
import type { BaseFile } from '../../folder/copies.ts'
import type { Folders } from '../../folder/folders.ts'
import type { OpenFolder } from '../../folder/open.ts'
import { type PlannedFile, planFiles, readablePaths } from '../../folder/plan.ts'
import { changedSince, type FileWrite, restoreFiles, writeFiles } from '../../folder/write.ts'
import type { SandboxService } from '../../sandbox/service.ts'
import type { ConversationService } from '../service.ts'
import { claimedChanges, claimedSizes, receiveObjects } from './sandbox-result.ts'

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
  sandboxes: SandboxService
  folders: Folders
}

/** Brings the changes of a conversation back to the folder that it began with, and takes them out again. */
export class FolderApply {
  readonly #dependencies: Dependencies
  /** One at a time: two conversations may have the same folder. */
  readonly #mutex: Mutex = createMutex()

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  preview(given: string, asked: AbortSignal): Promise<FolderPreview> {
    return this.#compare(given, asked, async ({ id, folder, planned, signal }) => {
      const { copies } = this.#dependencies.folders
      const sides = { before: sideOf(planned, 'now'), after: sideOf(planned, 'wanted') }
      const counts = await countLines(folder, sides, signal)
      const none = { added: null, removed: null }
      const files = planned.map(({ path, status, state, reason }): FolderFile => {
        return { path, status, state, reason, ...((state !== 'refused' && counts.get(path)) || none) }
      })
      const rank = ({ state }: FolderFile) => ['conflict', 'refused', 'fits'].indexOf(state)
      files.sort((a, b) => rank(a) - rank(b) || (a.path < b.path ? -1 : 1))
      return { path: folder.path, files, undoable: (await copies.lastUndoable(id)) !== undefined }
    })
  }

  /** @throws AppError conflict naming the files that have no choice, or that changed meanwhile */
  apply(given: string, choices: Choices, asked: AbortSignal): Promise<FolderApplied> {
    return this.#compare(given, asked, async ({ id, folder, planned, signal }) => {
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
  undo(given: string): Promise<FolderUndone> {
    const { conversations, folders } = this.#dependencies
    const { id } = conversations.find(given)
    return this.#mutex(async () => {
      const { copies } = folders
      const path = await folders.find((await copies.find(id)).path)
      const last = await copies.lastUndoable(id)
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

  #compare<T>(conversation: string, asked: AbortSignal, work: (compared: Compared) => Promise<T>): Promise<T> {
    const { conversations, sandboxes, folders } = this.#dependencies
    const { id, sandbox_id, working_dir } = conversations.find(conversation)
    return this.#mutex(async () => {
      const sandbox = await sandboxes.open(sandbox_id, working_dir)
      const record = await folders.copies.find(id)
      const place = `/tmp/atelier-apply-${randomToken(8)}`
      try {
        return await folders.open(record.path, asked, async (folder, signal) => {
          const base = await folders.copies.base(id)
          const changes = await claimedChanges(sandbox, { start: record.start, place, signal })
          const present = await presentFiles(folder, readablePaths(changes, base), signal)
          const planned = await planFiles({ changes, base, present, signal })
          await fetchWanted(sandbox, { folder, planned, place, signal })
          return work({ id, folder, planned, signal })
        })
      } finally {
        await sandbox.exec({ argv: ['rm', '-rf', '--', place] }).catch(() => {})
      }
    })
  }
}

/** What is too large is refused; the rest is there as objects of the folder's git. */
async function fetchWanted(
  sandbox: SandboxHandle,
  given: { folder: OpenFolder; planned: PlannedFile[]; place: string; signal: AbortSignal },
): Promise<void> {
  const { folder, planned, place, signal } = given
  const wanted = new Set(planned.flatMap(({ state, wanted }) => (state !== 'refused' && wanted ? [wanted.object] : [])))
  if (wanted.size === 0) return
  const sizes = await claimedSizes(sandbox, [...wanted], signal)
  for (const file of planned) {
    const size = file.wanted ? sizes.get(file.wanted.object) : 0
    if (file.state === 'refused' || (size !== undefined && size <= BOUNDS.folderChangedFile.limit)) continue
    file.state = 'refused'
    file.reason = size === undefined ? 'The sandbox does not have its content.' : 'It is too large to be applied.'
    if (file.wanted) wanted.delete(file.wanted.object)
  }
  const objects = [...wanted].map(object => ({ object, size: sizes.get(object) ?? 0 }))
  if (objects.reduce((sum, { size }) => sum + size, 0) > BOUNDS.folderChangedBytes.limit) {
    throw new AppError(
      'bad_request',
      'The changed files are too large to be applied at once. Download a patch instead.',
    )
  }
  if (objects.length === 0) return
  const into = join(folder.git.home, 'received')
  await mkdir(into)
  await receiveObjects(sandbox, objects, { from: place, into, signal })
  const contents = objects.map(({ object }, index) => ({ object, content: join(into, String(index)) }))
  await addObjects(folder, contents, signal)
}

function sideOf(planned: readonly PlannedFile[], side: 'now' | 'wanted'): Map<string, BaseFile> {
  return new Map(
    planned.flatMap(file => {
      const found = file.state === 'refused' ? null : file[side]
      return found ? [[file.path, found] as const] : []
    }),
  )
}

const MAX_NAMED = 20

function conflict(what: string, paths: readonly string[]): AppError {
  const named = paths.slice(0, MAX_NAMED).map(path => JSON.stringify(path))
  const more = paths.length > named.length ? ` and ${paths.length - named.length} more` : ''
  return new AppError('conflict', `${what}: ${named.join(', ')}${more}.`, { details: { files: paths } })
}

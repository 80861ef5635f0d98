import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { diskError, diskProblemOf } from '../../disk/failure.ts'
import { makeFolder } from '../../disk/make-folder.ts'
import { BOUNDS } from '../../domain/bounds.ts'
import { AppError, messageOf } from '../../domain/errors.ts'
import type { ImportedFolders } from '../../folder/imported.ts'
import type { Conversation, ConversationTable } from '../../store/conversation/conversations.ts'

export interface FolderDependencies {
  conversations: Pick<ConversationTable, 'list' | 'count'>
  sandboxes: { readFolder(id: string, path: string): Promise<Readable> }
  importedFolders: Pick<ImportedFolders, 'has' | 'open'>
}

/** What was fetched, and for which conversations it could not be, with the reason. */
export interface FetchedFolders {
  files: { id: string; path: string }[]
  leftOut: string[]
}

interface Fetching {
  /** Where the tars go; whoever asked removes it. */
  folder: string
  onProgress(folders: { folders: number; folders_total: number }): void
  signal: AbortSignal
}

const PAGE = 500

/**
 * The working folders of conversations whose sandbox has one of its own, and those that were imported from another computer, one
 * after the other. What lies in a folder of this
 * computer is the person's already, and a sub-conversation works in its parent's.
 * @throws AppError disk_full, store_unavailable; the signal's reason
 */
export async function fetchWorkingFolders(
  dependencies: FolderDependencies,
  { folder, onProgress, signal }: Fetching,
): Promise<FetchedFolders> {
  const { sandboxes, importedFolders } = dependencies
  const wanted = [...withFolder(dependencies)]
  const fetched: FetchedFolders = { files: [], leftOut: [] }
  makeFolder(folder)
  for (const [index, { id, title, sandbox_id, working_dir }] of wanted.entries()) {
    onProgress({ folders: index, folders_total: wanted.length })
    const path = join(folder, `${id}.tar`)
    try {
      const isImported = sandbox_id === ''
      const content = isImported ? importedFolders.open(id) : await sandboxes.readFolder(sandbox_id, working_dir)
      await fetchFolder(content, path, signal)
      fetched.files.push({ id, path })
    } catch (error) {
      signal.throwIfAborted()
      const problem = diskProblemOf(error)
      if (problem) throw diskError(problem, folder)
      await rm(path, { force: true })
      fetched.leftOut.push(`${title}: ${messageOf(error)}`)
    }
  }
  onProgress({ folders: wanted.length, folders_total: wanted.length })
  return fetched
}

function* withFolder({ conversations: table, importedFolders }: FolderDependencies): Generator<Conversation, void> {
  const own = { includeSubConversations: false }
  const all = table.count(own)
  for (let from = 0; from < all; from += PAGE) {
    for (const conversation of table.list(own, 'created_at_ascending', from, PAGE)) {
      const { id, sandbox_id, mounted_folder } = conversation
      const hasFolder = sandbox_id === '' ? importedFolders.has(id) : mounted_folder === null
      if (hasFolder) yield conversation
    }
  }
}

async function fetchFolder(content: Readable, path: string, signal: AbortSignal): Promise<void> {
  const { limit } = BOUNDS.dataFileFolder
  async function* bounded(source: AsyncIterable<Buffer>) {
    let bytes = 0
    for await (const piece of source) {
      bytes += piece.length
      if (bytes > limit) {
        const most = limit / 1024 ** 3
        throw new AppError(
          'too_large',
          `The working folder has more than ${most} GiB. Delete what is not needed there.`,
        )
      }
      yield piece
    }
  }
  await pipeline(content, bounded, createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal })
}

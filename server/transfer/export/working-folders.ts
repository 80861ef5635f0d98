import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { defaultTitle } from '../../agent/default-title.ts'
import { unlessAborted } from '../../async/unless-aborted.ts'
import { diskError, diskRefusal } from '../../disk/failure.ts'
import { makeFolder } from '../../disk/make-folder.ts'
import { leavesRoom, readDisk } from '../../disk/space.ts'
import { BOUNDS } from '../../domain/bounds.ts'
import { AppError, isAppError, messageOf } from '../../domain/errors.ts'
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
/** More of the same help nobody. */
const MAX_NAMED = 50
/** An engine or a sandbox that hands nothing over for so long is not waited for. */
const STALLED_MS = 120_000
const GIB = 1024 ** 3

/**
 * The working folders of conversations whose sandbox has one of its own, and those that were imported from another computer, one
 * after the other. What lies in a folder of this computer is the person's already, and a sub-conversation works in its parent's.
 * @throws AppError disk_full, store_unavailable; the signal's reason
 */
export async function fetchWorkingFolders(
  dependencies: FolderDependencies,
  { folder, onProgress, signal }: Fetching,
): Promise<FetchedFolders> {
  const wanted = [...withFolder(dependencies)]
  const files: FetchedFolders['files'] = []
  const leftOut: string[] = []
  let left = BOUNDS.dataFile.limit
  makeFolder(folder)
  for (const [index, conversation] of wanted.entries()) {
    onProgress({ folders: index, folders_total: wanted.length })
    const { id, title } = conversation
    const path = join(folder, `${id}.tar`)
    try {
      left -= await fetchFolder(() => contentOf(conversation, dependencies), { path, left, signal })
      files.push({ id, path })
    } catch (error) {
      signal.throwIfAborted()
      if (isAppError(error, 'disk_full') || isAppError(error, 'store_unavailable')) throw error
      await rm(path, { force: true })
      // There is nothing that could have gone along.
      if (!isAppError(error, 'sandbox_not_found')) leftOut.push(`${title ?? defaultTitle(id)}: ${messageOf(error)}`)
    }
  }
  onProgress({ folders: wanted.length, folders_total: wanted.length })
  return { files, leftOut: shortened(leftOut) }
}

function shortened(lines: readonly string[]): string[] {
  const more = lines.length - MAX_NAMED
  return more > 0 ? [...lines.slice(0, MAX_NAMED), `And ${more.toLocaleString('en-US')} more.`] : [...lines]
}

function* withFolder({ conversations, importedFolders }: FolderDependencies): Generator<Conversation, void> {
  const own = { includeSubConversations: false }
  const all = conversations.count(own)
  for (let from = 0; from < all; from += PAGE) {
    for (const conversation of conversations.list(own, 'created_at_ascending', from, PAGE)) {
      const { id, sandbox_id, mounted_folder } = conversation
      const hasFolder = sandbox_id === '' ? importedFolders.has(id) : mounted_folder === null
      if (hasFolder) yield conversation
    }
  }
}

async function contentOf(
  { id, sandbox_id, working_dir }: Conversation,
  { sandboxes, importedFolders }: FolderDependencies,
): Promise<Readable> {
  return sandbox_id === '' ? importedFolders.open(id) : sandboxes.readFolder(sandbox_id, working_dir)
}

/** @returns its bytes @throws AppError disk_full, store_unavailable of the file; what opening and reading throw */
async function fetchFolder(
  open: () => Promise<Readable>,
  { path, left, signal }: { path: string; left: number; signal: AbortSignal },
): Promise<number> {
  const stalled = new AbortController()
  const given = AbortSignal.any([signal, stalled.signal])
  const timer = setTimeout(() => stalled.abort(nothingCame()), STALLED_MS)
  const target = createWriteStream(path, { flags: 'wx', mode: 0o600 })
  let refused: Error | undefined
  target.on('error', error => {
    refused = error
  })
  const opening = open()
  let bytes = 0
  async function* bounded(source: AsyncIterable<Buffer>) {
    for await (const piece of source) {
      timer.refresh()
      bytes += piece.length
      if (bytes > Math.min(BOUNDS.dataFileFolder.limit, left)) throw tooLarge(bytes > left)
      if (bytes % LOOK_BYTES < piece.length) await requireSpace(path)
      yield piece
    }
  }
  try {
    const content = await unlessAborted(opening, given)
    await pipeline(content, bounded, target, { signal: given })
    return bytes
  } catch (error) {
    // One that comes only now is nobody's.
    void opening.then(late => late.destroy()).catch(() => {})
    target.destroy()
    if (refused) throw diskRefusal(refused, path)
    throw stalled.signal.aborted && !signal.aborted ? nothingCame() : error
  } finally {
    clearTimeout(timer)
  }
}

/** Free space is looked at as often as so much was written. */
const LOOK_BYTES = 64 * 1024 ** 2

/** @throws AppError disk_full */
async function requireSpace(path: string): Promise<void> {
  const disk = await readDisk(join(path, '..'))
  if (disk && !leavesRoom(disk)) throw diskError('full', path)
}

function nothingCame(): AppError {
  return new AppError('command_stopped', `Nothing came of it for ${STALLED_MS / 1000} seconds. Is its engine well?`)
}

function tooLarge(isTogether: boolean): AppError {
  const what = isTogether
    ? `All folders together have more than ${BOUNDS.dataFile.limit / GIB} GiB, which no file may have.`
    : `It has more than ${BOUNDS.dataFileFolder.limit / GIB} GiB.`
  return new AppError('too_large', `${what} Delete what is not needed there.`)
}

import type { FolderInspection } from '../api/v1/conversation/folders.ts'
import { FolderCopies } from './copies.ts'
import { inspectFolder } from './inspect.ts'
import { findFolder, type OpenFolder, openFolder } from './open.ts'
import { packOf, type Snapshot, takeSnapshot } from './snapshot.ts'

/** A folder's copy on its way: what it is, and its objects as they come. */
export interface FolderCopy {
  snapshot: Snapshot
  /** Keeps for a conversation what was copied, so that its changes can be applied to the folder. */
  remember(conversation: string): Promise<void>
  /** Read to its end; then `ended` says whether it is whole. */
  content: AsyncIterable<Buffer>
  ended: Promise<void>
}

/** Folders of this computer, for whoever has the API's own key. Nothing of a folder is ever executed. */
export class Folders {
  readonly copies: FolderCopies
  readonly #dataDir: string

  constructor({ dataDir }: { dataDir: string }) {
    this.#dataDir = dataDir
    this.copies = new FolderCopies(dataDir)
  }

  /** @throws AppError file_not_found, bad_request in words */
  inspect(path: string, signal: AbortSignal): Promise<FolderInspection> {
    return inspectFolder(path, this.#dataDir, signal)
  }

  /** Its own path. @throws AppError file_not_found, bad_request */
  find(path: string): Promise<string> {
    return findFolder(path, this.#dataDir)
  }

  /** Reads the folder as it is now, and removes what it needed for that in the end. @throws as `inspect` */
  async copy<T>(
    given: string,
    options: { includeChanges: boolean; signal: AbortSignal },
    work: (copy: FolderCopy) => Promise<T>,
  ): Promise<T> {
    const { signal } = options
    return this.open(given, signal, async folder => {
      const snapshot = await takeSnapshot(folder, options)
      const stop = new AbortController()
      const { content, ended } = packOf(folder, snapshot, AbortSignal.any([signal, stop.signal]))
      ended.catch(() => {})
      const remember = async (conversation: string) => {
        const listing = await folder.git.need(['ls-tree', '-r', '-z', '--full-tree', snapshot.start], { signal })
        await this.copies.remember(conversation, { path: folder.path, start: snapshot.start }, listing)
      }
      try {
        return await work({ snapshot, content, ended, remember })
      } finally {
        stop.abort()
        await ended.catch(() => {})
      }
    })
  }

  /** @throws as `inspect` */
  async open<T>(given: string, signal: AbortSignal, work: (folder: OpenFolder) => Promise<T>): Promise<T> {
    const folder = await openFolder(await this.find(given), signal)
    try {
      return await work(folder)
    } finally {
      await folder.git.close()
    }
  }
}

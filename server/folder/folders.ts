import type { FolderInspection } from '../api/v1/conversation/folders.ts'
import { inspectFolder } from './inspect.ts'
import { findFolder, openFolder } from './open.ts'
import { packOf, type Snapshot, takeSnapshot } from './snapshot.ts'

/** A folder's copy on its way: what it is, and its objects as they come. */
export interface FolderCopy {
  snapshot: Snapshot
  /** Read to its end; then `ended` says whether it is whole. */
  content: AsyncIterable<Buffer>
  ended: Promise<void>
}

/** Folders of this computer, for whoever has the API's own key. Nothing of a folder is ever executed. */
export class Folders {
  readonly #dataDir: string

  constructor({ dataDir }: { dataDir: string }) {
    this.#dataDir = dataDir
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
    const folder = await openFolder(await this.find(given), signal)
    try {
      const snapshot = await takeSnapshot(folder, options)
      const stop = new AbortController()
      const { content, ended } = packOf(folder, snapshot, AbortSignal.any([signal, stop.signal]))
      ended.catch(() => {})
      try {
        return await work({ snapshot, content, ended })
      } finally {
        stop.abort()
        await ended.catch(() => {})
      }
    } finally {
      await folder.git.close()
    }
  }
}

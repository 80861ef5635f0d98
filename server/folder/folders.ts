import { existsSync, readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../domain/errors.ts'
import { FolderCopies } from './copies.ts'
import { ImportedFolders } from './imported.ts'
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
  readonly imported: ImportedFolders
  readonly #dataDir: string
  /** What git needs while a folder is open. */
  readonly #homes: string
  readonly #stop = new AbortController()
  readonly #open = new Set<Promise<unknown>>()
  #tidied: Promise<void> | undefined

  constructor({ dataDir }: { dataDir: string }) {
    this.#dataDir = dataDir
    this.#homes = join(dataDir, 'folders', '.open')
    this.copies = new FolderCopies(dataDir)
    this.imported = new ImportedFolders(dataDir)
  }

  /** Removes what a process left that was killed while it read a folder. */
  start(): Promise<void> {
    const left = existsSync(this.#homes) ? readdirSync(this.#homes) : []
    this.#tidied = (async () => {
      for (const name of left) await rm(join(this.#homes, name), { recursive: true, force: true }).catch(() => {})
    })()
    return this.#tidied
  }

  /** Ends what is read now, and waits for it. */
  async close(): Promise<void> {
    this.#stop.abort(new AppError('unavailable', 'Atelier is closing.'))
    await Promise.allSettled([this.#tidied, ...this.#open])
  }

  /** Its own path. @throws AppError file_not_found, bad_request */
  find(path: string): Promise<string> {
    return findFolder(path, this.#dataDir)
  }

  /** Reads the folder as it is now, and removes what it needed for that in the end. @throws as `open` */
  async copy<T>(
    given: string,
    options: { includeChanges: boolean; signal: AbortSignal },
    work: (copy: FolderCopy) => Promise<T>,
  ): Promise<T> {
    return this.open(given, options.signal, async (folder, signal) => {
      const snapshot = await takeSnapshot(folder, { ...options, signal })
      const stop = new AbortController()
      const { content, ended } = packOf(folder, snapshot, AbortSignal.any([signal, stop.signal]))
      ended.catch(() => {})
      const remember = async (conversation: string) => {
        const listing = await folder.git.need(['ls-tree', '-r', '-z', '--full-tree', snapshot.start], { signal })
        const head = folder.repository?.head ?? null
        await this.copies.remember(conversation, { path: folder.path, start: snapshot.start, head }, listing)
      }
      try {
        return await work({ snapshot, content, ended, remember })
      } finally {
        stop.abort()
        await ended.catch(() => {})
      }
    })
  }

  /** @throws AppError file_not_found, bad_request in words */
  open<T>(
    given: string,
    signal: AbortSignal,
    work: (folder: OpenFolder, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const opened = this.#withFolder(given, AbortSignal.any([signal, this.#stop.signal]), work)
    this.#open.add(opened)
    const forget = () => this.#open.delete(opened)
    opened.then(forget, forget)
    return opened
  }

  async #withFolder<T>(
    given: string,
    signal: AbortSignal,
    work: (folder: OpenFolder, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    signal.throwIfAborted()
    const folder = await openFolder(await this.find(given), this.#homes, signal)
    try {
      return await work(folder, signal)
    } finally {
      await folder.git.close()
    }
  }
}

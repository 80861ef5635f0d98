import { createReadStream, existsSync, type ReadStream, renameSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { onDisk } from '../disk/failure.ts'
import { makeFolder } from '../disk/make-folder.ts'
import type { ConversationId } from '../domain/ids.ts'

/** Working folders of conversations that were imported from another computer, as tars: their sandboxes stayed there. */
export class ImportedFolders {
  readonly #root: string

  constructor(dataDir: string) {
    // No conversation has such an id.
    this.#root = join(dataDir, 'folders', '.imported')
  }

  has(id: ConversationId): boolean {
    return existsSync(this.#pathOf(id))
  }

  /** Errors come while it is read. */
  open(id: ConversationId): ReadStream {
    return createReadStream(this.#pathOf(id))
  }

  /** @param path of a tar on the same disk, which is moved @throws AppError disk_full, store_unavailable */
  keep(id: ConversationId, path: string): void {
    makeFolder(this.#root)
    onDisk(this.#root, () => renameSync(path, this.#pathOf(id)))
  }

  /** Removes what no conversation has any more, as after a backup from before an import was restored. Never rejects. */
  async tidy(present: (ids: string[]) => readonly string[]): Promise<void> {
    const names = await readdir(this.#root).catch(() => [])
    const kept = new Set(present(names.map(name => name.replace(/\.tar$/, ''))).map(id => `${id}.tar`))
    for (const name of names) {
      if (!kept.has(name)) await rm(join(this.#root, name), { recursive: true, force: true }).catch(() => {})
    }
  }

  /** What is not there is no error. @throws what the disk throws */
  async forget(id: ConversationId): Promise<void> {
    await rm(this.#pathOf(id), { force: true })
  }

  #pathOf(id: ConversationId): string {
    return join(this.#root, `${id}.tar`)
  }
}

import { Readable } from 'node:stream'
import { notOnCluster } from './errors.ts'

const MAX_MIB = 4

/** What is put into a container that has no pod yet; it is written once it has. Small: folders of a user, an account. */
export class UnstartedFiles {
  readonly #kept = new Map<string, { path: string; archive: Buffer }[]>()

  /** @throws AppError bad_request where that is more than a few files */
  async keep(id: string, path: string, archive: Readable | Buffer): Promise<void> {
    let size = this.#sizeOf(id)
    const chunks: Buffer[] = []
    // Leaving the loop closes what is read.
    for await (const chunk of Readable.from(Buffer.isBuffer(archive) ? [archive] : archive)) {
      size += chunk.length
      if (size > MAX_MIB * 2 ** 20) throw notOnCluster(`keep more than ${MAX_MIB} MiB of files for a sandbox's start`)
      chunks.push(chunk)
    }
    this.#kept.set(id, [...(this.#kept.get(id) ?? []), { path, archive: Buffer.concat(chunks) }])
  }

  #sizeOf(id: string): number {
    return (this.#kept.get(id) ?? []).reduce((total, { archive }) => total + archive.length, 0)
  }

  /** What the user of the container may not write stays away: no pod lets another user in. */
  async write(id: string, put: (path: string, archive: Buffer) => Promise<void>): Promise<void> {
    const kept = this.#kept.get(id) ?? []
    this.#kept.delete(id)
    for (const { path, archive } of kept) await put(path, archive).catch(() => {})
  }

  forget(id: string): void {
    this.#kept.delete(id)
  }
}

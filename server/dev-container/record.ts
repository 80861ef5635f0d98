import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { randomToken } from '../domain/ids.ts'

/** Of one that is gone the image is found anew, by its steps. */
const MAX_RECORDS = 100

const oneCommand = z.union([z.string(), z.array(z.string())])

/** What is known of an image that was made for a dev container, so that a second start asks nobody. */
const imageRecord = z.object({
  image: z.string(),
  /** Of the engine, as it was made. */
  imageId: z.string(),
  /** As `uid:gid`. */
  user: z.string(),
  home: z.string(),
  env: z.record(z.string(), z.string()),
  commands: z.array(
    z.object({
      name: z.enum(['onCreateCommand', 'updateContentCommand', 'postCreateCommand', 'postStartCommand']),
      command: z.union([oneCommand, z.record(z.string(), oneCommand)]),
    }),
  ),
  leftOut: z.array(z.string()),
})
export type ImageRecord = z.output<typeof imageRecord>

/** By the key of what an image is made from, a file each. */
export class ImageRecords {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  async get(key: string): Promise<ImageRecord | undefined> {
    try {
      return imageRecord.parse(JSON.parse(await readFile(this.#path(key), 'utf8')))
    } catch {
      // A file that cannot be read is written again.
      return undefined
    }
  }

  async put(key: string, record: ImageRecord): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    const written = `${this.#path(key)}.${randomToken(8)}`
    await writeFile(written, JSON.stringify(record), { mode: 0o600 })
    await rename(written, this.#path(key))
    await this.#removeOldest()
  }

  async #removeOldest(): Promise<void> {
    const names = (await readdir(this.#folder)).filter(name => name.includes('.json'))
    if (names.length <= MAX_RECORDS) return
    const files = names.map(async name => {
      const path = join(this.#folder, name)
      return { path, writtenAt: (await stat(path).catch(() => undefined))?.mtimeMs ?? 0 }
    })
    const byAge = (await Promise.all(files)).sort((one, other) => other.writtenAt - one.writtenAt)
    await Promise.all(byAge.slice(MAX_RECORDS).map(({ path }) => rm(path, { force: true })))
  }

  #path(key: string): string {
    return join(this.#folder, `${key}.json`)
  }
}

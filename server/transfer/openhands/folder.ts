import { constants } from 'node:fs'
import { type FileHandle, lstat, open, opendir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { BOUNDS } from '../../domain/bounds.ts'
import { AppError } from '../../domain/errors.ts'
import { describeJsonProblem, problemOfJson } from '../../text/json-bounds.ts'

/** A name that can be said and opened: what is no UTF-8 has lost its bytes. */
const PLAIN_NAME = /^[^\p{Cc}\p{Cf}\ufffd/\\]{1,200}$/u

export type ReadJson = { value: unknown } | { reason: string }

/**
 * A folder of somebody else's, which is only read. No link below it is followed, and nothing is opened that is no plain
 * file.
 */
export class ForeignFolder {
  readonly path: string

  private constructor(path: string) {
    this.path = path
  }

  /** The folder itself may be a link. @throws AppError bad_request */
  static async open(path: string): Promise<ForeignFolder> {
    const found = await realpath(path).catch(() => undefined)
    const about = found === undefined ? undefined : await lstat(found).catch(() => undefined)
    if (found !== undefined && about?.isDirectory()) return new ForeignFolder(found)
    throw new AppError(
      'bad_request',
      'There is no such folder on this computer, or it cannot be opened. Choose the folder that OpenHands keeps its data in, usually .openhands in the home folder.',
    )
  }

  /** Names of what lies in a folder of it, in any order; none where it cannot be listed. */
  async *names(folder: string, kind: 'folder' | 'file'): AsyncGenerator<string, void> {
    const place = await this.#placeOf(folder)
    const entries = place === undefined ? undefined : await opendir(place).catch(() => undefined)
    if (!entries) return
    for await (const entry of entries) {
      if (!PLAIN_NAME.test(entry.name)) continue
      if (kind === 'folder' ? entry.isDirectory() : entry.isFile()) yield entry.name
    }
  }

  /** undefined where there is no such file. */
  async json(file: string, maxBytes: number): Promise<ReadJson | undefined> {
    const read = await this.#read(file, maxBytes)
    if (read === undefined || 'reason' in read) return read
    const most = BOUNDS.dataFileValues.limit
    const problem = problemOfJson(read.bytes, most)
    if (problem) return { reason: describeJsonProblem(problem, most) }
    try {
      return { value: JSON.parse(read.bytes.toString('utf8')) }
    } catch {
      return { reason: 'it is no JSON, or is not complete' }
    }
  }

  /** Where a file lies and how long it is; undefined where there is no plain file. */
  async plainFile(file: string): Promise<{ path: string; bytes: number } | undefined> {
    const path = await this.#placeOf(file)
    const about = path === undefined ? undefined : await lstat(path).catch(() => undefined)
    return path !== undefined && about?.isFile() ? { path, bytes: about.size } : undefined
  }

  async #read(file: string, maxBytes: number): Promise<{ bytes: Buffer } | { reason: string } | undefined> {
    const path = await this.#placeOf(file)
    if (path === undefined) return undefined
    const about = await lstat(path).catch(() => undefined)
    if (!about) return undefined
    if (!about.isFile()) return { reason: 'it is a link, or no plain file' }
    let opened: FileHandle | undefined
    try {
      // It may have become something else: a pipe would be waited for without end.
      opened = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
      const { size } = await opened.stat()
      if (size > maxBytes) return { reason: `it is larger than ${maxBytes / 2 ** 20} MiB` }
      return { bytes: await wholeOf(opened, size) }
    } catch {
      return { reason: 'it cannot be opened' }
    } finally {
      await opened?.close()
    }
  }

  /** Each folder on the way has to be one. */
  async #placeOf(name: string): Promise<string | undefined> {
    const parts = name.split('/').filter(part => part !== '')
    let path = this.path
    for (const [index, part] of parts.entries()) {
      if (part === '..' || part === '.') return undefined
      path = join(path, part)
      if (index === parts.length - 1) return path
      const about = await lstat(path).catch(() => undefined)
      if (!about?.isDirectory()) return undefined
    }
    return path
  }
}

/** What a file has grown by since is left. */
async function wholeOf(file: FileHandle, size: number): Promise<Buffer> {
  const bytes = Buffer.alloc(size)
  let length = 0
  while (length < size) {
    const { bytesRead } = await file.read(bytes, length, size - length, length)
    if (bytesRead === 0) break
    length += bytesRead
  }
  return bytes.subarray(0, length)
}

import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, realpathSync, type Stats } from 'node:fs'
import { opendir } from 'node:fs/promises'
import { join } from 'node:path'
import { BOUNDS } from '../../domain/bounds.ts'
import { AppError } from '../../domain/errors.ts'
import { describeJsonProblem, problemOfJson } from '../../text/json-bounds.ts'

/** A name that can be said and opened: what is no UTF-8 has lost its bytes. */
const PLAIN_NAME = /^[^\p{Cc}\p{Cf}\ufffd/\\]{1,200}$/u

export type ReadJson = { value: unknown } | { reason: string }

/**
 * A folder of somebody else's, which is only read. No link below it is followed, and nothing is opened that is no plain
 * file. It is used in a thread of its own, where calls that wait for the disk take a tenth of the time of those that do not.
 */
export class ForeignFolder {
  readonly path: string

  private constructor(path: string) {
    this.path = path
  }

  /** The folder itself may be a link. @throws AppError bad_request */
  static open(path: string): ForeignFolder {
    const found = realOf(path)
    if (found !== undefined && aboutOf(found)?.isDirectory()) return new ForeignFolder(found)
    throw new AppError(
      'bad_request',
      'There is no such folder on this computer, or it cannot be opened. Choose the folder that OpenHands keeps its data in, usually .openhands in the home folder.',
    )
  }

  /** Names of what lies in a folder of it, in any order; none where it cannot be listed. */
  async *names(folder: string, kind: 'folder' | 'file'): AsyncGenerator<string, void> {
    const place = this.#placeOf(folder)
    const entries = place === undefined ? undefined : await opendir(place).catch(() => undefined)
    if (!entries) return
    for await (const entry of entries) {
      if (!PLAIN_NAME.test(entry.name)) continue
      if (kind === 'folder' ? entry.isDirectory() : entry.isFile()) yield entry.name
    }
  }

  /** undefined where there is no such file. */
  json(file: string, maxBytes: number): ReadJson | undefined {
    const read = this.#read(file, maxBytes)
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
  plainFile(file: string): { path: string; bytes: number } | undefined {
    const path = this.#placeOf(file)
    const about = path === undefined ? undefined : aboutOf(path)
    return path !== undefined && about?.isFile() ? { path, bytes: about.size } : undefined
  }

  #read(file: string, maxBytes: number): { bytes: Buffer } | { reason: string } | undefined {
    const path = this.#placeOf(file)
    if (path === undefined) return undefined
    const about = aboutOf(path)
    if (!about) return undefined
    if (!about.isFile()) return { reason: 'it is a link, or no plain file' }
    let opened: number | undefined
    try {
      // It may have become something else: a pipe would be waited for without end.
      opened = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
      const about = fstatSync(opened)
      if (!about.isFile()) return { reason: 'it is a link, or no plain file' }
      const { size } = about
      if (size > maxBytes) return { reason: `it is larger than ${maxBytes / 2 ** 20} MiB` }
      return { bytes: wholeOf(opened, size) }
    } catch {
      return { reason: 'it cannot be opened' }
    } finally {
      if (opened !== undefined) closeSync(opened)
    }
  }

  /** Each folder on the way has to be one. */
  #placeOf(name: string): string | undefined {
    const parts = name.split('/').filter(part => part !== '')
    let path = this.path
    for (const [index, part] of parts.entries()) {
      if (part === '..' || part === '.') return undefined
      path = join(path, part)
      if (index === parts.length - 1) return path
      const about = aboutOf(path)
      if (!about?.isDirectory()) return undefined
    }
    return path
  }
}

/** What a file has grown by since is left. */
function wholeOf(file: number, size: number): Buffer {
  const bytes = Buffer.alloc(size)
  let length = 0
  while (length < size) {
    const bytesRead = readSync(file, bytes, length, size - length, length)
    if (bytesRead === 0) break
    length += bytesRead
  }
  return bytes.subarray(0, length)
}

function aboutOf(path: string): Stats | undefined {
  try {
    return lstatSync(path)
  } catch {
    return undefined
  }
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}

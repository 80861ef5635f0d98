import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import { BOUNDS } from '../domain/bounds.ts'
import { AppError } from '../domain/errors.ts'
import { fields } from '../folder/files.ts'
import type { FolderGit } from '../folder/git.ts'
import { refusalOf } from '../folder/unsafe-path.ts'

export interface TreeFile {
  /** From the root of the repository, with slashes. */
  path: string
  /** As git's trees have it. */
  mode: string
  /** Name of its content. */
  object: string
  sizeBytes: number
}

const LINK = '120000'
const SUBMODULE = '160000'
const NEWLINE = 10

/** The files of one commit, of which git tells the contents; nothing of them is on a disk but what `writeFiles` writes. */
export class RepositoryTree {
  /** What a sandbox calls the repository's folder. */
  readonly name: string
  readonly files: readonly TreeFile[]
  readonly #git: FolderGit

  private constructor(name: string, files: readonly TreeFile[], git: FolderGit) {
    this.name = name
    this.files = files
    this.#git = git
  }

  static async open(name: string, git: FolderGit, commit: string, signal: AbortSignal): Promise<RepositoryTree> {
    const listed = await git.need(['ls-tree', '-r', '-l', '-z', '--full-tree', commit], { signal })
    const files = fields(listed).flatMap((entry): TreeFile[] => {
      const tab = entry.indexOf('\t')
      const [mode = '', , object = '', size] = entry.slice(0, tab).split(/ +/)
      if (mode === SUBMODULE) return []
      return [{ mode, object, sizeBytes: Number(size), path: entry.slice(tab + 1) }]
    })
    return new RepositoryTree(name, files, git)
  }

  find(path: string): TreeFile | undefined {
    return this.files.find(file => file.path === path)
  }

  /** Those in a folder; '' is the root. */
  within(folder: string): TreeFile[] {
    return folder === '' ? [...this.files] : this.files.filter(({ path }) => path.startsWith(`${folder}/`))
  }

  /** The contents one after the other, in the order of `files`. @throws AppError too_large */
  async *contents(
    files: readonly TreeFile[],
    signal: AbortSignal,
  ): AsyncGenerator<{ file: TreeFile; content: Buffer }> {
    const tooLarge = files.find(({ sizeBytes }) => sizeBytes > BOUNDS.devContainerFile.limit)
    if (tooLarge) throw new AppError('too_large', `${tooLarge.path} of the repository is too large to be read.`)
    const input = files.map(({ object }) => `${object}\n`).join('')
    const stop = new AbortController()
    const either = AbortSignal.any([signal, stop.signal])
    const { content, ended } = this.#git.stream(['cat-file', '--batch'], { input, signal: either })
    ended.catch(() => {})
    const reader = new BatchReader(content)
    try {
      for (const file of files) {
        const [, kind, size] = (await reader.line()).toString().split(' ')
        if (kind !== 'blob' || Number(size) !== file.sizeBytes) throw unreadable()
        yield { file, content: await reader.take(file.sizeBytes) }
        await reader.take(1)
      }
      await ended
    } finally {
      // Whoever takes no more lets git end.
      stop.abort()
    }
  }

  /** Of a regular file; undefined for anything else, and for one that is larger. @throws AppError bad_request */
  async text(path: string, maxBytes: number, signal: AbortSignal): Promise<string | undefined> {
    const file = this.find(path)
    if (!file || file.mode === LINK || file.sizeBytes > maxBytes) return undefined
    for await (const { content } of this.contents([file], signal)) return content.toString()
    return undefined
  }

  /** Writes regular files into a folder of ours. Links are left out: nothing on this machine is to follow one of them. */
  async writeFiles(files: readonly TreeFile[], target: string, signal: AbortSignal): Promise<void> {
    const plain = files.filter(({ path, mode }) => refusalOf(path, mode) === null)
    const bytes = plain.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
    if (plain.length > BOUNDS.devContainerOwnFiles.limit || bytes > BOUNDS.devContainerOwnBytes.limit) {
      throw new AppError('too_large', 'The folder .devcontainer of the repository is too large to be read.')
    }
    for await (const { file, content } of this.contents(plain, signal)) {
      const path = join(target, ...file.path.split('/'))
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, content)
    }
  }

  /** Where a link leads, in a folder of the repository that it lies in; undefined where it leads out of that. */
  static targetOf({ path, mode }: TreeFile, content: Buffer, folder: string): string | undefined {
    if (mode !== LINK) return undefined
    const target = content.toString()
    const inside = posix.normalize(posix.join(posix.relative(folder, posix.dirname(path)), target))
    return target.startsWith('/') || inside === '..' || inside.startsWith('../') ? undefined : target
  }
}

function unreadable(): AppError {
  return new AppError('bad_request', 'A file of the repository could not be read. Try again.')
}

/** https://git-scm.com/docs/git-cat-file#_batch_output */
class BatchReader {
  readonly #source: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  async line(): Promise<Buffer> {
    let end = this.#rest.indexOf(NEWLINE)
    while (end < 0) {
      await this.#more(1)
      end = this.#rest.indexOf(NEWLINE)
    }
    const line = this.#rest.subarray(0, end)
    this.#rest = this.#rest.subarray(end + 1)
    return line
  }

  async take(length: number): Promise<Buffer> {
    if (this.#rest.length < length) await this.#more(length - this.#rest.length)
    const taken = this.#rest.subarray(0, length)
    this.#rest = this.#rest.subarray(length)
    return taken
  }

  async #more(bytes: number): Promise<void> {
    const pieces = [this.#rest]
    for (let missing = bytes; missing > 0; ) {
      const { value, done } = await this.#source.next()
      if (done) throw unreadable()
      pieces.push(value)
      missing -= value.length
    }
    this.#rest = Buffer.concat(pieces)
  }
}

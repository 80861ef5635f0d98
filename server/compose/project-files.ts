import { posix } from 'node:path'
import { BOUNDS } from '../domain/bounds.ts'
import { isAppError } from '../domain/errors.ts'
import type { SandboxHandle } from '../domain/sandbox-handle.ts'
import { ComposeProblem } from './problem.ts'

export interface ProjectFile {
  /** From the root of the repository. */
  path: string
  content: Buffer
}

type Sandbox = Pick<SandboxHandle, 'readFile' | 'stat'>

/** The files that say what the services of a repository are, read through the engine and each once. */
export class ProjectFiles {
  readonly #sandbox: Sandbox
  /** Root of the repository. */
  readonly #root: string
  readonly #signal: AbortSignal
  readonly #known = new Map<string, Buffer | null>()

  constructor(sandbox: Sandbox, root: string, signal: AbortSignal) {
    this.#sandbox = sandbox
    this.#root = root
    this.#signal = signal
  }

  /** Those that are there, in the order in which they were asked for. */
  get all(): ProjectFile[] {
    return [...this.#known].flatMap(([path, content]) => (content ? [{ path, content }] : []))
  }

  has(path: string): boolean {
    return this.#known.has(path)
  }

  /** Of those that were asked for, whether they are there or not. */
  get count(): number {
    return this.#known.size
  }

  /** null for one that is not there, is something else, or is too large. @throws AppError of the sandbox */
  async read(paths: readonly string[]): Promise<(string | null)[]> {
    this.#note(paths)
    const contents = await Promise.all(paths.map(async path => this.#known.get(path) ?? (await this.#content(path))))
    return contents.map((content, index) => {
      this.#known.set(paths[index] ?? '', content)
      return content?.toString('utf8') ?? null
    })
  }

  /** Of a file that another one names. @throws ComposeProblem for what is not there, or lies behind a link */
  async readNamed(paths: readonly string[]): Promise<string[]> {
    this.#note(paths)
    await Promise.all(
      paths.map(async path => {
        if (!(await this.#isThere(path))) throw new ComposeProblem(`${path.slice(0, 100)} is not there.`)
      }),
    )
    const texts = await this.read(paths)
    return texts.map((text, index) => {
      if (text !== null) return text
      throw new ComposeProblem(`${paths[index]} is empty, or larger than 128 KiB.`)
    })
  }

  /** Of a file that may be there; null where it is not. @throws ComposeProblem for one that lies behind a link */
  async readIfThere(path: string): Promise<string | null> {
    this.#note([path])
    return (await this.#isThere(path)) ? ((await this.read([path]))[0] ?? null) : null
  }

  #note(paths: readonly string[]): void {
    for (const path of paths) if (!this.#known.has(path)) this.#known.set(path, null)
  }

  /** A link could lead anywhere in the sandbox, and what lies there is not the repository's. */
  async #isThere(path: string): Promise<boolean> {
    const names = path.split('/')
    for (const index of names.keys()) {
      const place = posix.join(this.#root, ...names.slice(0, index + 1))
      const stat = await this.#sandbox.stat(place)
      if (!stat) return false
      if (stat.path !== place) {
        throw new ComposeProblem(`${names[index]?.slice(0, 100)} is a link, which is not followed.`)
      }
      if (stat.kind !== (index === names.length - 1 ? 'file' : 'directory')) {
        throw new ComposeProblem(`${path.slice(0, 100)} is no file.`)
      }
    }
    return true
  }

  async #content(path: string): Promise<Buffer | null> {
    this.#signal.throwIfAborted()
    try {
      return await this.#sandbox.readFile(posix.join(this.#root, path), { maxBytes: BOUNDS.composeFile.limit })
    } catch (error) {
      const isMissing = (['file_not_found', 'file_too_large', 'bad_request'] as const).some(code =>
        isAppError(error, code),
      )
      if (isMissing) return null
      throw error
    }
  }
}

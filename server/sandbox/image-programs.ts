import { buffer } from 'node:stream/consumers'
import { BOUNDS } from '../domain/bounds.ts'
import { AppError } from '../domain/errors.ts'
import type { ProgramFile } from '../domain/sandbox-handle.ts'
import { entriesOf } from './files/entries.ts'
import { createOneShot, NOBODY, type OneShotOptions } from './network/one-shot.ts'

/** One that a killed Atelier leaves behind ends by itself. */
const LIFETIME_S = 60
/** Several sandboxes may be started at once that want the same. */
const KEPT_MS = 60_000

/** Writes a tar of the programs "$@" and the libraries that they load, all by their names alone. */
const PACK = `
for name; do
  path=$(command -v "$name") && echo "$path" && ldd "$path" || exit
done | sed -n 's|^/[^ ]*$|&|p; s|.* => \\(/[^ ]*\\) .*|\\1|p; s|^[[:space:]]\\(/[^ ]*\\) (.*|\\1|p' |
  sort -u | tar -chPf - --hard-dereference --transform 's|.*/||' -T -`

interface Read {
  /** Of the engine: another one may run on another kind of machine. */
  endpoint: string
  names: string
  files: Promise<ProgramFile[]>
}

/** Programs of the bundled image, for sandboxes whose own image lacks them. */
export class ImagePrograms {
  readonly #options: OneShotOptions
  /** For a moment only: they are some 10 MB. */
  #last: Read | undefined

  constructor(options: OneShotOptions) {
    this.#options = options
  }

  /**
   * With each library that they load, and what loads these.
   * @throws AppError engine_failed where this Atelier has no image or the image not these programs, and those of the engine
   */
  read(names: readonly string[]): Promise<ProgramFile[]> {
    const { endpoint } = this.#options.connection.engine()
    const asked = names.join(' ')
    if (this.#last?.endpoint === endpoint && this.#last.names === asked) return this.#last.files
    const read = { endpoint, names: asked, files: this.#read(names) }
    const forget = () => {
      if (this.#last === read) this.#last = undefined
    }
    this.#last = read
    void read.files.then(() => setTimeout(forget, KEPT_MS).unref(), forget)
    return read.files
  }

  async #read(names: readonly string[]): Promise<ProgramFile[]> {
    const { connection, signal } = this.#options
    const { id, release } = await createOneShot(this.#options, {
      command: ['/bin/sleep', String(LIFETIME_S)],
      network: 'none',
      extraHosts: [],
      capabilities: [],
      user: NOBODY,
    })
    const engine = connection.engine()
    try {
      await engine.startContainer(id)
      const stream = await engine.exec(id, { argv: ['/bin/sh', '-c', PACK, 'sh', ...names], user: NOBODY, signal })
      stream.stderr.resume()
      const files: ProgramFile[] = []
      let size = 0
      for await (const entry of entriesOf(stream.stdout)) {
        size += entry.header.size ?? 0
        if (size > BOUNDS.carriedPrograms.limit) throw new AppError('engine_failed', 'Its programs are too large.')
        files.push({ name: entry.header.name, content: await buffer(entry) })
      }
      const missing = names.filter(name => !files.some(file => file.name === name))
      if (missing.length === 0 && (await stream.exitCode) === 0) return files
      throw new AppError('engine_failed', `The image of this Atelier lacks programs: ${missing.join(', ')}`)
    } finally {
      await engine.removeContainer(id).catch(() => {})
      release()
    }
  }
}

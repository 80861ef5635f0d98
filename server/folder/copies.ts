import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Slices } from '../async/slices.ts'
import { BOUNDS } from '../domain/bounds.ts'
import { AppError } from '../domain/errors.ts'

/** The folder that a conversation began with. */
export interface FolderCopyRecord {
  path: string
  /** The commit of what was copied. */
  start: string
  /** The last commit of the folder when it was copied; null without one, absent where only `start` was remembered. */
  head?: string | null
}

/** A branch that was made in the folder's repository. */
export interface MadeBranch {
  name: string
  commit: string
}

export interface BaseFile {
  mode: string
  /** The name of its content, as git gives it. */
  object: string
}

/** A file before and after an apply; null where there was none. */
export interface AppliedFile {
  path: string
  before: { mode: number; kept: string } | null
  /** SHA-256 of the bytes that were written. */
  after: string | null
  base: BaseFile | null
}

export interface AppliedRecord {
  id: string
  files: AppliedFile[]
}

const PRIVATE = { mode: 0o600 }

/** What is known of the copies of folders, in the data folder, for its owner alone. A sandbox never decides what is in it. */
export class FolderCopies {
  readonly #root: string

  constructor(dataDir: string) {
    this.#root = join(dataDir, 'folders')
  }

  async remember(conversation: string, record: FolderCopyRecord, listing: string): Promise<void> {
    await mkdir(this.#home(conversation), { recursive: true, mode: 0o700 })
    await writeFile(join(this.#home(conversation), 'base'), listing, PRIVATE)
    await writeFile(join(this.#home(conversation), 'copy.json'), JSON.stringify(record), PRIVATE)
  }

  /** For one whose files began as those of `from` are now. What was applied is known to both, and undone by the other alone. */
  async copy(from: string, to: string): Promise<void> {
    const own = (path: string) => !['kept', 'branches.json'].includes(basename(path))
    await cp(this.#home(from), this.#home(to), { recursive: true, filter: own })
  }

  async forget(conversation: string): Promise<void> {
    await rm(this.#home(conversation), { recursive: true, force: true })
  }

  /** @throws AppError bad_request for a conversation that has no folder */
  async find(conversation: string): Promise<FolderCopyRecord> {
    const text = await readFile(join(this.#home(conversation), 'copy.json'), 'utf8').catch(() => undefined)
    if (text !== undefined) return JSON.parse(text) as FolderCopyRecord
    throw new AppError(
      'bad_request',
      'This conversation has no folder of this computer to apply to. Download its changes as a patch instead.',
    )
  }

  /** The files as they were copied or last applied. */
  async base(conversation: string): Promise<Map<string, BaseFile>> {
    const base = await this.copied(conversation)
    for (const { files } of await this.applied(conversation)) {
      for (const file of files) {
        if (file.base) base.set(file.path, file.base)
        else base.delete(file.path)
      }
    }
    return base
  }

  /** The files as they were copied. */
  async copied(conversation: string): Promise<Map<string, BaseFile>> {
    const base = new Map<string, BaseFile>()
    const slices = new Slices()
    const listing = await readFile(join(this.#home(conversation), 'base'), 'utf8')
    for (let at = 0; at < listing.length; ) {
      const end = listing.indexOf('\0', at)
      if (end < 0) break
      const tab = listing.indexOf('\t', at)
      const [mode = '', , object = ''] = listing.slice(at, tab).split(' ')
      base.set(listing.slice(tab + 1, end), { mode, object })
      at = end + 1
      if (slices.due()) await slices.turn()
    }
    return base
  }

  /** In the order in which they were made. */
  async branches(conversation: string): Promise<MadeBranch[]> {
    const text = await readFile(this.#branchFile(conversation), 'utf8').catch(() => '[]')
    return JSON.parse(text) as MadeBranch[]
  }

  async rememberBranch(conversation: string, made: MadeBranch): Promise<void> {
    const all = [...(await this.branches(conversation)), made]
    await writeFile(this.#branchFile(conversation), JSON.stringify(all), PRIVATE)
  }

  /** In their order. */
  async applied(conversation: string): Promise<AppliedRecord[]> {
    const ids = await this.#applyIds(conversation)
    const read = async (id: string) => readFile(join(this.applyHome(conversation, id), 'record.json'), 'utf8')
    const texts = await Promise.all(ids.map(id => read(id).catch(() => undefined)))
    return texts.flatMap(text => (text === undefined ? [] : [JSON.parse(text) as AppliedRecord]))
  }

  applyHome(conversation: string, id: string): string {
    return join(this.#home(conversation), 'applied', id)
  }

  async beginApply(conversation: string): Promise<{ id: string; home: string }> {
    const last = Number((await this.#applyIds(conversation)).at(-1) ?? 0)
    const id = String(last + 1).padStart(8, '0')
    const home = this.applyHome(conversation, id)
    await mkdir(join(home, 'kept'), { recursive: true, mode: 0o700 })
    return { id, home }
  }

  /** Those whose bytes are too old to be kept stay known, but can no longer be undone. */
  async endApply(conversation: string, record: AppliedRecord): Promise<void> {
    await writeFile(join(this.applyHome(conversation, record.id), 'record.json'), JSON.stringify(record), PRIVATE)
    const ids = await this.#applyIds(conversation)
    for (const id of ids.slice(0, -BOUNDS.folderUndo.limit)) {
      await rm(join(this.applyHome(conversation, id), 'kept'), { recursive: true, force: true })
    }
  }

  async forgetApply(conversation: string, id: string): Promise<void> {
    await rm(this.applyHome(conversation, id), { recursive: true, force: true })
  }

  async lastUndoable(conversation: string): Promise<AppliedRecord | undefined> {
    const last = (await this.applied(conversation)).at(-1)
    if (!last) return undefined
    const kept = await readdir(join(this.applyHome(conversation, last.id), 'kept')).catch(() => undefined)
    return kept && last
  }

  async #applyIds(conversation: string): Promise<string[]> {
    return (await readdir(join(this.#home(conversation), 'applied')).catch(() => [])).toSorted()
  }

  #branchFile(conversation: string): string {
    return join(this.#home(conversation), 'branches.json')
  }

  #home(conversation: string): string {
    return join(this.#root, conversation)
  }
}

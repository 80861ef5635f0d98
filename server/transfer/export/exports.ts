import { createReadStream, rmSync } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { DataExport } from '../../api/v1/transfer/exports.ts'
import { startConfinedThread } from '../../async/confined-thread.ts'
import { diskError } from '../../disk/failure.ts'
import { makeFolder } from '../../disk/make-folder.ts'
import { BOUNDS } from '../../domain/bounds.ts'
import { AppError, isAppError, messageOf } from '../../domain/errors.ts'
import { randomToken } from '../../domain/ids.ts'
import type { Log } from '../../log.ts'
import type { Mask } from '../../secret/mask/mask.ts'
import { sqlitePath } from '../../store/search/sqlite.ts'
import { FORMAT, NOTHING_DONE, NOTHING_LEFT_OUT, VERSION, VERSION_WITHOUT_FOLDERS } from '../format.ts'
import { type GatherDependencies, type Gathered, gather } from './gather.ts'
import type { ExportThreadData, FromExportThread } from './messages.ts'
import { type FetchedFolders, type FolderDependencies, fetchWorkingFolders } from './working-folders.ts'

interface Dependencies extends GatherDependencies, FolderDependencies {
  /** Where files lie until they are fetched. */
  folder: string
  /** The database's. */
  file: string
  version: string
  mask: Mask
  log: Log
  now: () => Date
}

interface Asked {
  /** null leaves the values of secrets out. */
  passphrase: string | null
  workingFolders: boolean
}

interface Entry {
  shown: DataExport
  path: string
  /** As the thread has it. */
  givenUp: Int32Array<SharedArrayBuffer>
  /** Ends what is read of sandboxes. */
  stop: AbortController
  work: Promise<void>
  timer: NodeJS.Timeout | undefined
}

/**
 * Everything in one file, for another computer. The file is written by a thread under a name of its own, gets its name only
 * when it is whole, and is kept until its client has deleted it, or for an hour.
 */
export class DataExports {
  readonly #dependencies: Dependencies
  readonly #entries = new Map<string, Entry>()

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
    // What an earlier process has left.
    rmSync(dependencies.folder, { recursive: true, force: true })
  }

  /** @throws AppError too_many_requests, disk_full, store_unavailable */
  start(asked: Asked): DataExport {
    if ([...this.#entries.values()].some(({ shown }) => shown.state === 'writing')) {
      throw new AppError(
        'too_many_requests',
        'An export is being written already. Wait until it is done, or cancel it.',
      )
    }
    const { folder, now } = this.#dependencies
    makeFolder(folder)
    const id = randomToken(12)
    const created_at = now().toISOString()
    const entry: Entry = {
      shown: {
        export_id: id,
        state: 'writing',
        file_name: `Atelier ${created_at.slice(0, 10)}.atelier-data.zip`,
        created_at,
        has_secret_values: asked.passphrase !== null,
        bytes: null,
        progress: NOTHING_DONE,
        left_out: NOTHING_LEFT_OUT,
        problem: null,
      },
      path: join(folder, `${id}.zip`),
      givenUp: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)),
      stop: new AbortController(),
      work: Promise.resolve(),
      timer: undefined,
    }
    this.#entries.set(id, entry)
    entry.work = this.#write(entry, asked)
    return entry.shown
  }

  /** @throws AppError not_found */
  get(id: string): DataExport {
    return this.#find(id).shown
  }

  /** @throws AppError not_found, conflict until it is ready */
  open(id: string): { fileName: string; bytes: number; content: Readable } {
    const { shown, path } = this.#find(id)
    if (shown.state !== 'ready' || shown.bytes === null) {
      throw new AppError('conflict', `The file is not ready. ${shown.problem ?? 'Wait until it is written.'}`)
    }
    return { fileName: shown.file_name, bytes: shown.bytes, content: createReadStream(path) }
  }

  /** Gives one up that is being written. @throws AppError not_found */
  async delete(id: string): Promise<void> {
    const entry = this.#find(id)
    this.#entries.delete(id)
    await this.#end(entry)
  }

  async close(): Promise<void> {
    await Promise.all([...this.#entries.values()].map(entry => this.#end(entry)))
    this.#entries.clear()
  }

  async #end(entry: Entry): Promise<void> {
    Atomics.store(entry.givenUp, 0, 1)
    entry.stop.abort(new AppError('conflict', 'The export was given up.'))
    await entry.work
    clearTimeout(entry.timer)
    await this.#removeFiles(entry)
  }

  async #write(entry: Entry, { passphrase, workingFolders }: Asked): Promise<void> {
    const { log } = this.#dependencies
    const { shown, path } = entry
    try {
      const gathered = await gather(this.#dependencies, passphrase)
      if (isGivenUp(entry)) return
      const folders = workingFolders ? await this.#fetchFolders(entry) : NO_FOLDERS
      gathered.leftOut.working_folders = folders.leftOut.map(this.#dependencies.mask.mask)
      const { damaged } = await this.#runThread(entry, gathered, folders.files)
      const { size } = await stat(partialOf(path))
      await rename(partialOf(path), path)
      await this.#remove(foldersOf(path))
      const left_out = { ...gathered.leftOut, damaged_conversations: damaged }
      entry.shown = { ...entry.shown, state: 'ready', bytes: size, left_out }
      log.info({ bytes: size, ...entry.shown.progress }, 'Data was exported')
    } catch (error) {
      await this.#removeFiles(entry)
      if (isGivenUp(entry)) return
      log.warn({ error: messageOf(error) }, 'Data could not be exported')
      entry.shown = { ...entry.shown, state: 'failed', problem: inWords(error) }
    }
    entry.timer = setTimeout(() => void this.delete(shown.export_id).catch(() => {}), BOUNDS.dataFileAge.limit).unref()
  }

  #fetchFolders(entry: Entry): Promise<FetchedFolders> {
    return fetchWorkingFolders(this.#dependencies, {
      folder: foldersOf(entry.path),
      signal: entry.stop.signal,
      onProgress: folders => {
        entry.shown = { ...entry.shown, progress: { ...entry.shown.progress, ...folders } }
      },
    })
  }

  async #removeFiles({ path }: Entry): Promise<void> {
    for (const each of [path, partialOf(path), foldersOf(path)]) await this.#remove(each)
  }

  /** Never rejects: what cannot be removed now is removed when the service starts anew. */
  async #remove(path: string): Promise<void> {
    await rm(path, { recursive: true, force: true }).catch(error =>
      this.#dependencies.log.warn({ error: messageOf(error) }, 'An exported file could not be removed'),
    )
  }

  async #runThread(entry: Entry, gathered: Gathered, folders: FetchedFolders['files']): Promise<{ damaged: number }> {
    const { file, version, mask, now } = this.#dependencies
    const workerData: ExportThreadData = {
      sqlite: sqlitePath(),
      database: file,
      target: partialOf(entry.path),
      secrets: mask.values(),
      parts: gathered.parts,
      folders,
      manifest: {
        format: FORMAT,
        version: folders.length > 0 ? VERSION : VERSION_WITHOUT_FOLDERS,
        app_version: version,
        exported_at: now().toISOString(),
        counts: { conversations: 0, events: 0, ...gathered.counts },
        left_out: gathered.leftOut,
      },
      givenUp: entry.givenUp,
    }
    // Loaded only now: few files are written.
    const { default: code } = await import('./thread-main.ts?thread')
    if (isGivenUp(entry)) throw new AppError('conflict', 'The export was given up.')
    const worker = startConfinedThread(code, { workerData, memoryBytes: BOUNDS.dataFileMemory.limit })
    let outcome: Exclude<FromExportThread, { kind: 'progress' }> | Error = new Error('The thread ended.')
    worker.on('message', (message: FromExportThread) => {
      if (message.kind !== 'failed') entry.shown = { ...entry.shown, progress: message.progress }
      if (message.kind !== 'progress') outcome = message
    })
    worker.on('error', error => {
      outcome = error
    })
    // It ends by itself, also when it is given up.
    await new Promise(resolve => worker.once('exit', resolve))
    return resultOf(outcome, entry.path)
  }

  #find(id: string): Entry {
    const entry = this.#entries.get(id)
    if (entry) return entry
    throw new AppError('not_found', 'There is no such export. Files are kept for an hour; export the data anew.')
  }
}

const NO_FOLDERS: FetchedFolders = { files: [], leftOut: [] }

function foldersOf(path: string): string {
  return `${path}.folders`
}

function partialOf(path: string): string {
  return `${path}.partial`
}

function isGivenUp({ givenUp }: Entry): boolean {
  return Atomics.load(givenUp, 0) !== 0
}

function resultOf(
  outcome: Exclude<FromExportThread, { kind: 'progress' }> | Error,
  path: string,
): Extract<FromExportThread, { kind: 'done' }> {
  if (outcome instanceof Error) throw outcome
  if (outcome.kind === 'done') return outcome
  throw outcome.disk ? diskError(outcome.disk, path) : new Error(outcome.message)
}

/** What it says of the disk is for those who store: an export is tried again. */
function inWords(error: unknown): string {
  if (isAppError(error, 'disk_full')) {
    return 'The disk of the data folder is too full for the file. Nothing was exported. Free some space, then export again.'
  }
  if (isAppError(error)) return error.message
  return `The export broke off: ${messageOf(error)} Nothing was exported. Try again.`
}

import { createWriteStream, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { DataImport } from '../../api/v1/transfer/imports.ts'
import { makeFolder } from '../../disk/make-folder.ts'
import { BOUNDS } from '../../domain/bounds.ts'
import { AppError, messageOf } from '../../domain/errors.ts'
import { randomToken } from '../../domain/ids.ts'
import type { Log } from '../../log.ts'
import { sqlitePath } from '../../store/search/sqlite.ts'
import { NOTHING_DONE } from '../format.ts'
import { arrivalFailure, plainName } from './arrival.ts'
import {
  type Carried,
  carryOut,
  type ImportDependencies,
  openValues,
  presentOf,
  readOpenValues,
  requireRoomForFolders,
} from './carry-out.ts'
import type { FoundContents, ImportSource } from './messages.ts'
import { runImportThread } from './thread.ts'

interface Dependencies extends ImportDependencies {
  /** Where files lie until they are imported. */
  folder: string
  /** Where OpenHands keeps its folder. */
  userHome: string
  log: Log
}

interface Entry {
  shown: DataImport
  source: ImportSource
  stop: AbortController
  found: FoundContents | undefined
  timer: NodeJS.Timeout | undefined
  work: Promise<void>
}

/**
 * Files with everything of another Atelier. A file is read from end to end and shown before anything of it is stored, and
 * what is here already is kept.
 */
export class DataImports {
  readonly #dependencies: Dependencies
  readonly #entries = new Map<string, Entry>()
  #isReceiving = false

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
    // What an earlier process has left.
    rmSync(dependencies.folder, { recursive: true, force: true })
  }

  /**
   * Takes a file as it arrives, and begins to check it.
   * @throws AppError too_many_requests, too_large, disk_full, store_unavailable
   */
  async receive(content: AsyncIterable<Buffer>, fileName: string, signal: AbortSignal): Promise<DataImport> {
    this.#requireRoom()
    this.#isReceiving = true
    const { folder } = this.#dependencies
    const id = randomToken(12)
    const path = join(folder, `${id}.zip`)
    try {
      makeFolder(folder)
      await pipeline(content, createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal })
    } catch (error) {
      await this.#remove(path)
      throw arrivalFailure(error, folder)
    } finally {
      this.#isReceiving = false
    }
    return this.#begin(id, { kind: 'file', path }, plainName(fileName))
  }

  /**
   * Begins to look into a folder of OpenHands, which is only read.
   * @param folder null is the one in the home folder
   * @throws AppError too_many_requests, bad_request
   */
  readFolder(folder: string | null): DataImport {
    this.#requireRoom()
    const path = folder === null ? join(this.#dependencies.userHome, '.openhands') : folder
    if (!isAbsolute(path))
      throw new AppError('bad_request', 'Give the whole path of the folder, such as /home/ada/.openhands.')
    return this.#begin(randomToken(12), { kind: 'openhands', path, sqlite: sqlitePath() }, path)
  }

  #begin(import_id: string, source: ImportSource, file_name: string): DataImport {
    const entry: Entry = {
      shown: {
        import_id,
        source: source.kind,
        state: 'checking',
        file_name,
        progress: NOTHING_DONE,
        contents: null,
        result: null,
        problem: null,
      },
      source,
      stop: new AbortController(),
      found: undefined,
      timer: undefined,
      work: Promise.resolve(),
    }
    this.#entries.set(import_id, entry)
    entry.work = this.#check(entry)
    return entry.shown
  }

  /** @throws AppError not_found */
  get(id: string): DataImport {
    return this.#find(id).shown
  }

  /**
   * @throws AppError not_found, conflict, also while another file is imported, bad_request for a passphrase that does not
   * open its secrets
   */
  async start(
    id: string,
    asked: { settings: boolean; conversations?: boolean; secrets?: boolean; passphrase: string | null },
  ): Promise<DataImport> {
    const entry = this.#find(id)
    const { found } = entry
    if (entry.shown.state !== 'checked' || !found) {
      throw new AppError('conflict', 'The file was not checked yet, or is imported already. Read the import first.')
    }
    const { passphrase, conversations = true, secrets = false } = asked
    if (conversations) await requireRoomForFolders(this.#dependencies, found, this.#dependencies.folder)
    const isOpen = secrets && found.open !== null
    const sealed = passphrase === null ? null : await openValues(found, passphrase)
    const values = isOpen ? await readOpenValues(entry.source, entry.stop.signal) : sealed
    // The passphrase took its time.
    entry.stop.signal.throwIfAborted()
    if (entry.shown.state !== 'checked') throw new AppError('conflict', 'The import has begun already.')
    if (this.#some('importing')) {
      throw new AppError(
        'conflict',
        'Another file is being imported. Wait until that is done, or stop it; then add this.',
      )
    }
    clearTimeout(entry.timer)
    entry.found = undefined
    entry.shown = {
      ...entry.shown,
      state: 'importing',
      progress: { ...entry.shown.progress, conversations: 0, events: 0, folders: 0 },
    }
    entry.work = this.#import(entry, { found, values, settings: asked.settings, conversations })
    return entry.shown
  }

  /** Ends what goes on, whose whole conversations stay; forgets what has ended. @throws AppError not_found */
  async delete(id: string): Promise<void> {
    const entry = this.#find(id)
    const isImporting = entry.shown.state === 'importing'
    clearTimeout(entry.timer)
    entry.stop.abort(new AppError('conflict', 'The import was given up.'))
    await entry.work
    // How far it came can still be read for a while.
    if (isImporting) return
    clearTimeout(entry.timer)
    this.#entries.delete(id)
    await this.#discard(entry)
  }

  async close(): Promise<void> {
    for (const entry of this.#entries.values()) {
      entry.stop.abort(new AppError('unavailable', 'Atelier is closing.'))
      await entry.work
      clearTimeout(entry.timer)
      await this.#discard(entry)
    }
  }

  async #check(entry: Entry): Promise<void> {
    const { mask } = this.#dependencies
    const data = { source: entry.source, work: { kind: 'check' as const }, secrets: mask.values() }
    try {
      const found = await runImportThread(data, entry.stop.signal, {
        progress: progress => {
          entry.shown = { ...entry.shown, progress }
        },
      })
      const contents = await presentOf(this.#dependencies, found)
      entry.found = found
      const { conversations, events } = contents.counts
      const { working_folders: folders } = contents
      const done = { conversations, events, folders }
      const progress = { ...done, conversations_total: conversations, events_total: events, folders_total: folders }
      entry.shown = { ...entry.shown, state: 'checked', contents, progress }
      this.#forgetLater(entry)
      await this.#keepAsOnlyChecked(entry)
    } catch (error) {
      await this.#fail(entry, error)
    }
  }

  async #import(entry: Entry, asked: Omit<Carried, 'fileName' | 'source' | 'folderAt'>): Promise<void> {
    const { log, folder } = this.#dependencies
    const { source, stop } = entry
    try {
      const { import_id, file_name } = entry.shown
      const carried = { ...asked, source, fileName: file_name, folderAt: join(folder, `${import_id}.tar`) }
      const result = await carryOut(this.#dependencies, carried, {
        signal: stop.signal,
        onProgress: progress => {
          entry.shown = { ...entry.shown, progress }
        },
        onResult: result => {
          entry.shown = { ...entry.shown, result }
        },
      })
      // Whoever reads that it is done finds nothing left of it.
      await this.#discard(entry)
      entry.shown = { ...entry.shown, state: 'imported', result }
      log.info({ added: result.added, kept: result.kept }, 'Data was imported')
    } catch (error) {
      await this.#fail(entry, error)
    }
    this.#forgetLater(entry)
  }

  async #fail(entry: Entry, error: unknown): Promise<void> {
    const { log } = this.#dependencies
    await this.#discard(entry)
    if (entry.stop.signal.aborted) {
      entry.shown = { ...entry.shown, state: 'stopped' }
      return
    }
    log.warn({ error: messageOf(error) }, 'A file with data could not be imported')
    entry.shown = { ...entry.shown, state: 'failed', problem: messageOf(error) }
    this.#forgetLater(entry)
  }

  #forgetLater(entry: Entry): void {
    clearTimeout(entry.timer)
    const forget = () => void this.delete(entry.shown.import_id).catch(() => {})
    entry.timer = setTimeout(forget, BOUNDS.dataFileAge.limit).unref()
  }

  /** Of files that wait for a start only the newest is kept. */
  async #keepAsOnlyChecked(newest: Entry): Promise<void> {
    for (const entry of this.#entries.values()) {
      if (entry !== newest && entry.shown.state === 'checked') await this.delete(entry.shown.import_id).catch(() => {})
    }
  }

  /** A folder of somebody's stays. */
  async #discard({ source }: Entry): Promise<void> {
    if (source.kind === 'file') await this.#remove(source.path)
  }

  /** A disk that refuses changes nothing of the import; the next start of the service removes the file. */
  async #remove(path: string): Promise<void> {
    try {
      await rm(path, { force: true })
    } catch (error) {
      this.#dependencies.log.warn({ error: messageOf(error) }, 'A file of an import could not be removed')
    }
  }

  #some(...states: DataImport['state'][]): boolean {
    return [...this.#entries.values()].some(({ shown }) => states.includes(shown.state))
  }

  #requireRoom(): void {
    if (!this.#isReceiving && !this.#some('checking', 'importing')) return
    throw new AppError(
      'too_many_requests',
      'Another file is being read already. Wait until that is done, or give it up.',
    )
  }

  #find(id: string): Entry {
    const entry = this.#entries.get(id)
    if (entry) return entry
    throw new AppError(
      'not_found',
      'There is no such import. A file is kept for an hour, or until another one is chosen. Choose the file again.',
    )
  }
}

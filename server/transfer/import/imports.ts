import { createWriteStream, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { DataImport } from '../../api/v1/transfer/imports.ts'
import { diskError, diskProblemOf } from '../../disk/failure.ts'
import { makeFolder } from '../../disk/make-folder.ts'
import { BOUNDS } from '../../domain/bounds.ts'
import { AppError, messageOf } from '../../domain/errors.ts'
import { randomToken } from '../../domain/ids.ts'
import type { Log } from '../../log.ts'
import { type Carried, carryOut, type ImportDependencies, openValues, presentOf } from './carry-out.ts'
import type { FoundContents } from './messages.ts'
import { runImportThread } from './thread.ts'

interface Dependencies extends ImportDependencies {
  /** Where files lie until they are imported. */
  folder: string
  log: Log
}

interface Entry {
  shown: DataImport
  path: string
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
      throw onArrival(error, folder)
    } finally {
      this.#isReceiving = false
    }
    const entry: Entry = {
      shown: {
        import_id: id,
        state: 'checking',
        file_name: plainName(fileName),
        progress: { conversations: 0, conversations_total: 0, events: 0, events_total: 0 },
        contents: null,
        result: null,
        problem: null,
      },
      path,
      stop: new AbortController(),
      found: undefined,
      timer: undefined,
      work: Promise.resolve(),
    }
    this.#entries.set(id, entry)
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
  async start(id: string, asked: { settings: boolean; passphrase: string | null }): Promise<DataImport> {
    const entry = this.#find(id)
    const { found } = entry
    if (entry.shown.state !== 'checked' || !found) {
      throw new AppError('conflict', 'The file was not checked yet, or is imported already. Read the import first.')
    }
    const values = asked.passphrase === null ? null : await openValues(found, asked.passphrase)
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
      progress: { ...entry.shown.progress, conversations: 0, events: 0 },
    }
    entry.work = this.#import(entry, { found, values, settings: asked.settings })
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
    await this.#remove(entry.path)
  }

  async close(): Promise<void> {
    for (const entry of this.#entries.values()) {
      entry.stop.abort(new AppError('unavailable', 'Atelier is closing.'))
      await entry.work
      clearTimeout(entry.timer)
      await this.#remove(entry.path)
    }
  }

  async #check(entry: Entry): Promise<void> {
    const { mask } = this.#dependencies
    const data = { path: entry.path, skipped: null, secrets: mask.values() }
    try {
      const found = await runImportThread(data, entry.stop.signal, {
        progress: progress => {
          entry.shown = { ...entry.shown, progress }
        },
      })
      const contents = await presentOf(this.#dependencies, found)
      entry.found = found
      const { conversations, events } = contents.counts
      const progress = { conversations, conversations_total: conversations, events, events_total: events }
      entry.shown = { ...entry.shown, state: 'checked', contents, progress }
      this.#forgetLater(entry)
      await this.#keepAsOnlyChecked(entry)
    } catch (error) {
      await this.#fail(entry, error)
    }
  }

  async #import(entry: Entry, asked: Omit<Carried, 'fileName' | 'path'>): Promise<void> {
    const { log } = this.#dependencies
    const { path, stop } = entry
    try {
      const carried = { ...asked, path, fileName: entry.shown.file_name }
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
      await this.#remove(path)
      entry.shown = { ...entry.shown, state: 'imported', result }
      log.info({ added: result.added, kept: result.kept }, 'Data was imported')
    } catch (error) {
      await this.#fail(entry, error)
    }
    this.#forgetLater(entry)
  }

  async #fail(entry: Entry, error: unknown): Promise<void> {
    const { log } = this.#dependencies
    await this.#remove(entry.path)
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

function onArrival(error: unknown, folder: string): unknown {
  if (error instanceof AppError) return error
  const problem = diskProblemOf(error)
  if (problem === 'full') {
    const message = 'The disk of the data folder is too full for the file. Nothing was imported.'
    return new AppError('disk_full', `${message} Free some space, then choose the file again.`, { cause: error })
  }
  return problem ? diskError(problem, folder, error) : error
}

function plainName(name: string): string {
  const plain = basename(name.replaceAll('\\', '/')).replace(/[\p{Cc}\p{Cf}]+/gu, '')
  return plain.slice(0, 200) || 'a file'
}

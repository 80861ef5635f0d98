import { messageOf } from '../domain/errors.ts'
import type { Database } from './database/database.ts'

/** A look costs a few microseconds. */
const CHECK_MS = 2_000

interface Dependencies {
  database: Pick<Database, 'file' | 'isCutOff' | 'rewrite'>
  log: { error(fields: object, message: string): void; warn(fields: object, message: string): void }
  /** Told when the database was written anew. */
  onChange: () => void
}

/**
 * Looks whether the files of the database are still there: a database whose files somebody removes goes on into files
 * without a name, which end with the process. Then everything is written to files of the old name at once.
 */
export class FileWatch {
  readonly #dependencies: Dependencies
  #timer: NodeJS.Timeout | undefined
  #problem: string | null = null

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  start(): void {
    this.#timer = setInterval(() => this.check(), CHECK_MS).unref()
  }

  /** Why the database could not be written anew although its files are gone; null when all is well. */
  problem(): string | null {
    return this.#problem
  }

  /** Looks now. Must not throw. */
  check(): void {
    const { database, log, onChange } = this.#dependencies
    try {
      if (!database.isCutOff()) return
      database.rewrite(MESSAGE)
      this.#problem = null
      log.warn({ file: database.file }, 'The files of the database were gone; it was written anew')
      onChange()
    } catch (error) {
      const problem = `The database file was removed and cannot be written again: ${messageOf(error)}`
      if (problem !== this.#problem) log.error({ file: database.file, error: messageOf(error) }, PROBLEM)
      this.#problem = problem
    }
  }

  close(): void {
    clearInterval(this.#timer)
    this.check()
  }
}

const MESSAGE =
  'The database file was removed or replaced while Atelier was running. Atelier wrote everything to a new file of the same name; nothing is missing. Find out which program or command removed it.'
const PROBLEM = 'The files of the database are gone, and it could not be written anew'

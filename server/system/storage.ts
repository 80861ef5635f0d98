import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  type Backup,
  RECLAIMABLE_KINDS,
  type Reclaimable,
  type StorageChoice,
  type StorageQuestion,
  type StorageStatus,
} from '../api/v1/system/storage.ts'
import { onDisk } from '../disk/failure.ts'
import type { DiskWatch } from '../disk/space.ts'
import { AppError } from '../domain/errors.ts'
import type { Backups } from '../store/backup/backups.ts'
import { copyDatabase, isKnown } from '../store/backup/copy.ts'
import { momentOf } from '../store/backup/files.ts'
import type { Database } from '../store/database/database.ts'
import type { FileWatch } from '../store/file-watch.ts'
import { databaseFiles, prepareReplacement, readNotice, replacedFolder } from '../store/recovery/replace.ts'

export interface StorageDependencies {
  dataDir: string
  /** The database's. */
  file: string
  question: StorageQuestion | null
  backups: Backups
  disk: Pick<DiskWatch, 'status' | 'check'>
  /** null while a question is asked. */
  database: Pick<Database, 'damaged' | 'emptyBytes' | 'giveBack' | 'isOpen'> | null
  /** Looks after the database's files; absent while a question is asked. */
  files?: Pick<FileWatch, 'check' | 'problem'>
  /** Closes the service and opens it again, after the present request is answered. */
  restart: (answer?: { choice: StorageChoice; backup: string | null }) => void
  /** Deletes everything of this data folder, and opens it anew, after the present request is answered. @throws AppError of the vault */
  erase: () => Promise<void>
}

/** The database file as a person sees it: its backups, its disk, and what can be done without it. */
export class StorageService {
  readonly #dependencies: StorageDependencies
  readonly #openedAt = new Date().toISOString()

  constructor(dependencies: StorageDependencies) {
    this.#dependencies = dependencies
  }

  async status(): Promise<StorageStatus> {
    const { file, question, backups, disk, database, files } = this.#dependencies
    files?.check()
    return {
      opened_at: this.#openedAt,
      question,
      notice: readNotice(file),
      disk: await disk.check(),
      database_bytes: databaseFiles(file).reduce((sum, one) => sum + sizeOf(one), 0),
      backups: backups.list().filter(({ name }) => question?.kind !== 'newer' || isKnown(backups.pathOf(name))),
      backup_problem: files?.problem() ?? backups.problem(),
      reclaimable: this.#reclaimable(),
      damaged_rows: database?.damaged.all().length ?? 0,
    }
  }

  /** @throws AppError disk_full, store_unavailable */
  async makeBackup(): Promise<Backup> {
    this.#assertOpen()
    return this.#dependencies.backups.make('manual')
  }

  /** @throws AppError not_found */
  async deleteBackup(name: string): Promise<StorageStatus> {
    this.#dependencies.backups.remove(name)
    return this.status()
  }

  /** @throws AppError not_found, store_damaged when the backup cannot be read */
  async restore(name: string): Promise<void> {
    const { backups, file, question, restart } = this.#dependencies
    const path = backups.pathOf(name)
    if (question) return restart({ choice: 'restore', backup: name })
    const at = new Date().toISOString()
    const created = backups.list().find(backup => backup.name === name)?.created_at ?? at
    const message = `Atelier restored the backup of ${momentOf(created)}. What was stored after it is missing here; the database from before the restore is kept as a backup.`
    const checked = `${file}.restoring`
    await copyDatabase(path, checked)
    try {
      await prepareReplacement(file, checked, { kind: 'restored', at, message, kept_in: null })
    } finally {
      rmSync(checked, { force: true })
    }
    restart()
  }

  /** @throws AppError conflict when nothing was asked */
  answer(choice: StorageChoice, backup: string | null): void {
    const { question, restart } = this.#dependencies
    if (!question) throw new AppError('conflict', 'The database is open, so there is nothing to decide.')
    restart({ choice, backup })
  }

  /** @throws AppError of the vault, since what is locked cannot be deleted; store_unavailable */
  async erase(): Promise<void> {
    this.#assertOpen()
    await this.#dependencies.erase()
  }

  async free(kinds: readonly Reclaimable['kind'][]): Promise<StorageStatus> {
    const { database } = this.#dependencies
    // Files first: to make the database smaller takes some space itself.
    for (const path of kinds.flatMap(kind => this.#filesOf(kind))) {
      onDisk(path, () => rmSync(path, { recursive: true, force: true }))
    }
    if (kinds.includes('deleted_conversations')) while (database?.isOpen && database.giveBack()) await nextTurn()
    return this.status()
  }

  #assertOpen(): void {
    if (this.#dependencies.question) throw new AppError('store_unavailable', this.#dependencies.question.message)
  }

  #reclaimable(): Reclaimable[] {
    return RECLAIMABLE_KINDS.map(kind => {
      if (kind === 'deleted_conversations') {
        const bytes = this.#dependencies.database?.emptyBytes() ?? 0
        return { kind, files: bytes > 0 ? 1 : 0, bytes }
      }
      const files = this.#filesOf(kind)
      return { kind, files: files.length, bytes: files.reduce((sum, path) => sum + sizeOf(path), 0) }
    })
  }

  /** Whole files that can go. The newest backup and the present log stay. */
  #filesOf(kind: Reclaimable['kind']): string[] {
    const { dataDir, backups } = this.#dependencies
    if (kind === 'backups') {
      return backups
        .list()
        .slice(1)
        .map(({ name }) => backups.pathOf(name))
    }
    if (kind === 'replaced_databases') return entriesOf(replacedFolder(dataDir))
    if (kind === 'deleted_conversations') return []
    return entriesOf(join(dataDir, 'logs')).filter(path => path.endsWith('.log') && !path.endsWith('/atelier.log'))
  }
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder).map(name => join(folder, name))
  } catch {
    return []
  }
}

function sizeOf(path: string): number {
  try {
    const found = statSync(path)
    return found.isDirectory() ? entriesOf(path).reduce((sum, one) => sum + sizeOf(one), 0) : found.size
  } catch {
    return 0
  }
}

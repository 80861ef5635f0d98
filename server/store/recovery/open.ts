import { existsSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import type { StorageChoice, StorageQuestion } from '../../api/v1/system/storage.ts'
import { makeFolder } from '../../disk/make-folder.ts'
import { AppError } from '../../domain/errors.ts'
import { randomToken } from '../../domain/ids.ts'
import { checkDatabase, copyDatabase } from '../backup/copy.ts'
import { backupFolder, backupName, listBackups, momentOf, pruneBackups } from '../backup/files.ts'
import { Database, damageMarker, markDamaged } from '../database/database.ts'
import { isDamage, isUnusable, storeError } from '../database/failure.ts'
import { claimFolder, type FolderLock } from '../database/lock.ts'
import { instanceId } from '../database/meta.ts'
import { latestVersion } from '../database/migrations.ts'
import { readInstanceFile, writeInstanceFile } from './instance-file.ts'
import { lastGoodBackup, recoverDatabase } from './recover.ts'
import { databaseFiles, finishReplacement, moveAside, prepareReplacement, writeNotice } from './replace.ts'

export interface StorageAnswer {
  choice: StorageChoice
  /** For `restore`; the newest good one when absent. */
  backup?: string | null | undefined
}

/** What there is to decide, before it is asked. */
type OpenQuestion = Omit<StorageQuestion, 'asked_at' | 'problem'>

/** `undecided`: nobody has said yet what to do, and nothing was changed; the lock is held until it is released. */
export type OpenedStorage =
  | { kind: 'open'; database: Database; instanceId: string }
  | { kind: 'undecided'; question: OpenQuestion; release: () => void }

/**
 * Opens the database of a data folder: finishes a restore, repairs damage, asks before it begins anew beside what
 * belonged to a database or in the place of one that a newer version wrote, and makes a backup before tables change.
 *
 * @throws AppError store_failed when it is in use, disk_full and store_unavailable
 */
export async function openStorage(file: string, answer?: StorageAnswer): Promise<OpenedStorage> {
  makeFolder(dirname(file))
  const lock = claimFolder(file)
  try {
    finishReplacement(file)
    const question = await questionOf(file)
    if (question && !answer) return { kind: 'undecided', question, release: () => lock.release() }
    const known = question && answer ? await carryOut(file, answer, question) : readInstanceFile(file)
    return await openReady(file, lock, known).catch(error => openDamaged(file, lock, error))
  } catch (error) {
    lock.release()
    throw error
  }
}

async function openReady(file: string, lock: FolderLock, knownId: string | null): Promise<OpenedStorage> {
  const found = inspect(file)
  if (typeof found === 'number' && found > 0 && found < latestVersion()) await backUpBeforeMigration(file)
  rmSync(damageMarker(file), { force: true })
  const database = Database.open(file, lock)
  try {
    const id = instanceId(database, knownId ?? randomToken(12))
    writeInstanceFile(file, id)
    return { kind: 'open', database, instanceId: id }
  } catch (error) {
    database.close()
    throw error
  }
}

/** Damage that nobody had met: before its tables change, all of a database is read. */
async function openDamaged(file: string, lock: FolderLock, error: unknown): Promise<OpenedStorage> {
  if (!isUnusable(error instanceof AppError ? error.cause : error)) throw error
  markDamaged(file)
  const question = await questionOf(file)
  if (question) return { kind: 'undecided', question, release: () => lock.release() }
  return openReady(file, lock, readInstanceFile(file))
}

/** What a person has to decide; null where it is clear. Damage that can be repaired is repaired here. */
async function questionOf(file: string): Promise<OpenQuestion | null> {
  const found = inspect(file)
  if (typeof found === 'number') {
    return found > latestVersion() ? { kind: 'newer', message: NEWER, kept_in: null } : null
  }
  if (found === 'damaged') {
    if (await recoverDatabase(file)) return null
    return { kind: 'damaged', message: DAMAGED, kept_in: null }
  }
  const isFirstStart =
    readInstanceFile(file) === null && listBackups(backupFolder(dirname(file))).length === 0 && !hasLog(file)
  return isFirstStart ? null : { kind: 'missing', message: MISSING, kept_in: null }
}

/** @returns the version of its tables, or why there are none */
function inspect(file: string): number | 'missing' | 'damaged' {
  if (!existsSync(file) || (statSync(file).isFile() && statSync(file).size === 0)) return 'missing'
  let connection: DatabaseSyncInstance | undefined
  try {
    connection = new DatabaseSync(file)
    const tables = connection.prepare('SELECT count(*) AS n FROM sqlite_schema').get() as { n: number }
    const { user_version } = connection.prepare('PRAGMA user_version').get() as { user_version: number }
    if (existsSync(damageMarker(file)) && !isWhole(connection)) return 'damaged'
    return tables.n === 0 ? 'missing' : user_version
  } catch (error) {
    if (isDamage(error)) return 'damaged'
    throw storeError(error, file)
  } finally {
    connection?.close()
  }
}

/** Only after damage was met while it was in use: it takes long. */
function isWhole(connection: DatabaseSyncInstance): boolean {
  const row = connection.prepare('PRAGMA integrity_check(1)').get() as { integrity_check: string } | undefined
  return row?.integrity_check === 'ok'
}

function hasLog(file: string): boolean {
  return databaseFiles(file).some(one => one !== file && existsSync(one) && statSync(one).size > 0)
}

/** @returns the id that the sandboxes of the folder are labelled with, if they are to be kept */
async function carryOut(file: string, answer: StorageAnswer, question: OpenQuestion): Promise<string | null> {
  const at = new Date().toISOString()
  if (answer.choice === 'restore') {
    const backup = await chosenBackup(file, answer.backup)
    const message = `Atelier restored the backup of ${momentOf(backup.created_at)}. What was stored after it is missing.`
    await prepareReplacement(file, backup.path, { kind: 'restored', at, message, kept_in: null, damaged: true })
    finishReplacement(file)
    return readInstanceFile(file)
  }
  const kept_in = moveAside(file)
  const adopts = answer.choice === 'adopt'
  const kind = adopts ? ('adopted' as const) : ('new' as const)
  const message = `The database ${LOST[question.kind]}, and Atelier began a new one. ${adopts ? ADOPTED : STARTED_EMPTY}`
  writeNotice(file, { kind, at, message, kept_in })
  return adopts ? readInstanceFile(file) : randomToken(12)
}

/** @throws AppError not_found */
async function chosenBackup(file: string, name: string | null | undefined) {
  const folder = backupFolder(dirname(file))
  const named = listBackups(folder).find(backup => backup.name === name)
  if (named) return readable({ ...named, path: join(folder, named.name) })
  const newest = name ? undefined : await lastGoodBackup(dirname(file))
  if (newest) return newest
  throw new AppError('not_found', 'There is no such backup that can be read.')
}

/** @throws AppError store_damaged, store_failed for one of a newer version */
async function readable<Chosen extends { path: string; created_at: string }>(chosen: Chosen): Promise<Chosen> {
  try {
    await checkDatabase(chosen.path)
    return chosen
  } catch (error) {
    if (error instanceof AppError) throw error
    const message = `The backup of ${momentOf(chosen.created_at)} is damaged and cannot be restored. Choose another one.`
    throw new AppError('store_damaged', message, { cause: error })
  }
}

async function backUpBeforeMigration(file: string): Promise<void> {
  const folder = backupFolder(dirname(file))
  makeFolder(folder)
  await copyDatabase(file, join(folder, backupName('migration', new Date())))
  pruneBackups(folder)
}

const LOST = { missing: 'was missing', damaged: 'was damaged', newer: 'was of a newer Atelier' } as const

const MISSING =
  'The database of this data folder is missing or empty, though Atelier was used here before. Its sandboxes may still be there.'
const DAMAGED = 'The database of this data folder is damaged, nothing of it can be read, and there is no backup.'
const NEWER =
  'The database of this data folder was written by a newer Atelier, and this one does not know its tables. Nothing was changed. Install the newer version again, or restore a backup that was made before the update; the database is kept then.'
const ADOPTED = 'The sandboxes are listed under Sandboxes; their conversations are gone.'
const STARTED_EMPTY = 'Sandboxes from before stay in the engine, and are not shown.'

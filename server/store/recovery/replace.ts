import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { type StorageNotice, storageNotice } from '../../api/v1/system/storage.ts'
import { onDisk } from '../../disk/failure.ts'
import { backupFolder, backupName } from '../backup/files.ts'

/** A database in WAL mode is these files together; one alone holds only a part. */
const ENDS = ['', '-wal', '-shm'] as const

export const databaseFiles = (file: string): string[] => ENDS.map(end => `${file}${end}`)

const next = (file: string): string => `${file}.next`
const noticeOfNext = (file: string): string => `${file}.next.json`
const noticeFile = (file: string): string => join(dirname(file), 'storage-notice.json')

/** What is written beside a prepared database; `damaged`: the one before it is no backup. */
const preparation = storageNotice.extend({ damaged: z.boolean().default(false) })
type Preparation = z.input<typeof preparation>

/**
 * Lays a whole database beside the one in use, to take its place at the next start. What begins here is finished there,
 * also when the process dies in between: the new file has its name only once it is whole.
 */
export async function prepareReplacement(file: string, source: string, notice: Preparation): Promise<void> {
  const partial = `${next(file)}.partial`
  try {
    await copyFile(source, partial)
  } catch (error) {
    rmSync(partial, { force: true })
    throw onDiskError(file, error)
  }
  announceReplacement(file, partial, notice)
}

/** The same with a file that may be moved. */
export function announceReplacement(file: string, source: string, notice: Preparation): void {
  onDisk(file, () => {
    writeFileSync(noticeOfNext(file), JSON.stringify(notice), { mode: 0o600 })
    renameSync(source, next(file))
  })
}

/**
 * Puts a prepared database in its place. The one before is kept: as a backup when it is one whole file, otherwise all of
 * its files together in a folder of their own.
 */
export function finishReplacement(file: string): void {
  if (!existsSync(next(file))) return
  onDisk(file, () => {
    const prepared = parsed(preparation, readText(noticeOfNext(file)))
    const isWhole = existsSync(file) && !existsSync(`${file}-wal`) && prepared?.damaged === false
    const kept = isWhole ? keepAsBackup(file) : moveAside(file)
    renameSync(next(file), file)
    if (prepared) writeNotice(file, { ...storageNotice.parse(prepared), kept_in: kept ?? prepared.kept_in })
    rmSync(noticeOfNext(file), { force: true })
  })
}

/** Moves all files of a database together into a folder that is named after the time. @returns the folder, null for none */
export function moveAside(file: string, at = new Date()): string | null {
  const present = databaseFiles(file).filter(one => existsSync(one))
  if (present.every(one => statSync(one).size === 0)) {
    for (const one of present) rmSync(one)
    return null
  }
  const folder = join(replacedFolder(dirname(file)), at.toISOString().replaceAll(/[:.]/g, '-'))
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (const end of ENDS) {
    if (existsSync(`${file}${end}`)) renameSync(`${file}${end}`, join(folder, `atelier.db${end}`))
  }
  return folder
}

export function replacedFolder(dataDir: string): string {
  return join(dataDir, 'replaced')
}

function keepAsBackup(file: string): string {
  const folder = backupFolder(dirname(file))
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const kept = join(folder, backupName('restore', new Date()))
  renameSync(file, kept)
  return kept
}

export function writeNotice(file: string, notice: StorageNotice): void {
  writeFileSync(noticeFile(file), JSON.stringify(notice), { mode: 0o600 })
}

export function readNotice(file: string): StorageNotice | null {
  return parsed(storageNotice, readText(noticeFile(file))) ?? null
}

function parsed<Schema extends z.ZodType>(schema: Schema, text: string | undefined): z.output<Schema> | undefined {
  if (text === undefined) return undefined
  try {
    return schema.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

function onDiskError(place: string, error: unknown): unknown {
  try {
    return onDisk(place, () => {
      throw error
    })
  } catch (known) {
    return known
  }
}

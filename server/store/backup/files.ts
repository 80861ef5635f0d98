import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Backup, BackupKind } from '../../api/v1/system/storage.ts'

const NAME = /^atelier-(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)-(\d{3}Z)-(daily|manual|update|migration|restore)\.db$/

/** How many of each kind stay: the newest ones. */
const KEPT_BACKUPS: Record<BackupKind, number> = { daily: 7, manual: 7, update: 3, migration: 3, restore: 3 }

export function backupFolder(dataDir: string): string {
  return join(dataDir, 'backups')
}

export function backupName(kind: BackupKind, at: Date): string {
  return `atelier-${at.toISOString().replaceAll(/[:.]/g, '-')}-${kind}.db`
}

/** The time of a backup, for a sentence. */
export function momentOf(created_at: string): string {
  return `${created_at.slice(0, 10)} ${created_at.slice(11, 16)} UTC`
}

/** Newest first; other files in the folder are left alone. */
export function listBackups(folder: string): Backup[] {
  return namesIn(folder)
    .flatMap(name => {
      const found = NAME.exec(name)
      const bytes = sizeOf(join(folder, name))
      if (!found || bytes === undefined) return []
      const [, hour, minute, second, rest, kind] = found
      const created_at = `${hour}:${minute}:${second}.${rest}`
      return [{ name, created_at, bytes, kind: kind as BackupKind }]
    })
    .sort((one, other) => other.created_at.localeCompare(one.created_at))
}

/** Removes what is too much of each kind. */
export function pruneBackups(folder: string): void {
  const seen = new Map<BackupKind, number>()
  for (const { name, kind } of listBackups(folder)) {
    const count = (seen.get(kind) ?? 0) + 1
    seen.set(kind, count)
    if (count > KEPT_BACKUPS[kind]) rmSync(join(folder, name), { force: true })
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function sizeOf(file: string): number | undefined {
  try {
    const found = statSync(file)
    return found.isFile() ? found.size : undefined
  } catch {
    return undefined
  }
}

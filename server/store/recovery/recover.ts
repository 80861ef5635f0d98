import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { onDisk } from '../../disk/failure.ts'
import { checkDatabase } from '../backup/copy.ts'
import { backupFolder, listBackups, momentOf } from '../backup/files.ts'
import { announceReplacement, databaseFiles, finishReplacement, prepareReplacement } from './replace.ts'
import { type Salvaged, salvage } from './salvage.ts'

/**
 * Replaces a damaged database by what can still be read of it, or else by the last good backup. Nothing is tried on the
 * damaged files themselves: they are kept together as they are.
 *
 * @returns false when there is neither; then nothing has changed
 * @throws AppError disk_full when there is no room for the attempt
 */
export async function recoverDatabase(file: string): Promise<boolean> {
  const folder = join(dirname(file), 'recovering')
  onDisk(folder, () => {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { mode: 0o700 })
    for (const one of databaseFiles(file)) if (existsSync(one)) copyFileSync(one, join(folder, nameOf(file, one)))
  })
  try {
    const target = join(folder, 'salvaged.db')
    const [found, backup] = [await salvage(join(folder, 'atelier.db'), target), await lastGoodBackup(dirname(file))]
    const at = new Date().toISOString()
    if (found && (!backup || found.conversations >= backup.conversations) && hasContent(found)) {
      announceReplacement(file, target, { kind: 'salvaged', at, message: wordsOf(found), kept_in: null, damaged: true })
    } else if (backup) {
      const message = `The database was damaged and could not be repaired. Atelier restored the backup of ${momentOf(backup.created_at)}; what was stored after it is missing.`
      await prepareReplacement(file, backup.path, { kind: 'restored', at, message, kept_in: null, damaged: true })
    } else if (found && hasContent(found)) {
      announceReplacement(file, target, { kind: 'salvaged', at, message: wordsOf(found), kept_in: null, damaged: true })
    } else return false
    finishReplacement(file)
    return true
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The newest one that can be read from end to end. */
export async function lastGoodBackup(dataDir: string) {
  const folder = backupFolder(dataDir)
  for (const backup of listBackups(folder)) {
    const path = join(folder, backup.name)
    try {
      return { ...backup, path, conversations: (await checkDatabase(path)).get('conversation') ?? 0 }
    } catch {
      // An older one may be whole.
    }
  }
  return undefined
}

function hasContent({ conversations, events }: Salvaged): boolean {
  return conversations + events > 0
}

function wordsOf({ conversations, events, lostEvents, namelessConversations }: Salvaged): string {
  const missing = [
    ...(lostEvents > 0 ? [`${lostEvents} entries of their logs are lost and marked as such`] : []),
    ...(namelessConversations > 0
      ? [`${namelessConversations} are called “Recovered conversation”, because only their logs could be read`]
      : []),
  ]
  const kept = `The database was damaged. Atelier repaired it: ${conversations} conversations with ${events} entries are here.`
  return missing.length > 0 ? `${kept} ${missing.join('; ')}.` : `${kept} Nothing is known to be missing.`
}

function nameOf(file: string, one: string): string {
  return `atelier.db${one.slice(file.length)}`
}

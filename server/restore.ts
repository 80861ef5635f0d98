import { join } from 'node:path'
import { AppError } from './domain/errors.ts'
import { checkDatabase } from './store/backup/copy.ts'
import { backupFolder, listBackups } from './store/backup/files.ts'
import { claimFolder } from './store/database/lock.ts'
import { finishReplacement, prepareReplacement } from './store/recovery/replace.ts'

/**
 * Without a name: prints the backups. With one, or with `latest`: restores it, also when the service cannot start. The
 * present database is kept. @throws AppError not_found, store_failed while a service runs, store_damaged
 */
export async function restoreFromCommandLine(dataDir: string, name: string | undefined): Promise<void> {
  const folder = backupFolder(dataDir)
  const backups = listBackups(folder)
  if (name === undefined) {
    const lines = backups.map(backup => `${backup.name}  ${(backup.bytes / 1024 / 1024).toFixed(1)} MB`)
    process.stdout.write(lines.length > 0 ? `${lines.join('\n')}\n` : `There are no backups in ${folder}.\n`)
    return
  }
  const chosen = name === 'latest' ? backups[0] : backups.find(backup => backup.name === name)
  if (!chosen) throw new AppError('not_found', `There is no backup ${name} in ${folder}.`)
  const file = join(dataDir, 'atelier.db')
  const lock = claimFolder(file)
  try {
    const path = join(folder, chosen.name)
    await checkDatabase(path)
    const at = new Date().toISOString()
    const message = `The backup of ${chosen.created_at} was restored. What was stored after it is missing here.`
    await prepareReplacement(file, path, { kind: 'restored', at, message, kept_in: null, damaged: true })
    finishReplacement(file)
  } finally {
    lock.release()
  }
  process.stdout.write(`Restored ${chosen.name}. The database from before is in ${join(dataDir, 'replaced')}.\n`)
}

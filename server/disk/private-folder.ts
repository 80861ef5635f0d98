import { chmodSync, lstatSync, readdirSync, type Stats } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

/** What Atelier keeps in its data folder. Nothing else is touched, as a person may have chosen a folder with more in it. */
const OWN = /^(atelier[\w.-]*|server\.json|feedback\.jsonl|logs|exports|backups|folders|resources|updates|window)$/
/** The browser's own files: their folder is closed, which is enough. */
const SKIPPED_FOLDERS = new Set(['window'])
const GROUP_AND_OTHERS = 0o077
const STICKY = 0o1000

/**
 * Takes from everybody but the owner what Atelier's files and folders let them do. Links are not followed.
 * @returns the paths where that is not possible, the folder itself first
 */
export function keepPrivate(folder: string): string[] {
  // Windows has no such bits: the user's profile is closed to others.
  if (process.platform === 'win32') return []
  return [...closeFolder(folder), ...entries(folder, name => OWN.test(name)).flatMap(close)]
}

/** A folder that many use, such as /tmp or the root, is not ours to close. */
function closeFolder(folder: string): string[] {
  const stats = statsOf(folder)
  if (!stats || (stats.mode & GROUP_AND_OTHERS) === 0) return []
  const full = resolve(folder)
  const isShared = (stats.mode & STICKY) !== 0 || full === dirname(full) || full === homedir()
  return isShared || !restrictToOwner(full, stats) ? [folder] : []
}

function close(path: string): string[] {
  const stats = statsOf(path)
  if (!stats || stats.isSymbolicLink()) return []
  const failed = (stats.mode & GROUP_AND_OTHERS) !== 0 && !restrictToOwner(path, stats) ? [path] : []
  const inside = stats.isDirectory() && !SKIPPED_FOLDERS.has(nameOf(path)) ? entries(path).flatMap(close) : []
  return [...failed, ...inside]
}

function restrictToOwner(path: string, { mode }: Stats): boolean {
  try {
    chmodSync(path, mode & 0o700)
    return true
  } catch {
    return false // of another owner, or on a disk that keeps no modes
  }
}

function statsOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false })
}

function entries(folder: string, isWanted: (name: string) => boolean = () => true): string[] {
  try {
    return readdirSync(folder)
      .filter(isWanted)
      .map(name => join(folder, name))
  } catch {
    return []
  }
}

function nameOf(path: string): string {
  return path.slice(dirname(path).length + 1)
}

import { mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { diskError, onDisk } from './failure.ts'

/**
 * Makes a folder for its owner alone, with those above it; one that is there stays as it is. Node's own recursive way never
 * ends where no folder can be made, as below /proc, and takes a read-only disk for a missing folder.
 * @throws AppError disk_full, store_unavailable
 */
export function makeFolder(folder: string): void {
  const missing: string[] = []
  for (let at = resolve(folder); !isThere(at) && at !== dirname(at); at = dirname(at)) missing.unshift(at)
  for (const each of missing) onDisk(each, () => makeOne(each))
  if (!isThere(folder, 'folder')) throw diskError('not_a_folder', folder)
}

function makeOne(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Somebody else was faster.
    if (isThere(folder, 'folder')) return
    throw isMissing(error) ? diskError('not_allowed', folder, error) : error
  }
}

function isThere(path: string, kind: 'anything' | 'folder' = 'anything'): boolean {
  const stats = onDisk(path, () => statSync(path, { throwIfNoEntry: false }))
  return stats !== undefined && (kind === 'anything' || stats.isDirectory())
}

/** Its folder is there, and takes none. */
function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

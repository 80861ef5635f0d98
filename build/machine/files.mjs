import { copyFileSync, linkSync, mkdirSync, rmSync, statSync, utimesSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * The same file in two places, without a second copy where the file system allows it.
 * @param {string} from
 * @param {string} to
 */
export function linkOrCopy(from, to) {
  const source = statSync(from)
  const target = statSync(to, { throwIfNoEntry: false })
  if (target && target.size === source.size && target.mtimeMs === source.mtimeMs) return
  mkdirSync(dirname(to), { recursive: true })
  rmSync(to, { force: true })
  try {
    linkSync(from, to)
  } catch {
    copyFileSync(from, to)
    utimesSync(to, source.atime, source.mtime)
  }
}

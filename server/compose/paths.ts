import { posix } from 'node:path'

/**
 * From the root of the repository; '' is the root itself.
 * @param folder from which `path` is meant, from the root too
 * @returns undefined for what is of this computer, or leads out of the repository
 */
export function pathInside(path: string, folder: string): string | undefined {
  if (/^[/~]/.test(path) || path.includes('\0')) return undefined
  const inside = posix.normalize(posix.join(folder, path)).replace(/\/$/, '')
  if (inside === '..' || inside.startsWith('../')) return undefined
  return inside === '.' ? '' : inside
}

/** A path that is meant from one folder, as it is meant from another one. What leads out of the repository still does. */
export function rebasedPath(path: string, from: string, to: string): string {
  if (/^[/~]/.test(path)) return path
  const up = to === '' ? '' : posix.join(...to.split('/').map(() => '..'))
  return `./${posix.join(up, from, path)}`
}

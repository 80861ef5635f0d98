import { lchown, lstat, mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../domain/errors.ts'

/**
 * Makes the folder `name` in `root` as the owner of `like` would, with those between them.
 * @returns its path
 * @throws AppError bad_request where something else is in the way: a link would lead elsewhere, and the engine would follow it
 */
export async function makeFolder(root: string, name: string, like: string): Promise<string> {
  const owner = await otherOwner(like)
  let path = root
  for (const part of name.split('/')) {
    path = join(path, part)
    const found = await lstat(path).catch(() => undefined)
    if (found?.isDirectory()) continue
    if (found) throw new AppError('bad_request', `${path} is no folder. Start with a copy of the folder instead.`)
    await mkdir(path)
    if (owner) await lchown(path, owner.uid, owner.gid)
  }
  return path
}

/** With everything in it. */
export async function giveToOwner(path: string, like: string): Promise<void> {
  const owner = await otherOwner(like)
  if (owner === null) return
  await lchown(path, owner.uid, owner.gid)
  const entries = await readdir(path, { withFileTypes: true, recursive: true }).catch(() => [])
  for (const entry of entries) await lchown(join(entry.parentPath, entry.name), owner.uid, owner.gid)
}

/** A service that runs as root works for whose the folder is; null where it makes files as that user already. */
async function otherOwner(like: string): Promise<{ uid: number; gid: number } | null> {
  const { uid, gid } = await stat(like)
  return process.getuid?.() === 0 && uid !== 0 ? { uid, gid } : null
}

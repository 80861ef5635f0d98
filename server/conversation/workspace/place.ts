import { realpath } from 'node:fs/promises'
import { join, posix, relative, sep } from 'node:path'
import type { RouteReply } from '../../api/contract/route.ts'
import type { getFilePlace } from '../../api/v1/sandbox/files.ts'
import { AppError } from '../../domain/errors.ts'
import type { SandboxHandle } from '../../domain/sandbox-handle.ts'
import { nothingAt } from './paths.ts'

/** @throws AppError file_not_found, bad_request */
export async function placeOf(
  sandbox: SandboxHandle,
  path: string,
  mounted: { folder: string | null; at: string },
): Promise<RouteReply<typeof getFilePlace>> {
  const there = await sandbox.stat(path)
  if (!there) throw nothingAt(path)
  if (there.kind === 'other') throw new AppError('bad_request', `${path} is neither a file nor a folder. Name one.`)
  const host_path = mounted.folder === null ? null : await hostPath(mounted.folder, posix.relative(mounted.at, path))
  return { container: sandbox.id, path, kind: there.kind, host_path }
}

/** A link that the sandbox has made must not lead an editor to other files of this computer. */
async function hostPath(folder: string, inside: string): Promise<string | null> {
  if (inside === '..' || inside.startsWith('../')) return null
  try {
    const [root, real] = await Promise.all([realpath(folder), realpath(join(folder, inside))])
    const way = relative(root, real)
    return way === '..' || way.startsWith(`..${sep}`) ? null : join(folder, inside)
  } catch {
    return null
  }
}

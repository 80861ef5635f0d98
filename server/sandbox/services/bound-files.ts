import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pack } from 'tar-stream'
import type { ServicePlan } from '../../compose/service-plan.ts'
import { BOUNDS } from '../../domain/bounds.ts'
import { AppError } from '../../domain/errors.ts'
import type { SandboxHandle } from '../../domain/sandbox-handle.ts'
import { entriesOf } from '../files/entries.ts'

export interface BoundFiles {
  /** To be unpacked at the root of the service; null for no files. */
  archive: Buffer | null
  /** Of their contents. */
  digest: string
  /** In place of what the repository does not have: a service may write there. */
  volumes: ServicePlan['volumes']
}

const MAX_ENTRIES = 2000

/**
 * What a service mounts of the repository, as copies: a mount would be a path of the engine's machine. Only files and folders
 * are copied, with the bits of their modes that give nobody another user's rights.
 * @throws AppError of the sandbox; file_too_large beyond the bound
 */
export async function readBoundFiles(
  sandbox: Pick<SandboxHandle, 'stat' | 'readArchive'>,
  folder: string,
  { name, binds }: ServicePlan,
  signal: AbortSignal,
): Promise<BoundFiles> {
  const archive = pack()
  const hash = createHash('sha256')
  const volumes: ServicePlan['volumes'] = []
  let bytes = 0
  let entries = 0
  for (const { path, containerPath } of binds) {
    const source = posix.join(folder, path)
    const stat = await sandbox.stat(source)
    if (!stat)
      volumes.push({
        name: `at-${createHash('sha256').update(path).digest('hex').slice(0, 16)}`,
        containerPath,
        readOnly: false,
      })
    if (!stat) continue
    for await (const entry of entriesOf(await sandbox.readArchive(source))) {
      signal.throwIfAborted()
      const { type, name: from, mode = 0o644, uid = 0, gid = 0, size = 0 } = entry.header
      bytes += size
      entries++
      if (bytes > BOUNDS.serviceFiles.limit || entries > MAX_ENTRIES) throw tooMuch(name, path)
      const content = await buffer(entry)
      if (type !== 'file' && type !== 'directory') continue
      const target = posix.join(containerPath, posix.normalize(`/${from.split('/').slice(1).join('/')}`)).slice(1)
      const header = { name: type === 'directory' ? `${target}/` : target, type, mode: mode & 0o777, uid, gid }
      if (type === 'directory') archive.entry(header)
      else archive.entry(header, content)
      hash.update(JSON.stringify([target, header.mode, content.length])).update(content)
    }
  }
  archive.finalize()
  return { archive: entries > 0 ? await buffer(archive) : null, digest: hash.digest('hex'), volumes }
}

function tooMuch(service: string, path: string): AppError {
  const message = `${path} holds more than can be copied into the service ${service}: ${BOUNDS.serviceFiles.limit / 2 ** 20} MiB. Mount less of it.`
  return new AppError('file_too_large', message)
}

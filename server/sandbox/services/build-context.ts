import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { Pack } from 'tar-stream'
import { BOUNDS } from '../../domain/bounds.ts'
import { AppError, isAppError } from '../../domain/errors.ts'
import type { SandboxHandle } from '../../domain/sandbox-handle.ts'
import { ignoredBy } from '../build/ignored.ts'
import { entriesOf } from '../files/entries.ts'

type Entry =
  | { kind: 'directory' | 'file'; mode: number; content: Buffer }
  /** The engine follows it in the context alone. */
  | { kind: 'link'; target: string }

export interface BuildContext {
  /** Of all names, modes and contents. */
  digest: string
  write(context: Pack): Promise<void>
}

const MAX_IGNORE_BYTES = 64 * 1024

/**
 * A folder of the repository as a build gets it: without what its `.dockerignore` leaves out, links that lead out of it, and
 * what is no file. @param folder of the repository
 * @throws AppError of the sandbox; bad_request for what is no folder of the repository, file_too_large beyond the bounds
 */
export async function readBuildContext(
  sandbox: Pick<SandboxHandle, 'stat' | 'readFile' | 'readArchive'>,
  { folder, context }: { folder: string; context: string },
  signal: AbortSignal,
): Promise<BuildContext> {
  const place = posix.join(folder, context)
  const stat = await sandbox.stat(place)
  if (stat?.kind !== 'directory' || stat.path !== place) {
    throw new AppError('bad_request', `${context} is no folder of the repository, and cannot be built from.`)
  }
  const isIgnored = ignoredBy(await ignoreFile(sandbox, place))
  const entries = new Map<string, Entry>()
  let bytes = 0
  for await (const entry of entriesOf(await sandbox.readArchive(place))) {
    signal.throwIfAborted()
    const { type, name: from, mode = 0o644, linkname, size } = entry.header
    const name = withoutTop(from)
    if (name === '' || isIgnored(name)) {
      entry.resume()
      continue
    }
    const same = type === 'link' ? entries.get(withoutTop(linkname ?? '')) : undefined
    bytes += same?.kind === 'file' ? same.content.length : (size ?? 0)
    // Before anything of it is read.
    if (bytes > BOUNDS.serviceBuildBytes.limit)
      throw tooLarge(context, `${BOUNDS.serviceBuildBytes.limit / 2 ** 20} MiB`)
    if (entries.size >= BOUNDS.serviceBuildFiles.limit)
      throw tooLarge(context, `${BOUNDS.serviceBuildFiles.limit.toLocaleString('en-US')} files`)
    if (type === 'link' && !same) throw lostLink(name)
    const content = await buffer(entry)
    if (type === 'file' || type === 'directory') entries.set(name, { kind: type, mode: mode & 0o777, content })
    if (same) entries.set(name, same)
    if (type === 'symlink' && linkname && staysInside(name, linkname))
      entries.set(name, { kind: 'link', target: linkname })
  }
  const sorted = [...entries].sort(([one], [other]) => (one < other ? -1 : 1))
  return { digest: digestOf(sorted), write: context => writeEntries(context, sorted) }
}

async function ignoreFile(sandbox: Pick<SandboxHandle, 'readFile'>, place: string): Promise<string> {
  try {
    return (await sandbox.readFile(posix.join(place, '.dockerignore'), { maxBytes: MAX_IGNORE_BYTES })).toString()
  } catch (error) {
    if ((['file_not_found', 'file_too_large', 'bad_request'] as const).some(code => isAppError(error, code))) return ''
    throw error
  }
}

/** The archive of a folder begins with its own name. */
function withoutTop(path: string): string {
  return posix.normalize(path).split('/').slice(1).join('/').replace(/\/$/, '')
}

function staysInside(name: string, target: string): boolean {
  const inside = posix.normalize(posix.join(posix.dirname(name), target))
  return !target.startsWith('/') && inside !== '..' && !inside.startsWith('../')
}

function digestOf(entries: readonly (readonly [string, Entry])[]): string {
  const hash = createHash('sha256')
  for (const [name, entry] of entries) {
    const facts = entry.kind === 'link' ? [entry.target] : [entry.mode, entry.content.length]
    hash.update(JSON.stringify([name, entry.kind, ...facts]))
    if (entry.kind === 'file') hash.update(entry.content)
  }
  return hash.digest('hex')
}

async function writeEntries(context: Pack, entries: readonly (readonly [string, Entry])[]): Promise<void> {
  const mtime = new Date(0)
  for (const [name, entry] of entries) {
    if (entry.kind === 'link') context.entry({ name, type: 'symlink', linkname: entry.target, mtime })
    else if (entry.kind === 'directory') context.entry({ name: `${name}/`, type: 'directory', mode: entry.mode, mtime })
    else context.entry({ name, mode: entry.mode, mtime }, entry.content)
  }
}

function tooLarge(context: string, most: string): AppError {
  return new AppError(
    'file_too_large',
    `${context} holds more than a service can be built from: ${most}. Leave files out with .dockerignore.`,
  )
}

/** Two names of one file, of which `.dockerignore` leaves the first one out. */
function lostLink(name: string): AppError {
  return new AppError(
    'bad_request',
    `${name} is another name of a file that .dockerignore leaves out. Make it a file of its own.`,
  )
}

import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pack } from 'tar-stream'
import type { PathStat } from '../../docker/engine.ts'
import { AppError } from '../../domain/errors.ts'
import { randomToken } from '../../domain/ids.ts'
import type { FileStat, WriteOptions } from '../../domain/sandbox-handle.ts'
import { type CommandPlace, runCommand } from '../command/command.ts'
import { entriesOf } from './entries.ts'
import { isMounted, readMounted, statMounted } from './mounted-files.ts'

const DEFAULT_MAX_BYTES = 10 * 2 ** 20
const COMMAND_NOT_FOUND = 127
const SMALL_BYTES = 256 * 2 ** 10
/** Something that is no file any more may have taken its place, and would be waited for. */
const SHELL_MS = 5_000

/** A file's place: which engine, which container, where. Links are followed inside the container only, by the engine. */
export interface ContainerFiles extends CommandPlace {
  path: string
  /** As `uid:gid`, whose new files are; null for root. */
  user: string | null
}

export async function readFile(place: ContainerFiles, maxBytes = DEFAULT_MAX_BYTES): Promise<Buffer> {
  const found = await resolve(place)
  const { path } = place
  if (!found) throw new AppError('file_not_found', `There is no file ${path} in the sandbox. Check the path.`)
  if (found.stat.kind !== 'file') throw new AppError('bad_request', `${path} is not a file. Name a file.`)
  if (found.stat.sizeBytes > maxBytes) throw tooLarge(path, maxBytes)
  if (isMounted(found.path))
    return readMounted({ ...place, path: found.path }, maxBytes, () => tooLarge(path, maxBytes))
  const content =
    (await readInShell(place, found.path, Math.min(maxBytes, found.stat.sizeBytes))) ??
    (await readArchived(place, found.path, maxBytes))
  if (content === 'too large') throw tooLarge(path, maxBytes)
  if (content) return content
  throw new AppError('file_not_found', `There is no file ${path} in the sandbox. Check the path.`)
}

/**
 * Where the sandbox has a shell anyway, a small file costs the engine a tenth of an archive. undefined where it cannot be read
 * that way, or is longer than it was.
 */
async function readInShell(place: ContainerFiles, path: string, sizeBytes: number): Promise<Buffer | undefined> {
  if (sizeBytes > SMALL_BYTES || !place.shells.has(place.containerId)) return undefined
  try {
    const { exitCode, stdout } = await runCommand(place, {
      argv: ['head', '-c', String(sizeBytes + 1), '--', path],
      cwd: '/',
      encoding: 'latin1',
      maxBytes: SMALL_BYTES + 1,
      limitMs: SHELL_MS,
    })
    return exitCode === 0 && stdout.length <= sizeBytes ? Buffer.from(stdout, 'latin1') : undefined
  } catch {
    return undefined
  }
}

/** A regular file of a container, which need not run; undefined where there is none. */
export async function readArchived(
  { engine, containerId }: Pick<ContainerFiles, 'engine' | 'containerId'>,
  path: string,
  maxBytes: number,
): Promise<Buffer | 'too large' | undefined> {
  const archive = await engine.getArchive(containerId, path)
  try {
    for await (const entry of entriesOf(archive)) {
      if (entry.header.type !== 'file') return undefined
      // It may have grown since it was looked at.
      return (entry.header.size ?? 0) > maxBytes ? 'too large' : await buffer(entry)
    }
  } finally {
    // The engine keeps the container locked until its archive was read or refused.
    archive.destroy()
  }
  return undefined
}

export async function statFile(place: ContainerFiles): Promise<FileStat | undefined> {
  const found = await resolve(place)
  if (!found) return undefined
  const { kind, sizeBytes, mode, modifiedAt } = found.stat
  return { path: found.path, kind: kind === 'link' ? 'other' : kind, sizeBytes, mode, modifiedAt }
}

/**
 * $1 folder, $2 temporary file in it, $3 file, $4 size, $5 what may be replaced: `any`, `none`, or a SHA-256. The copy keeps
 * mode and owner of a file that is there; the size tells a connection that broke in the middle from the end of the content.
 * What may be replaced was looked at before, and is once more in the last moment, where the image has a program for it.
 */
const WRITE = `
mkdir -p -- "$1" || exit
trap 'rm -f -- "$2"' EXIT
if [ -f "$3" ]; then cp -p -- "$3" "$2" || exit; fi
cat >"$2" || exit
[ "$(wc -c <"$2")" -eq "$4" ] || { echo "the content did not arrive as a whole" >&2; exit 1; }
[ ! -d "$3" ] || { echo "a folder has this name" >&2; exit 1; }
case $5 in
  any) ;;
  none) if [ -e "$3" ] || [ -L "$3" ]; then exit 17; fi; ln -- "$2" "$3" 2>/dev/null && exit 0 ;;
  *) if command -v sha256sum >/dev/null; then case $(sha256sum <"$3") in "$5"*) ;; *) exit 17 ;; esac; fi ;;
esac
mv -f -- "$2" "$3"`
const CHANGED = 17

/** @throws AppError bad_request, command_failed, conflict when the file is not what is to be replaced */
export async function writeFile(
  place: ContainerFiles,
  content: Buffer,
  { replaces }: WriteOptions = {},
): Promise<void> {
  const target = await writableTarget(place)
  if (replaces !== undefined) await assertStill({ ...place, path: target }, replaces)
  const folder = posix.dirname(target)
  const temporary = posix.join(folder, `.atelier-${randomToken(8)}`)
  const expected = replaces === undefined ? 'any' : (replaces ?? 'none')
  const result = await runCommand(place, {
    argv: ['/bin/sh', '-c', WRITE, 'sh', folder, temporary, target, String(content.length), expected],
    cwd: '/',
    stdin: content,
  })
  if (result.exitCode === 0) return
  if (result.exitCode === CHANGED) throw changed(place.path)
  // An image without these commands gets the file all the same, only not in one step.
  if (result.exitCode === COMMAND_NOT_FOUND) {
    return writeFiles({ ...place, path: folder }, [{ path: posix.basename(target), content }])
  }
  throw new AppError('command_failed', `${place.path} could not be written: ${result.stderr.trim()}`)
}

async function assertStill(place: ContainerFiles, replaces: string | null): Promise<void> {
  const found = await resolve(place)
  if (!found && replaces === null) return
  if (!found || replaces === null || sha256(await readFile(place)) !== replaces) throw changed(place.path)
}

export function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}

function changed(path: string): AppError {
  return new AppError('conflict', `${path} is not what it was when it was read. Read it again, then save.`)
}

/** Through a link the file that it leads to is written, and the link stays. */
async function writableTarget(place: ContainerFiles): Promise<string> {
  const path = absolute(place.path)
  const stat = await place.engine.statPath(place.containerId, path)
  const target = stat?.kind === 'link' && stat.target !== undefined ? stat.target : path
  if (isMounted(target)) return mountedTarget(place, target)
  const last = stat?.kind === 'link' ? await place.engine.statPath(place.containerId, target) : stat
  if (target === '/' || (last && last.kind !== 'file')) {
    throw new AppError('bad_request', `${place.path} is not a file. Name a file.`)
  }
  return target
}

async function mountedTarget(place: ContainerFiles, path: string): Promise<string> {
  const found = await statMounted({ ...place, path })
  if (found && found.stat.kind !== 'file')
    throw new AppError('bad_request', `${place.path} is not a file. Name a file.`)
  return found?.path ?? path
}

/** Unpacks files under the folder at `place`, in one transfer. Folders that are missing are made, others left as they are. */
export async function writeFiles(
  place: ContainerFiles,
  files: readonly { path: string; content: Buffer; mode?: number }[],
): Promise<void> {
  const folder = absolute(place.path)
  const entries = files.map(file => ({ ...file, path: posix.join(folder, inside(file.path)) }))
  const base = await existingFolder(place, folder)
  const missing = await missingFolders(place, base.named, [folder, ...entries.map(entry => posix.dirname(entry.path))])
  const relative = (path: string) => posix.relative(base.named, path)
  const [uid = 0, gid = 0] = (place.user ?? '0:0').split(':').map(Number)
  const owner = { uid, gid, mtime: new Date() }
  const archive = pack()
  for (const path of missing) archive.entry({ name: `${relative(path)}/`, type: 'directory', mode: 0o755, ...owner })
  for (const { path, content, mode = 0o644 } of entries) {
    archive.entry({ name: relative(path), mode, ...owner }, content)
  }
  archive.finalize()
  await place.engine.putArchive(place.containerId, base.real, await buffer(archive))
}

/** The nearest folder that exists, by the name it was asked for and by its own. */
async function existingFolder(place: ContainerFiles, folder: string): Promise<{ named: string; real: string }> {
  for (let named = folder; named !== '/'; named = posix.dirname(named)) {
    const found = await resolve({ ...place, path: named })
    if (!found) continue
    if (found.stat.kind === 'directory') return { named, real: found.path }
    throw new AppError('bad_request', `${named} is not a folder.`)
  }
  return { named: '/', real: '/' }
}

async function missingFolders(place: ContainerFiles, base: string, folders: readonly string[]): Promise<string[]> {
  const below = new Set<string>()
  for (const folder of folders) {
    for (let each = folder; each !== base && each !== '/'; each = posix.dirname(each)) below.add(each)
  }
  const paths = [...below].sort()
  const stats = await Promise.all(paths.map(path => place.engine.statPath(place.containerId, path)))
  return paths.filter((_, index) => stats[index] === undefined)
}

/** The path and what is there, through links; undefined when there is nothing, also behind a link. */
export async function resolve(place: ContainerFiles): Promise<{ path: string; stat: PathStat } | undefined> {
  const path = absolute(place.path)
  if (isMounted(path)) return statMounted({ ...place, path })
  const stat = await place.engine.statPath(place.containerId, path)
  if (stat?.kind !== 'link' || stat.target === undefined) return stat && { path, stat }
  if (isMounted(stat.target)) return statMounted({ ...place, path: stat.target })
  // The engine has followed the whole chain already.
  const behind = await place.engine.statPath(place.containerId, stat.target)
  return behind && { path: stat.target, stat: behind }
}

export function absolute(path: string): string {
  if (!path.startsWith('/') || path.includes('\0')) {
    throw new AppError('bad_request', `"${path.replaceAll('\0', '\\0')}" is not an absolute path in the sandbox.`)
  }
  const normal = posix.normalize(path)
  return normal.length > 1 && normal.endsWith('/') ? normal.slice(0, -1) : normal
}

function inside(path: string): string {
  const normal = posix.normalize(path)
  if (
    path === '' ||
    path.includes('\0') ||
    path.endsWith('/') ||
    posix.isAbsolute(path) ||
    /^\.\.?(\/|$)/.test(normal)
  ) {
    throw new AppError('bad_request', `"${path.replaceAll('\0', '\\0')}" does not stay inside the folder.`)
  }
  return normal
}

function tooLarge(path: string, maxBytes: number): AppError {
  const message = `${path} is larger than ${Math.floor(maxBytes / 1024)} KiB. Read a part of it with a command.`
  return new AppError('file_too_large', message, { details: { maxBytes } })
}

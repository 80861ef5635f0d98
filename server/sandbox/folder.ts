import { posix } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { type Pack, pack } from 'tar-stream'
import type { Engine } from '../docker/engine.ts'
import { BOUNDS } from '../domain/bounds.ts'
import { AppError, isAppError } from '../domain/errors.ts'
import { readArchived } from './files/files.ts'
import { ACCOUNT_HOME, type MountedFolder } from './spec.ts'

const NOT_THERE = 23
const READ_ONLY = 24
const REPLACED = 25

/** $1 folder, $2 a name in it or nothing, then pairs of a mount and its file. */
const LOOK = `[ -z "$2" ] || [ -e "$1/$2" ] || [ -L "$1/$2" ] || exit ${NOT_THERE}
[ -w "$1" ] || exit ${READ_ONLY}
shift 2
command -v stat >/dev/null || exit 0
while [ $# -gt 0 ]; do
  [ "$(stat -c %d:%i -- "$1")" = "$2" ] || { echo "$1 was replaced meanwhile"; exit ${REPLACED}; }
  shift 2
done`

/**
 * Gives whose the folder is an account and a home in a container that has not started yet: programs ask who they are, and the
 * image may not know the user. A program in it could not do that, as nobody there is root.
 */
export async function addAccount(engine: Engine, containerId: string, folder: MountedFolder): Promise<void> {
  if (folder.user === null) return
  const [uid = 0, gid = 0] = folder.user.split(':').map(Number)
  const textOf = (path: string) => textIn(engine, containerId, path)
  const [users, groups] = await Promise.all([textOf('/etc/passwd'), textOf('/etc/group')])
  const archive = pack()
  const owner = { uid, gid, mode: 0o755, mtime: new Date() }
  const folderEntry = (path: string) => archive.entry({ name: `${path.slice(1)}/`, type: 'directory', ...owner })
  folderEntry(posix.dirname(folder.path))
  folderEntry(ACCOUNT_HOME)
  if (users !== undefined && !hasId(users, uid)) {
    append(archive, { name: 'etc/passwd', text: users, line: `atelier:x:${uid}:${gid}::${ACCOUNT_HOME}:/bin/sh` })
  }
  if (groups !== undefined && !hasId(groups, gid)) {
    append(archive, { name: 'etc/group', text: groups, line: `atelier:x:${gid}:` })
  }
  archive.finalize()
  await engine.putArchive(containerId, '/', await buffer(archive))
}

/** Makes folders for a user in a container that has not started yet, where only root could make them later. */
export async function makeFolders(
  engine: Engine,
  containerId: string,
  { user, folders }: { user: string; folders: readonly string[] },
): Promise<void> {
  const [uid = 0, gid = 0] = user.split(':').map(Number)
  const archive = pack()
  for (const path of folders) {
    archive.entry({ name: `${path.slice(1)}/`, type: 'directory', uid, gid, mode: 0o755, mtime: new Date() })
  }
  archive.finalize()
  await engine.putArchive(containerId, '/', await buffer(archive))
}

/** passwd(5) and group(5) have the id in their third field. */
function hasId(text: string, id: number): boolean {
  return text.split('\n').some(line => line.split(':')[2] === String(id))
}

function append(archive: Pack, { name, text, line }: { name: string; text: string; line: string }): void {
  const before = text === '' || text.endsWith('\n') ? text : `${text}\n`
  archive.entry({ name, mode: 0o644, mtime: new Date() }, `${before}${line}\n`)
}

/** undefined for anything but a file. */
async function textIn(engine: Engine, containerId: string, path: string): Promise<string | undefined> {
  const found = await engine.statPath(containerId, path)
  if (found?.kind !== 'file') return undefined
  const content = await readArchived({ engine, containerId }, path, BOUNDS.accountFile.limit)
  return content === 'too large' ? undefined : content?.toString()
}

/**
 * Looks in a sandbox that has just started whether its programs have the folder.
 * @throws AppError sandbox_start_failed with what to do instead
 */
export async function lookAtFolder(
  { engine, containerId }: { engine: Engine; containerId: string },
  { folder, signal }: { folder: MountedFolder; signal: AbortSignal },
): Promise<void> {
  const argv = ['/bin/sh', '-c', LOOK, 'sh', folder.path, folder.sees ?? '', ...[...folder.files].flat()]
  const stream = await engine.exec(containerId, { argv, cwd: '/', signal })
  const [output, said, exitCode] = await Promise.all([text(stream.stdout), text(stream.stderr), stream.exitCode])
  signal.throwIfAborted()
  if (exitCode === 0) return
  if (exitCode === NOT_THERE) throw refused('the engine sees another folder there')
  if (exitCode === REPLACED) throw refused(output.trim())
  throw refused(exitCode === READ_ONLY ? 'its owner may not write in it from a sandbox' : said.trim())
}

/** What an engine says that cannot mount a folder, in words; anything else as it is. */
export function asRefusal(error: unknown): unknown {
  return isOfMount(error) ? refused(error.message) : error
}

/** The same for a sandbox that had the folder when it ran before. */
export function asLoss(error: unknown): unknown {
  if (!isOfMount(error)) return error
  const what = 'A folder of this computer that the sandbox works in is not where it was. Put it back, then resume.'
  return new AppError('engine_failed', `${what} ${error.message}`, { cause: error })
}

function isOfMount(error: unknown): error is AppError {
  return isAppError(error, 'engine_failed') && /\b(bind|mount|mounts|mounting|shared)\b/i.test(error.message)
}

function refused(why: string): AppError {
  const message = `The folder cannot be worked on where it is: ${why.replace(/\.$/, '')}. Start with a copy of it instead.`
  return new AppError('sandbox_start_failed', message)
}

import type { RouteBody } from '../../api/contract/route.ts'
import type { createFile } from '../../api/v1/sandbox/files.ts'
import { BOUNDS } from '../../domain/bounds.ts'
import { AppError } from '../../domain/errors.ts'
import type { SandboxHandle } from '../../domain/sandbox-handle.ts'
import { absolutePath, assertMovable, failed, nothingAt, takenBy } from './paths.ts'

const TAKEN = 17
const NOTHING = 2
const NO_FOLDER = 20

/** $1 path, $2 kind. A file is made only where none is, in one step. */
const CREATE = `
if [ -e "$1" ] || [ -L "$1" ]; then exit ${TAKEN}; fi
case $1 in */*) mkdir -p -- "\${1%/*}/" || exit ;; esac
if [ "$2" = directory ]; then mkdir -- "$1"
else (set -C; : >"$1"); fi && exit
if [ -e "$1" ] || [ -L "$1" ]; then exit ${TAKEN}; fi
exit 1`

/** @throws AppError conflict, bad_request in the words of the sandbox */
export async function createEntry(
  sandbox: SandboxHandle,
  { path, kind }: RouteBody<typeof createFile>,
  signal: AbortSignal,
): Promise<{ path: string }> {
  const target = absolutePath(sandbox, path)
  const argv = ['/bin/sh', '-c', CREATE, 'sh', target, kind]
  const { exitCode, stderr } = await sandbox.exec({ argv, cwd: '/', signal })
  if (exitCode === TAKEN) throw takenBy(target)
  if (exitCode !== 0) throw failed(`${target} could not be made`, stderr)
  return { path: target }
}

/**
 * $1 path, $2 new path. Without -T a folder that comes to be at the new path meanwhile would take it in; nothing is
 * overwritten, and what was not moved is still where it was.
 */
const MOVE = `
if ! [ -e "$1" ] && ! [ -L "$1" ]; then exit ${NOTHING}; fi
if [ -e "$2" ] || [ -L "$2" ]; then exit ${TAKEN}; fi
if ! [ -d "\${2%/*}/" ]; then exit ${NO_FOLDER}; fi
mv -nT -- "$1" "$2" 2>/dev/null && ! [ -e "$1" ] && ! [ -L "$1" ] && exit 0
if [ -e "$2" ] || [ -L "$2" ]; then exit ${TAKEN}; fi
mv -n -- "$1" "$2"`

/** @throws AppError file_not_found, conflict, bad_request */
export async function moveEntry(
  sandbox: SandboxHandle,
  { path, to }: { path: string; to: string },
  signal: AbortSignal,
): Promise<{ path: string }> {
  const [from, target] = [absolutePath(sandbox, path), absolutePath(sandbox, to)]
  assertMovable(sandbox, from)
  if (target.startsWith(`${from}/`)) {
    throw new AppError('bad_request', `${from} cannot be moved into itself. Choose another folder.`)
  }
  const argv = ['/bin/sh', '-c', MOVE, 'sh', from, target]
  const limitMs = BOUNDS.sandboxLongCommand.limit
  const { exitCode, stderr } = await sandbox.exec({ argv, cwd: '/', limitMs, signal })
  if (exitCode === NOTHING) throw nothingAt(from)
  if (exitCode === TAKEN) throw takenBy(target)
  if (exitCode === NO_FOLDER) throw new AppError('bad_request', `The folder of ${target} is not there. Make it first.`)
  if (exitCode !== 0) throw failed(`${from} could not be moved`, stderr)
  return { path: target }
}

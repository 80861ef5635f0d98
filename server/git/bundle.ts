import { BOUNDS } from '../domain/bounds.ts'
import { AppError } from '../domain/errors.ts'
import type { SandboxHandle } from '../domain/sandbox-handle.ts'
import { notRepository, START } from './changes.ts'

/**
 * Prints the folder in which the bundle lies. HEAD is in it, and the branch where one is checked out; it starts from what
 * was copied of a folder or where HEAD left the remote's default branch, also after a push, otherwise it is everything.
 */
const WRITE = `${START}
git rev-parse --git-dir >/dev/null 2>&1 || exit 9
git rev-parse -q --verify HEAD >/dev/null || exit 8
from=$(start || git merge-base HEAD refs/remotes/origin/HEAD 2>/dev/null) || from=
[ "$(git rev-list --count -n 1 HEAD \${from:+"^$from"})" != 0 ] || exit 8
branch=$(git symbolic-ref -q HEAD) || branch=
folder=$(mktemp -d) || exit 1
git bundle create -q "$folder/bundle" HEAD \${branch:+"$branch"} \${from:+"^$from"} ||
{ rm -rf "$folder"; exit 7; }
printf '%s' "$folder"`

const NO_COMMITS = 8
const NO_REPOSITORY = 9

export interface Bundle {
  /** In the sandbox; whoever asked for it removes it. */
  folder: string
  bundle: string
}

/**
 * Writes the commits since the work began into one file that git fetches from (gitformat-bundle).
 * @throws AppError not_a_repository, conflict when there is none, git_refused with git's own words
 */
export async function writeBundle(sandbox: SandboxHandle, signal: AbortSignal): Promise<Bundle> {
  const argv = ['/bin/sh', '-c', WRITE]
  const limitMs = BOUNDS.sandboxLongCommand.limit
  const { exitCode, stdout, stderr } = await sandbox.exec({ argv, cwd: sandbox.workingDir, limitMs, signal })
  if (exitCode === NO_REPOSITORY) throw notRepository()
  if (exitCode === NO_COMMITS) {
    throw new AppError(
      'conflict',
      'There is no commit to save: none was made since the work began, or the default branch has it. Commit first, or save a patch.',
    )
  }
  if (exitCode === 0 && stdout) return { folder: stdout, bundle: `${stdout}/bundle` }
  throw new AppError('git_refused', `Git could not make the bundle: ${stderr.trim().slice(0, 500)}`)
}

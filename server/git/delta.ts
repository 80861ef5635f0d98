import { BOUNDS } from '../domain/bounds.ts'
import { AppError } from '../domain/errors.ts'
import type { SandboxHandle } from '../domain/sandbox-handle.ts'
import { BASE, notRepository } from './changes.ts'

/**
 * Writes what differs from a commit, new files included, as one patch. The repository itself stays as it is: index and
 * objects are others for this; the index keeps its time, by which git knows what it has to look at. Arguments: the commit or nothing, then which files. Prints the folder of the patch and the
 * name of what it was compared with.
 */
const DELTA = `BEGAN=
${BASE}
git rev-parse --git-dir >/dev/null 2>&1 || exit 9
given=$1
shift
if [ -n "$given" ]; then from=$(git rev-parse -q --verify "$given^{commit}") || exit 8; else from=$(base); fi
folder=$(mktemp -d) || exit 1
cp -p "$(git rev-parse --git-path index)" "$folder/index" 2>/dev/null
mkdir "$folder/objects"
GIT_ALTERNATE_OBJECT_DIRECTORIES=$(cd "$(git rev-parse --git-path objects)" && pwd)
GIT_OBJECT_DIRECTORY=$folder/objects
GIT_INDEX_FILE=$folder/index
export GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_OBJECT_DIRECTORY GIT_INDEX_FILE
if git add -A -- "$@" && git -c diff.noprefix=false -c diff.mnemonicPrefix=false diff --cached --binary --full-index --no-ext-diff --no-textconv --no-color -U3 --submodule=short "$from" -- "$@" >"$folder/patch"
then printf '%s\\n%s\\n' "$folder" "$from"
else rm -rf "$folder"; exit 7
fi`

const NO_COMMIT = 8
const NO_REPOSITORY = 9

export interface Delta {
  /** In the sandbox; whoever asked for it removes it. */
  folder: string
  patch: string
  /** The commit or tree that it starts from. */
  base: string
}

/** @throws AppError not_a_repository, bad_request for a commit that is not there or patterns that git does not understand */
export async function writeDelta(
  sandbox: SandboxHandle,
  folder: string,
  options: { base: string | null; excluded: readonly string[]; signal: AbortSignal },
): Promise<Delta> {
  const { base, excluded, signal } = options
  if (base?.startsWith('-')) throw noCommit()
  const files = ['.', ...excluded.flatMap(pathspecs)]
  const argv = ['/bin/sh', '-c', DELTA, 'sh', base ?? '', ...files]
  const { exitCode, stdout, stderr } = await sandbox.exec({
    argv,
    cwd: folder,
    limitMs: BOUNDS.sandboxLongCommand.limit,
    signal,
  })
  if (exitCode === NO_REPOSITORY) throw notRepository()
  if (exitCode === NO_COMMIT) throw noCommit()
  const [made = '', from = ''] = stdout.split('\n')
  if (exitCode === 0 && made) return { folder: made, patch: `${made}/patch`, base: from }
  throw new AppError('bad_request', `Git could not make the patch: ${stderr.trim().slice(0, 500)}`)
}

function noCommit(): AppError {
  return new AppError('bad_request', 'The repository has no such commit. Leave out base_ref for where it began.')
}

/** A name without a slash means one in any folder, and everything in it. */
function pathspecs(pattern: string): string[] {
  const place = pattern.includes('/') ? pattern : `**/${pattern}`
  return [`:(exclude,glob)${place}`, `:(exclude,glob)${place}/**`]
}

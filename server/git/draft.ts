import { AppError } from '../domain/errors.ts'
import type { SandboxHandle } from '../domain/sandbox-handle.ts'
import { notRepository } from './changes.ts'
import type { CommitRequest } from './commit.ts'

/** What a message is written from. */
export interface DraftMaterial {
  /** Subjects of the last commits, or for a pull request the messages of its own. */
  log: string
  /** Files and counts of lines. */
  summary: string
  /** The beginning of the patch. */
  patch: string
  /** The repository's own form for the description of a pull request. */
  template: string
}

const NO_REPOSITORY = 9

/** Prints four parts, each ended by NUL. Needs `$from` and, but for the index, `$to`. */
const PRINT = `
part() { head -c "$1" | tr -d '\\000'; printf '\\0'; }
differ() { git diff --no-ext-diff --no-textconv --no-color "$@"; }
git log $log | part 8000
differ --stat=120 --stat-count=200 $range | part 8000
differ $range | part 24000
for file in .github/PULL_REQUEST_TEMPLATE.md .github/pull_request_template.md docs/pull_request_template.md PULL_REQUEST_TEMPLATE.md pull_request_template.md .gitlab/merge_request_templates/Default.md; do
  if [ -f "$file" ]; then cat <"$file"; break; fi
done | part 4000`

/** $1 all, staged or paths, which come in as for a commit. The index and the objects are others for this. */
const OF_COMMIT = `
root=$(git rev-parse --show-toplevel) || exit 9
cd -- "$root" || exit 1
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cp -p "$(git rev-parse --git-path index)" "$folder/index" 2>/dev/null
mkdir "$folder/objects"
GIT_ALTERNATE_OBJECT_DIRECTORIES=$(cd "$(git rev-parse --git-path objects)" && pwd)
GIT_OBJECT_DIRECTORY=$folder/objects GIT_INDEX_FILE=$folder/index
export GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_OBJECT_DIRECTORY GIT_INDEX_FILE
case $1 in
  all) git add -A ;;
  paths) git read-tree HEAD 2>/dev/null || git read-tree --empty; git update-index --add --remove -z --stdin ;;
esac >&2 || exit 1
log='-12 --format=%s' range=--cached
${PRINT}`

/** $1 the commit that the branch is compared with. */
const OF_BRANCH = `
root=$(git rev-parse --show-toplevel) || exit 9
cd -- "$root" || exit 1
log="-50 --format=%B%n--- $1..HEAD" range="$1...HEAD"
${PRINT}`

/** @throws AppError not_a_repository, conflict when nothing differs, git_refused */
export function materialOfCommit(
  sandbox: SandboxHandle,
  files: CommitRequest['files'],
  signal: AbortSignal,
): Promise<DraftMaterial> {
  const scope = typeof files === 'string' ? files : 'paths'
  const stdin = typeof files === 'string' ? '' : files.map(path => `${path}\0`).join('')
  return read(sandbox, ['/bin/sh', '-c', OF_COMMIT, 'sh', scope], { stdin, signal })
}

/** @param base a commit's name @throws AppError as `materialOfCommit` */
export function materialOfBranch(sandbox: SandboxHandle, base: string, signal: AbortSignal): Promise<DraftMaterial> {
  return read(sandbox, ['/bin/sh', '-c', OF_BRANCH, 'sh', base], { stdin: '', signal })
}

async function read(
  sandbox: SandboxHandle,
  argv: string[],
  { stdin, signal }: { stdin: string; signal: AbortSignal },
): Promise<DraftMaterial> {
  const { exitCode, stdout, stderr } = await sandbox.exec({ argv, stdin, cwd: sandbox.workingDir, signal })
  if (exitCode === NO_REPOSITORY) throw notRepository()
  const [log = '', summary = '', patch = '', template = ''] = stdout.split('\0')
  if (exitCode !== 0)
    throw new AppError('git_refused', `Git could not tell what differs: ${stderr.trim().slice(0, 500)}`)
  if (summary.trim() === '') {
    throw new AppError('conflict', 'Nothing differs, so there is nothing to write about. Change a file first.')
  }
  return { log, summary, patch, template }
}

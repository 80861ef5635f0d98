import { BOUNDS } from '../domain/bounds.ts'
import { AppError } from '../domain/errors.ts'
import type { SandboxHandle } from '../domain/sandbox-handle.ts'
import { type CommitIdentity, checkBranch } from './repository.ts'
import { endOfOutput } from './said.ts'

export interface CommitRequest {
  /** null keeps that of the commit that is amended. */
  message: string | null
  /** Every change, the index as it is, or files of the repository as they are now. */
  files: 'all' | 'staged' | readonly string[]
  amend: boolean
  newBranch: string | null
  identity: CommitIdentity
}

/**
 * $1 message or nothing, $2 all, staged or paths, $3 `--amend` or nothing, $4 a new branch or nothing, which is gone again without a
 * commit, as is what was put into the index for it; paths come in, each ended by NUL. Prints the commit, the branch, and how many files the commit changes.
 */
const COMMIT = `
root=$(git rev-parse --show-toplevel) && cd -- "$root" || exit 1
message=$1 scope=$2 amend=$3 branch=$4 list=
start=$(git rev-parse -q --verify HEAD) || start=
before=$(git symbolic-ref -q HEAD) || before=
if [ "$scope" = paths ] && [ -e "$(git rev-parse --git-path MERGE_HEAD)" ]; then exit 13; fi
if [ "$scope" = all ]; then
  marked=$(git diff --name-only --diff-filter=U -z | xargs -0 grep -l -e '^<<<<<<< ' -- 2>/dev/null | head -n 1)
  if [ -n "$marked" ]; then printf '%s\\n' "$marked" >&2; exit 14; fi
fi
index=$(git rev-parse --git-path index)
kept=$(mktemp) || exit 1
trap '[ -z "$list" ] || rm -f "$list" "$list.specs"; rm -f "$kept"' EXIT
if [ -e "$index" ]; then cp -p "$index" "$kept" || exit 1; fi
leave() {
  if [ "$(git rev-parse -q --verify HEAD)" = "$start" ]; then
    if [ -s "$kept" ]; then cp -p "$kept" "$index.kept" && mv -f "$index.kept" "$index"; else rm -f "$index"; fi
  fi
  if [ -n "$branch" ] && [ "$(git rev-parse -q --verify HEAD)" = "$start" ]; then
    if [ -n "$before" ]; then git symbolic-ref HEAD "$before"; else git update-ref --no-deref HEAD "$start"; fi
    git update-ref -d "refs/heads/$branch"
  fi
  exit "$1"
}
if [ -n "$branch" ]; then
  if git rev-parse -q --verify "refs/heads/$branch" >/dev/null; then exit 10; fi
  trap 'leave 12' HUP INT TERM
  git checkout -q -b "$branch" || leave 12
fi
set --
# Each path is literal by itself: the option for all of them would reach the hooks, and the patterns in them.
if [ "$scope" = all ]; then git add -A || leave 12; fi
if [ "$scope" = paths ]; then
  list=$(mktemp) || leave 1
  cat >"$list"
  set -- --only
  if [ -s "$list" ]; then
    git update-index --add --remove -z --stdin <"$list" || leave 12
    xargs -0 printf ':(top,literal)%s\\0' <"$list" >"$list.specs" || leave 1
    set -- --only --pathspec-from-file="$list.specs" --pathspec-file-nul
  fi
fi
if [ -z "$amend" ] && [ -z "$(git ls-files --unmerged | head -n 1)" ]; then
  said=$(git commit --dry-run --porcelain "$@" 2>&1 >/dev/null)
  if [ $? -eq 1 ] && [ -z "$said" ]; then leave 11; fi
fi
if [ -n "$message" ]; then set -- -m "$message" "$@"; else set -- --no-edit "$@"; fi
git -c commit.gpgSign=false commit -q --cleanup=whitespace $amend "$@" >&2 || leave 12
git rev-parse HEAD
git symbolic-ref -q HEAD || echo
git show --format= --name-only --no-renames --first-parent -m HEAD -- | wc -l`

const BRANCH_EXISTS = 10
const NOTHING = 11
const IN_MERGE = 13
const HAS_MARKERS = 14

/**
 * Commits the repository in the sandbox's working directory; its hooks run in the sandbox.
 * @throws AppError bad_request for a branch's name, conflict, git_refused with what git or a hook said
 */
export async function commit(
  sandbox: SandboxHandle,
  { message, files, amend, newBranch, identity }: CommitRequest,
  signal: AbortSignal,
): Promise<{ sha: string; branch: string | null; files: number }> {
  const branch = newBranch ? checkBranch(newBranch) : ''
  const scope = typeof files === 'string' ? files : 'paths'
  const { exitCode, stdout, stderr } = await sandbox.exec({
    argv: ['/bin/sh', '-c', COMMIT, 'sh', message ?? '', scope, amend ? '--amend' : '', branch],
    env: {
      GIT_AUTHOR_NAME: identity.name,
      GIT_AUTHOR_EMAIL: identity.email,
      GIT_COMMITTER_NAME: identity.name,
      GIT_COMMITTER_EMAIL: identity.email,
      GIT_EDITOR: 'true',
    },
    stdin: typeof files === 'string' ? '' : files.map(path => `${path}\0`).join(''),
    cwd: sandbox.workingDir,
    timeoutMs: BOUNDS.sandboxLongCommand.limit,
    isForeign: true,
    signal,
  })
  if (exitCode === BRANCH_EXISTS) {
    throw new AppError('conflict', `There is a branch ${branch} already. Choose another name.`)
  }
  if (exitCode === NOTHING) {
    throw new AppError(
      'conflict',
      'There is nothing to commit: no file differs from the last commit. Change one first.',
    )
  }
  if (exitCode === IN_MERGE) {
    throw new AppError('conflict', 'A merge is not finished, which is committed as a whole. Commit all files.')
  }
  if (exitCode === HAS_MARKERS) {
    const message = `${stderr.trim()} still has the marks of a conflict. Resolve it, or ask the agent to, then commit.`
    throw new AppError('conflict', message)
  }
  const [sha = '', on = '', changed = ''] = stdout.split('\n')
  if (exitCode === 0 && sha)
    return { sha, branch: on.replace(/^refs\/heads\//, '') || null, files: Number(changed) || 0 }
  const said = endOfOutput(stderr) || 'It gave no reason.'
  throw new AppError('git_refused', `Git made no commit. It said: ${said} Put that right, or ask the agent to.`)
}

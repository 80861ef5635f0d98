import type { WorkingFile } from '../api/v1/git/commits.ts'
import { AppError } from '../domain/errors.ts'
import type { SandboxHandle } from '../domain/sandbox-handle.ts'
import { notRepository, START } from './changes.ts'
import { endOfOutput } from './said.ts'

const MAX_FILES = 1000
const MAX_BYTES = 2 ** 20
const NO_REPOSITORY = 9

/**
 * Fields, each ended by NUL, in the order of `RepositoryFacts`. Names are whole: git's short ones begin with `heads/` where
 * a tag or a file has the name too.
 */
const FACTS = `${START}
git rev-parse --git-dir >/dev/null 2>&1 || exit 9
branch=$(git symbolic-ref -q HEAD) || branch=
branch=\${branch#refs/heads/}
head=$(git rev-parse -q --verify HEAD) || head=
remote=
if [ -n "$branch" ]; then remote=$(git config --get "branch.$branch.remote") || remote=; fi
if [ -z "$remote" ] || [ "$remote" = . ]; then remote=origin; fi
url=$(git config --get "remote.$remote.url") || url=
tracked=refs/remotes/$remote/$branch upstream= ahead=0 behind=0
if [ -n "$head" ] && [ -n "$branch" ] && git rev-parse -q --verify "$tracked^{commit}" >/dev/null; then
  upstream=$remote/$branch
  ahead=$(git rev-list --count "$tracked..HEAD")
  behind=$(git rev-list --count "HEAD..$tracked")
elif [ -n "$head" ]; then ahead=$(git rev-list --count HEAD --not --remotes)
fi
default=$(git symbolic-ref -q "refs/remotes/$remote/HEAD") || default=
amendable=
if [ -n "$head" ] && [ -z "$(git for-each-ref --count=1 --contains HEAD refs/remotes)" ] &&
  [ "$head" != "$(start)" ]; then amendable=yes; fi
message=
if [ -n "$head" ]; then message=$(git log -1 --format=%B); fi
printf '%s\\0' "$branch" "$head" "$remote" "$url" "$upstream" "\${default#"refs/remotes/$remote/"}" "$ahead" "$behind" "$amendable" "$message"`

export interface RepositoryFacts {
  /** null when none is checked out. */
  branch: string | null
  /** The last commit; null before the first one. */
  head: string | null
  /** Name of the remote of the branch, or origin. */
  remote: string
  /** Its address; null when there is no such remote. */
  url: string | null
  upstream: string | null
  defaultBranch: string | null
  ahead: number
  behind: number
  /** No remote has the last commit, and it is none that the conversation began with. */
  amendable: boolean
  message: string | null
}

/** @throws AppError not_a_repository */
export async function readFacts(sandbox: SandboxHandle, signal: AbortSignal): Promise<RepositoryFacts> {
  const argv = ['/bin/sh', '-c', FACTS]
  const { exitCode, stdout } = await sandbox.exec({ argv, cwd: sandbox.workingDir, maxBytes: MAX_BYTES, signal })
  if (exitCode === NO_REPOSITORY || exitCode === 126 || exitCode === 127) throw notRepository()
  const [branch, head, remote, url, upstream, defaultBranch, ahead, behind, amendable, message] = stdout.split('\0')
  return {
    branch: branch || null,
    head: head || null,
    remote: remote || 'origin',
    url: url || null,
    upstream: upstream || null,
    defaultBranch: defaultBranch || null,
    ahead: Number(ahead) || 0,
    behind: Number(behind) || 0,
    amendable: amendable === 'yes',
    message: head ? (message ?? '').trimEnd() : null,
  }
}

/** Files that are not committed, by path. A renamed file is one that is gone and one that is new. */
export async function readWorkingFiles(
  sandbox: SandboxHandle,
  signal: AbortSignal,
): Promise<{ files: WorkingFile[]; more: boolean }> {
  const argv = ['git', 'status', '--porcelain=v2', '-z', '--untracked-files=all', '--no-renames']
  const env = { GIT_OPTIONAL_LOCKS: '0' }
  const { exitCode, stdout, stderr } = await sandbox.exec({
    argv,
    env,
    cwd: sandbox.workingDir,
    maxBytes: MAX_BYTES,
    signal,
  })
  // Where there is no repository, readFacts says so.
  if (exitCode !== 0 && /not a git repository/.test(stderr)) throw notRepository()
  if (exitCode !== 0) {
    throw new AppError('git_refused', `Git does not read this repository. It said: ${endOfOutput(stderr)}`)
  }
  // A list that was too long ends within an entry, which is left out.
  const entries = stdout.slice(0, stdout.lastIndexOf('\0') + 1).split('\0')
  const files = entries.flatMap(parseEntry).sort((a, b) => (a.path < b.path ? -1 : 1))
  return { files: files.slice(0, MAX_FILES), more: files.length > MAX_FILES || Buffer.byteLength(stdout) >= MAX_BYTES }
}

/** An entry of the format that git-status(1) calls porcelain version 2. */
function parseEntry(entry: string): WorkingFile[] {
  if (entry.startsWith('? ')) return [{ path: entry.slice(2), staged: null, unstaged: 'ADDED' }]
  const [, kind, index = '.', tree = '.', rest = ''] = /^([1u]) (.)(.) (.*)$/s.exec(entry) ?? []
  if (kind === '1') return [{ path: afterFields(rest, 6), staged: stateOf(index), unstaged: stateOf(tree) }]
  if (kind === 'u') return [{ path: afterFields(rest, 8), staged: null, unstaged: 'CONFLICT' }]
  return []
}

function afterFields(text: string, count: number): string {
  return text.split(' ').slice(count).join(' ')
}

function stateOf(letter: string): WorkingFile['staged'] {
  if (letter === '.') return null
  if (letter === 'A') return 'ADDED'
  return letter === 'D' ? 'DELETED' : 'UPDATED'
}

import { posix } from 'node:path'
import type { GitChange } from '../api/v1/conversation/git-changes.ts'
import { MIB } from '../domain/bounds/bound.ts'
import { BOUNDS } from '../domain/bounds.ts'
import { AppError } from '../domain/errors.ts'
import type { SandboxHandle } from '../domain/sandbox-handle.ts'

export interface FileChange {
  status: 'M' | 'A' | 'D' | 'U'
  /** Relative to the folder that was asked about. */
  path: string
}

/** As agent servers say it. A renamed file is one that is gone and one that is new. */
export function toGitChange({ status, path }: FileChange): GitChange {
  return { status: STATUS_WORDS[status], path }
}

const STATUS_WORDS: Record<FileChange['status'], GitChange['status']> = {
  A: 'ADDED',
  D: 'DELETED',
  M: 'UPDATED',
  U: 'UPDATED',
}

const MAX_FILE_BYTES = 2 ** 20
const MAX_LIST_BYTES = MIB

/** Variable of a sandbox with the last commit of the folder that is mounted in it, when it was made. */
export const START_VARIABLE = 'ATELIER_START'

/** What was copied of a folder, or the last commit of one that is mounted. */
export const START = `
start() {
  git rev-parse -q --verify 'refs/atelier/start^{commit}' ||
    { [ -n "$${START_VARIABLE}" ] && git rev-parse -q --verify "$${START_VARIABLE}^{commit}"; }
}`

/**
 * What a repository is compared with: what was copied of a folder, the branch on its remote, where it left the remote's
 * default branch, that branch, its last commit before `$BEGAN`, or nothing at all. Prints one object name.
 */
export const BASE = `
${START}
base() {
  if start; then return; fi
  branch=$(git symbolic-ref -q HEAD) || branch=
  branch=\${branch#refs/heads/}
  default=$(git symbolic-ref -q refs/remotes/origin/HEAD) || default=
  if [ -n "$branch" ] && git rev-parse -q --verify "refs/remotes/origin/$branch^{commit}"; then return; fi
  if [ -n "$default" ] && git merge-base HEAD "$default" 2>/dev/null; then return; fi
  if [ -n "$default" ] && git rev-parse -q --verify "$default^{commit}"; then return; fi
  began=
  if [ -n "$BEGAN" ]; then began=$(git rev-list -1 --before="$BEGAN" HEAD -- 2>/dev/null) || began=; fi
  if [ -n "$began" ]; then echo "$began"; return; fi
  git hash-object -t tree /dev/null
}
`

/** The commit that is given, or the base. HEAD of a repository without commits is nothing. */
const SINCE = `${BASE}
since() {
  if [ -z "$1" ]; then base; return; fi
  if git rev-parse -q --verify "$1^{commit}"; then return; fi
  if [ "$1" = HEAD ] && ! git rev-parse -q --verify HEAD >/dev/null; then git hash-object -t tree /dev/null; return; fi
  return 8
}
`
const NO_COMMIT = 8

/**
 * For each repository that has the given commit: its folder, its changes, then its new files. A field ends with NUL, a
 * list with an empty field.
 */
const CHANGES = `${SINCE}
lacking=0
for folder in . */; do
  folder=\${folder%/}
  [ -e "$folder/.git" ] || continue
  (
    cd -- "$folder" || exit
    since=$(since "$1") || exit
    printf '%s\\0' "$folder"
    git -c core.quotePath=false diff --no-ext-diff --no-renames --name-status -z "$since" -- 2>/dev/null
    printf '\\0'
    git ls-files --others --exclude-standard -z
    printf '\\0'
  ) || lacking=8
done
exit $lacking`

/** What is compared with: a commit, else the base. `began` is when the work began, for a repository without a remote. */
export interface Since {
  ref?: string | null | undefined
  began?: Date | undefined
}

/**
 * The changes of the repository in `folder` and of those directly under it, by path and at most 10,000. A renamed file is
 * one that is gone and one that is new.
 * @throws AppError not_a_repository, bad_request when none has that commit
 */
export async function listChanges(
  sandbox: SandboxHandle,
  folder: string,
  signal: AbortSignal,
  since: Since = {},
): Promise<FileChange[]> {
  const ref = since.ref ?? ''
  refuseOptions(ref)
  const argv = shell(withBegan(CHANGES, since), ref)
  const result = await sandbox.exec({ argv, cwd: folder, maxBytes: MAX_LIST_BYTES, signal })
  const repositories = parseRepositories(result.stdout)
  if (repositories.length === 0) throw result.exitCode === NO_COMMIT ? noCommit(ref) : notRepository()
  const changes = repositories.flatMap(({ folder: name, changes }) =>
    changes.map(change => ({ ...change, path: name === '.' ? change.path : `${name}/${change.path}` })),
  )
  // A repository inside another one is a new file of the outer one.
  const inner = new Set(repositories.map(({ folder: name }) => `${name}/`))
  return changes
    .filter(({ path }) => !inner.has(path))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
    .slice(0, BOUNDS.repositoryChanges.limit)
}

/** A list that was too long ends within a path, which is left out. */
function parseRepositories(output: string): { folder: string; changes: FileChange[] }[] {
  const fields = output.slice(0, output.lastIndexOf('\0') + 1).split('\0')
  const repositories: { folder: string; changes: FileChange[] }[] = []
  for (let at = 0; at < fields.length - 1; ) {
    const repository = { folder: fields[at++] ?? '', changes: [] as FileChange[] }
    for (; fields[at] && fields[at + 1]; at += 2) {
      repository.changes.push({ status: statusOf(fields[at] ?? ''), path: fields[at + 1] ?? '' })
    }
    at++
    for (; fields[at]; at++) repository.changes.push({ status: 'A', path: fields[at] ?? '' })
    at++
    repositories.push(repository)
  }
  return repositories
}

function statusOf(letter: string): FileChange['status'] {
  return letter === 'A' || letter === 'D' || letter === 'U' ? letter : 'M'
}

/** A file of a commit: its path, the greatest size, the commit or nothing, and whether its parent is meant. */
const FILE_AT = `${SINCE}
folder=$(dirname -- "$1")
while [ ! -d "$folder" ]; do folder=$(dirname -- "$folder"); done
cd -- "$folder" || exit 3
file=\${1#"\${folder%/}/"}
git rev-parse --git-dir >/dev/null 2>&1 || exit 3
commit=$(since "$3") || exit 8
if [ -n "$4" ]; then commit=$(git rev-parse -q --verify "$commit^") || exit 4; fi
git cat-file -e "$commit:./$file" 2>/dev/null || exit 4
[ "$(git cat-file -s "$commit:./$file")" -le "$2" ] || exit 5
git cat-file blob "$commit:./$file"`

/** At most one of the two: a file as it was at `ref` and is now, or as `commit` found and left it. */
export interface Compared extends Since {
  commit?: string | null | undefined
}

/** A file as it was and as it is: empty where there was or is none, null for what is not text. */
export interface FileDiff {
  original: string | null
  modified: string | null
}

/**
 * @throws AppError not_a_repository, file_not_found (the folder), file_too_large, bad_request for an unknown commit
 */
export async function diffFile(
  sandbox: SandboxHandle,
  folder: string,
  path: string,
  signal: AbortSignal,
  { ref, commit, began }: Compared = {},
): Promise<FileDiff> {
  const file = posix.resolve(folder, path)
  const at = (rev: string, parent: 'parent' | '') => fileAt(sandbox, { file, folder, rev, parent, began, signal })
  if (commit) return { original: await at(commit, 'parent'), modified: await at(commit, '') }
  return { original: await at(ref ?? '', ''), modified: await presentFile(sandbox, file) }
}

async function fileAt(
  sandbox: SandboxHandle,
  asked: {
    file: string
    folder: string
    rev: string
    parent: 'parent' | ''
    began: Date | undefined
    signal: AbortSignal
  },
): Promise<string | null> {
  const { file, folder, rev, parent, began, signal } = asked
  refuseOptions(rev)
  const argv = shell(withBegan(FILE_AT, { began }), file, String(MAX_FILE_BYTES), rev, parent)
  const result = await sandbox.exec({ argv, cwd: '/', maxBytes: MAX_FILE_BYTES, signal })
  if (result.exitCode === 3 && !(await sandbox.stat(folder))) {
    throw new AppError('file_not_found', `The folder ${folder} does not exist in the sandbox. Name one that does.`)
  }
  if (result.exitCode === 3) throw notRepository()
  if (result.exitCode === 5) throw tooLarge(file)
  if (result.exitCode === NO_COMMIT) throw noCommit(rev)
  if (result.exitCode !== 0) return ''
  return result.stdout.includes('\0') ? null : result.stdout
}

async function presentFile(sandbox: SandboxHandle, file: string): Promise<string | null> {
  const there = await sandbox.stat(file)
  if (!there) return ''
  if (there.kind !== 'file') throw new AppError('bad_request', `${file} is not a file. Name a file.`)
  if (there.sizeBytes > MAX_FILE_BYTES) throw tooLarge(file)
  const content = await sandbox.readFile(file)
  return content.includes(0) ? null : content.toString()
}

/** A commit knows only its second: one made in that of `began` belongs to the work that began then. */
export function withBegan(script: string, { began }: Since): string {
  const before = began && new Date(began.getTime() - 1000)
  return `BEGAN=${before ? `${before.toISOString().slice(0, 19)}Z` : ''}\n${script}`
}

function shell(script: string, ...args: string[]): string[] {
  return ['/bin/sh', '-c', script, 'sh', ...args]
}

function refuseOptions(ref: string): void {
  if (ref.startsWith('-')) throw noCommit(ref)
}

function noCommit(ref: string): AppError {
  return new AppError('bad_request', `The repository has no commit ${ref}. Name a commit, branch or tag that it has.`)
}

export function notRepository(): AppError {
  return new AppError('not_a_repository', 'Not a git repository')
}

export function tooLarge(path: string): AppError {
  return new AppError('file_too_large', `${path} is larger than 1 MiB. Look at it with a command.`)
}

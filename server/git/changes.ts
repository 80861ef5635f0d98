import { posix } from 'node:path'
import type { GitChange } from '../api/git-changes.ts'
import { AppError } from '../errors.ts'
import type { SandboxHandle } from '../sandbox/handle.ts'

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
const MAX_LIST_BYTES = 8 * 2 ** 20

/**
 * What a repository is compared with: the branch on its remote, where it left the remote's default branch, that branch,
 * or nothing at all. Prints one object name.
 */
export const BASE = `
base() {
  branch=$(git symbolic-ref -q --short HEAD) || branch=
  default=$(git symbolic-ref -q refs/remotes/origin/HEAD) || default=
  if [ -n "$branch" ] && git rev-parse -q --verify "refs/remotes/origin/$branch^{commit}"; then return; fi
  if [ -n "$default" ] && git merge-base HEAD "$default" 2>/dev/null; then return; fi
  if [ -n "$default" ] && git rev-parse -q --verify "$default^{commit}"; then return; fi
  git hash-object -t tree /dev/null
}
`

/** For each repository: its folder, its changes, then its new files. A field ends with NUL, a list with an empty field. */
const CHANGES = `${BASE}
for folder in . */; do
  folder=\${folder%/}
  [ -e "$folder/.git" ] || continue
  (
    cd -- "$folder" || exit
    printf '%s\\0' "$folder"
    git -c core.quotePath=false diff --no-ext-diff --no-renames --name-status -z "$(base)" -- 2>/dev/null
    printf '\\0'
    git ls-files --others --exclude-standard -z
    printf '\\0'
  )
done`

/**
 * The changes of the repository in `folder` and of those directly under it, by path. A renamed file is one that is gone
 * and one that is new. @throws AppError not_a_repository
 */
export async function listChanges(sandbox: SandboxHandle, folder: string, signal: AbortSignal): Promise<FileChange[]> {
  const result = await sandbox.exec({ argv: shell(CHANGES), cwd: folder, maxBytes: MAX_LIST_BYTES, signal })
  const repositories = parseRepositories(result.stdout)
  if (repositories.length === 0) throw notRepository()
  const changes = repositories.flatMap(({ folder: name, changes }) =>
    changes.map(change => ({ ...change, path: name === '.' ? change.path : `${name}/${change.path}` })),
  )
  // A repository inside another one is a new file of the outer one.
  const inner = new Set(repositories.map(({ folder: name }) => `${name}/`))
  return changes.filter(({ path }) => !inner.has(path)).sort((a, b) => (a.path < b.path ? -1 : 1))
}

function parseRepositories(output: string): { folder: string; changes: FileChange[] }[] {
  const fields = output.split('\0')
  const repositories: { folder: string; changes: FileChange[] }[] = []
  for (let at = 0; at < fields.length - 1; ) {
    const repository = { folder: fields[at++] ?? '', changes: [] as FileChange[] }
    for (; fields[at]; at += 2) {
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

const ORIGINAL = `${BASE}
file=$(basename -- "$1")
cd -- "$(dirname -- "$1")" 2>/dev/null || exit 3
git rev-parse --git-dir >/dev/null 2>&1 || exit 3
git cat-file -e "$(base):./$file" 2>/dev/null || exit 4
[ "$(git cat-file -s "$(base):./$file")" -le "$2" ] || exit 5
git cat-file blob "$(base):./$file"`

/** A file as it was and as it is; empty where there was or is none. @throws AppError not_a_repository, file_too_large */
export async function diffFile(
  sandbox: SandboxHandle,
  folder: string,
  path: string,
  signal: AbortSignal,
): Promise<{ original: string; modified: string }> {
  const file = posix.resolve(folder, path)
  const argv = [...shell(ORIGINAL), 'sh', file, String(MAX_FILE_BYTES)]
  const result = await sandbox.exec({ argv, cwd: folder, maxBytes: MAX_FILE_BYTES, signal })
  if (result.exitCode === 3) throw notRepository()
  if (result.exitCode === 5) throw tooLarge(path)
  const there = await sandbox.stat(file)
  if (there && there.kind !== 'file') throw new AppError('bad_request', `${path} is not a file. Name a file.`)
  if (there && there.sizeBytes > MAX_FILE_BYTES) throw tooLarge(path)
  const modified = there ? (await sandbox.readFile(file)).toString() : ''
  return { original: result.exitCode === 0 ? result.stdout : '', modified }
}

function shell(script: string): string[] {
  return ['/bin/sh', '-c', script]
}

export function notRepository(): AppError {
  return new AppError('not_a_repository', 'Not a git repository')
}

function tooLarge(path: string): AppError {
  return new AppError('file_too_large', `${path} is larger than 1 MiB. Look at it with a command.`)
}

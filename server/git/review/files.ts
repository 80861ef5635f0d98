import type { ReviewFile, ReviewFiles } from '../../api/v1/conversation/review.ts'
import { MIB } from '../../domain/bounds/bound.ts'
import { BOUNDS } from '../../domain/bounds.ts'
import type { SandboxHandle } from '../../domain/sandbox-handle.ts'
import { shownFileName } from '../../text/file-names.ts'
import { notRepository } from '../changes.ts'
import { type ChosenBase, NO_BASE, noBase, withChosen } from './bases.ts'

/**
 * For each repository that has the base: its folder, then git's raw lines and its counts. A field ends with NUL, a list with
 * an empty field. New files are added to another index, so that they can be moved ones; it keeps its time, by which git
 * knows what it has to look at.
 */
const FILES = `
compare() {
  git -c core.bigFileThreshold=5m -c core.quotePath=false diff --no-ext-diff --no-textconv --raw --numstat -z -M -l400 --abbrev=7 "$@" -- 2>/dev/null
}
lacking=0
for folder in . */; do
  folder=\${folder%/}
  if [ -n "$GIT_DIR" ]; then [ "$folder" = . ] || continue; else [ -e "$folder/.git" ] || continue; fi
  (
    cd -- "$folder" && git rev-parse --git-dir >/dev/null 2>&1 || exit 0
    from=$(chosen "$1" "$2") || exit
    printf '%s\\0' "$folder"
    if [ "$1" = staged ]; then compare --cached "$from"
    else
      index=$(mktemp) || exit
      cp -p -- "$(git rev-parse --git-path index)" "$index" 2>/dev/null || rm -f -- "$index"
      export GIT_INDEX_FILE="$index"
      git -c advice.addEmbeddedRepo=false add -N --no-all --ignore-errors -- . >/dev/null 2>&1
      compare \${from:+"$from"}
      rm -f -- "$index" "$index.lock"
    fi
    printf '\\0'
  ) || lacking=${NO_BASE}
done
exit $lacking`

const MAX_LIST_BYTES = 4 * MIB

/**
 * What differs from the base in the repository in `folder` and in those directly under it, by path.
 * @throws AppError not_a_repository, bad_request when none has the base
 */
export async function listReviewed(
  sandbox: SandboxHandle,
  folder: string,
  chosen: ChosenBase,
  signal: AbortSignal,
): Promise<Omit<ReviewFiles, 'version'>> {
  const argv = withChosen(FILES, chosen)
  const cwd = chosen.kept?.workingDir ?? folder
  const { stdout, exitCode } = await sandbox.exec({ argv, cwd, maxBytes: MAX_LIST_BYTES, encoding: 'latin1', signal })
  const repositories = parseRepositories(stdout)
  if (repositories.length === 0) throw exitCode === NO_BASE ? noBase(chosen) : notRepository()
  // A repository inside another one is a new file of the outer one.
  const inner = new Set(repositories.map(({ name }) => name))
  const files = repositories
    .flatMap(({ name, files }) =>
      name === '.' ? files.filter(file => !(file.status === 'ADDED' && inner.has(file.path))) : files.map(under(name)),
    )
    .sort((a, b) => (a.path < b.path ? -1 : 1))
  const { limit } = BOUNDS.repositoryChanges
  return { files: files.slice(0, limit), complete: isWhole(stdout, MAX_LIST_BYTES) && files.length <= limit }
}

/** Whether an output was not cut at so many bytes: a cut may fall within a character, of up to four. */
export function isWhole(output: string, maxBytes: number): boolean {
  return output.length < maxBytes - 4
}

function under(name: string): (file: ReviewFile) => ReviewFile {
  return file => ({
    ...file,
    path: `${name}/${file.path}`,
    old_path: file.old_path === null ? null : `${name}/${file.old_path}`,
  })
}

/** Of one character for each byte. A list that was too long ends within a field, which is left out. */
function parseRepositories(output: string): { name: string; files: ReviewFile[] }[] {
  const fields = output.slice(0, output.lastIndexOf('\0') + 1).split('\0')
  const repositories: { name: string; files: ReviewFile[] }[] = []
  for (let at = 0; at < fields.length - 1; at++) {
    const name = fields[at++] ?? ''
    const files = new Map<string, ReviewFile>()
    while (fields[at]?.startsWith(':')) {
      const [oldMode = '', newMode = '', , , letter = ''] = fields[at++]?.slice(1).split(' ') ?? []
      const oldPath = letter.startsWith('R') ? (fields[at++] ?? '') : null
      const path = fields[at++]
      if (path) files.set(path, changed({ path, old_path: oldPath, letter, oldMode, newMode }))
    }
    while (fields[at]) {
      const [additions = '', deletions = '', ...rest] = (fields[at++] ?? '').split('\t')
      // A moved file has both of its paths in fields of their own.
      const isMoved = rest.join('') === ''
      if (isMoved) at += 2
      count(files.get(isMoved ? (fields[at - 1] ?? '') : rest.join('\t')), additions, deletions)
    }
    repositories.push({ name: shownFileName(name), files: [...files.values()].map(withShownNames) })
  }
  return repositories
}

function withShownNames(file: ReviewFile): ReviewFile {
  const { path, old_path } = file
  return { ...file, path: shownFileName(path), old_path: old_path === null ? null : shownFileName(old_path) }
}

function changed(raw: {
  path: string
  old_path: string | null
  letter: string
  oldMode: string
  newMode: string
}): ReviewFile {
  const { path, old_path, letter, oldMode, newMode } = raw
  return {
    path,
    old_path,
    status: STATUS[letter.charAt(0)] ?? 'UPDATED',
    additions: null,
    deletions: null,
    binary: false,
    submodule: oldMode === SUBMODULE || newMode === SUBMODULE,
    old_mode: oldMode === NO_FILE ? null : oldMode,
    new_mode: newMode === NO_FILE ? null : newMode,
  }
}

const SUBMODULE = '160000'
const NO_FILE = '000000'
const STATUS: Readonly<Record<string, ReviewFile['status']>> = { A: 'ADDED', D: 'DELETED', R: 'MOVED' }

function count(file: ReviewFile | undefined, additions: string, deletions: string): void {
  if (!file || file.submodule) return
  file.binary = additions === '-'
  if (file.binary) return
  file.additions = Number(additions)
  file.deletions = Number(deletions)
}

import { posix } from 'node:path'
import type { RevertedPath, ReviewContent, ReviewHunk } from '../../api/v1/conversation/review.ts'
import { AppError, isAppError } from '../../domain/errors.ts'
import type { SandboxHandle } from '../../domain/sandbox-handle.ts'
import { printfFileName, shownFileName } from '../../text/file-names.ts'
import { notRepository } from '../changes.ts'
import { besideCheckpoints } from '../checkpoint/script.ts'
import { type ChosenBase, withChosen } from './bases.ts'
import { givenPaths, NAMED, problemOf, type ReviewedPath, readReviewed, SIDES } from './content.ts'
import { replaceMovedLines } from './moved-lines.ts'

export const CHANGED_SINCE = 4
const NO_FILE = 10

const FILES = `
hash() {
  if [ -L "$1" ]; then echo link; elif [ -e "$1" ] && [ ! -f "$1" ]; then echo folder
  elif [ -e "$1" ]; then git hash-object --no-filters -- "$1"; fi
}
mode() { if [ -x "$1" ]; then echo 100755; elif [ -e "$1" ]; then echo 100644; fi; }
put() {
  mkdir -p -- "$(dirname -- "$1")" && cat "$content" >"$1" || exit 7
  case $2 in 100755) chmod +x -- "$1" ;; 100644) if [ -x "$1" ]; then chmod a-x -- "$1"; fi ;; esac
}
content=$(mktemp) || exit 7
trap 'rm -f -- "$content"' EXIT
`

/**
 * $5 is the version that was seen, $6 whether the input is what the file is to hold. What the file holds now is kept as an
 * object of the repository. Prints for each path four fields that end with NUL: path, object and mode that were there, object
 * that is there now.
 */
const REVERT = `${SIDES}${FILES}
[ "$old-$new" = "$5" ] || exit ${CHANGED_SINCE}
case $(hash "$name") in link|folder) exit ${NO_FILE} ;; esac
if [ -n "$from" ]; then was=$(git ls-tree "$from" -- "$before")
else was=$(GIT_LITERAL_PATHSPECS=1 git ls-files -s -- "$before"); fi
was=\${was%% *}
case $was in 120000|160000) exit ${NO_FILE} ;; esac
had=$(mode "$name")
if [ -n "$new" ]; then git hash-object -w --no-filters -- "$name" >/dev/null || exit 7; fi
changed() { printf '%s\\0%s\\0%s\\0%s\\0' "$top/$1" "$2" "$3" "$(hash "$1")"; }
if [ -n "$6" ]; then
  cat >"$content" && put "$name" "$had"
elif [ -z "$old" ]; then
  rm -f -- "$name" || exit 7
else
  if [ "$before" != "$name" ] && [ -n "$(hash "$before")" ]; then exit ${CHANGED_SINCE}; fi
  git cat-file --filters --path="$before" "$old" >"$content" && put "$before" "$was" || exit 7
  if [ "$before" != "$name" ]; then rm -f -- "$name"; changed "$before" '' ''; fi
fi
changed "$name" "$new" "$had"`

/**
 * Fours of a path, as `printfFileName` writes it, what was there, its mode, and what has to be there now. Nothing is written when one differs. What was
 * there is an object of the repository, or of the checkpoints where the file was compared with one.
 */
const undoScript = (conversation: string) => `${NAMED}
left=$#
while [ "$left" -gt 0 ]; do
  path=$(named "$1")
  set -- "$@" "\${path%.}" "$2" "$3" "$4"
  shift 4
  left=$((left - 4))
done
folder=$(dirname -- "$1")
while [ ! -d "$folder" ]; do folder=$(dirname -- "$folder"); done
cd -- "$folder" || exit 3
${besideCheckpoints(conversation)}
git rev-parse --git-dir >/dev/null 2>&1 || exit 3
${FILES}
check() {
  while [ $# -gt 0 ]; do
    [ "$(hash "$1")" = "$4" ] || exit ${CHANGED_SINCE}
    [ -z "$2" ] || git cat-file -e "$2" 2>/dev/null || exit 9
    shift 4
  done
}
check "$@"
while [ $# -gt 0 ]; do
  if [ -z "$2" ]; then rm -f -- "$1" || exit 7
  else git cat-file blob "$2" >"$content" && put "$1" "$3" || exit 7; fi
  shift 4
done`

export interface AskedRevert extends ReviewedPath {
  version: string
  hunk: ReviewHunk | null
}

/** Puts a file, or one hunk of it, back as it was. @throws AppError conflict when it has changed since, bad_request */
export async function revertReviewed(
  sandbox: SandboxHandle,
  asked: AskedRevert,
  chosen: ChosenBase,
  signal: AbortSignal,
): Promise<RevertedPath[]> {
  if (chosen.base === 'staged') {
    const message = 'What is staged cannot be reverted, since that is not in the files. Compare with the last commit.'
    throw new AppError('bad_request', message)
  }
  const content = asked.hunk && (await withoutHunk(sandbox, { ...asked, hunk: asked.hunk }, chosen, signal))
  return writeReviewed(sandbox, asked, { chosen, content }, signal)
}

/** Without content the file is put back as it was. */
async function writeReviewed(
  sandbox: SandboxHandle,
  asked: ReviewedPath & { version: string },
  { chosen, content }: { chosen: ChosenBase; content: Buffer | null },
  signal: AbortSignal,
): Promise<RevertedPath[]> {
  const { file, given } = givenPaths(asked)
  const argv = withChosen(REVERT, chosen, ...given, asked.version, content === null ? '' : 'content')
  const request = { argv, cwd: '/', stdin: content ?? '', encoding: 'latin1' as const, signal }
  const { exitCode, stdout } = await sandbox.exec(request)
  if (exitCode === CHANGED_SINCE) throw changedSince(file)
  if (exitCode === NO_FILE) {
    const message = `${file} is or was a link or a submodule, which is not reverted here. Use a command.`
    throw new AppError('bad_request', message)
  }
  if (exitCode !== 0) throw problemOf(exitCode, file, chosen)
  const fields = stdout.split('\0')
  return Array.from({ length: Math.floor(fields.length / 4) }, (_, index) => {
    const [path = '', object = '', mode = '', now = ''] = fields.slice(index * 4)
    return {
      path: shownFileName(path),
      object: object || null,
      mode: mode === '100755' ? mode : mode ? '100644' : null,
      now: now || null,
    }
  })
}

/** @throws AppError conflict when a file has changed since, file_not_found when what was kept is gone */
export async function undoRevert(
  sandbox: SandboxHandle,
  { conversation, paths }: { conversation: string; paths: readonly RevertedPath[] },
  signal: AbortSignal,
): Promise<void> {
  const fields = paths.flatMap(({ path, object, mode, now }) => [
    printfFileName(posix.resolve(sandbox.workingDir, path)),
    object ?? '',
    mode ?? '',
    now ?? '',
  ])
  const argv = ['/bin/sh', '-c', undoScript(conversation), 'sh', ...fields]
  const { exitCode } = await sandbox.exec({ argv, cwd: '/', signal })
  const first = posix.resolve(sandbox.workingDir, paths[0]?.path ?? '')
  if (exitCode === CHANGED_SINCE) throw changedSince(first)
  if (exitCode === 3) throw notRepository()
  if (exitCode === 9) {
    throw new AppError('file_not_found', `What ${first} held is not in the repository any more. It cannot be put back.`)
  }
  if (exitCode !== 0) throw new AppError('bad_request', `${first} could not be written. Look at it with a command.`)
}

/** Lines of a file as it was at a commit, and what is to stand in their place. */
export interface ReplacedLines {
  path: string
  commit: string
  /** From 1 on, both included. */
  first: number
  last: number
  text: string
}

/**
 * Replaces lines where they stand now.
 * @throws AppError conflict where they have changed, or the commit or the file is not there
 */
export async function replaceReviewed(
  sandbox: SandboxHandle,
  { path, commit, first, last, text }: ReplacedLines,
  began: Date,
  signal: AbortSignal,
): Promise<RevertedPath[]> {
  const chosen = { base: 'commit', commit, began } as const
  const shown = shownFileName(Buffer.from(path).toString('latin1'))
  const file = { folder: sandbox.workingDir, path: shown, oldPath: null }
  if (!(await isPlainFile(sandbox, path, signal))) {
    throw new AppError('conflict', `${path} is not a file of the repository here. Look at it first.`)
  }
  const { original, modified, version } = await readAtCommit(sandbox, file, chosen, signal)
  if (original?.text == null || modified?.text == null || modified.text.includes('\uFFFD')) {
    throw new AppError('conflict', `${path} is not there any more, or is no UTF-8 text. Look at it first.`)
  }
  const replaced = replaceMovedLines(original.text, modified.text, { first, last, text })
  if (replaced === null) {
    throw new AppError(
      'conflict',
      `These lines of ${path} have changed since. Change them by hand, or ask the agent to.`,
    )
  }
  return writeReviewed(sandbox, { ...file, version }, { chosen, content: Buffer.from(replaced) }, signal)
}

/** No link leads to it: what stands behind one is another file, perhaps of another repository. */
async function isPlainFile(sandbox: SandboxHandle, path: string, signal: AbortSignal): Promise<boolean> {
  const script = 'folder=$(pwd -P) && [ -f "$1" ] && [ "$(realpath -- "$1")" = "${folder%/}/$1" ]'
  const argv = ['/bin/sh', '-c', script, 'sh', posix.normalize(path)]
  return (await sandbox.exec({ argv, cwd: sandbox.workingDir, signal })).exitCode === 0
}

async function readAtCommit(
  sandbox: SandboxHandle,
  file: ReviewedPath,
  chosen: ChosenBase,
  signal: AbortSignal,
): Promise<ReviewContent> {
  try {
    return await readReviewed(sandbox, file, chosen, signal)
  } catch (error) {
    if (isAppError(error, 'file_too_large')) {
      throw new AppError('conflict', `${file.path} is too large to be changed here. Change it with a command.`)
    }
    if (!isAppError(error, 'bad_request') && !isAppError(error, 'not_a_repository')) throw error
    const message = `${file.path} is not a file here, or the sandbox has not the commit ${chosen.commit}. Fetch it first.`
    throw new AppError('conflict', message)
  }
}

async function withoutHunk(
  sandbox: SandboxHandle,
  asked: AskedRevert & { hunk: ReviewHunk },
  chosen: ChosenBase,
  signal: AbortSignal,
): Promise<Buffer | null> {
  const texts = await readTexts(sandbox, asked, chosen, signal)
  return texts && Buffer.from(replaceHunk(texts.original, texts.modified, asked.hunk))
}

/**
 * Both sides as they were seen; null for a file that is new or gone, of which a hunk is all.
 * @throws AppError conflict when it has changed since, bad_request for what is no text
 */
export async function readTexts(
  sandbox: SandboxHandle,
  asked: AskedRevert,
  chosen: ChosenBase,
  signal: AbortSignal,
): Promise<{ original: string; modified: string } | null> {
  const { original, modified, version } = await readReviewed(sandbox, asked, chosen, signal)
  if (version !== asked.version) throw changedSince(asked.path)
  if (!original || !modified) return null
  if (original.text === null || modified.text === null || `${original.text}${modified.text}`.includes('\uFFFD')) {
    throw new AppError('bad_request', `${asked.path} is no UTF-8 text. Choose the whole file.`)
  }
  return { original: original.text, modified: modified.text }
}

/** @throws AppError bad_request for lines that the texts do not have */
export function replaceHunk(original: string, modified: string, hunk: ReviewHunk): string {
  const [before, after] = [linesOf(original), linesOf(modified)]
  const from = hunk.original_start - 1
  const at = hunk.modified_start - 1
  if (from + hunk.original_lines > before.length || at + hunk.modified_lines > after.length) {
    throw new AppError('bad_request', 'hunk names lines that the file does not have. Read the file again.')
  }
  const kept = before.slice(from, from + hunk.original_lines)
  return [...after.slice(0, at), ...kept, ...after.slice(at + hunk.modified_lines)].join('')
}

function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

export function changedSince(path: string): AppError {
  return new AppError('conflict', `${path} has changed since. Look at its changes again.`)
}

import { AppError } from '../../domain/errors.ts'
import type { SandboxHandle } from '../../domain/sandbox-handle.ts'
import { endOfOutput } from '../said.ts'
import { type ChosenBase, withChosen } from './bases.ts'
import { givenPaths, problemOf, SIDES } from './content.ts'
import { type AskedRevert, CHANGED_SINCE, changedSince, readTexts, replaceHunk } from './revert.ts'

const REFUSED = 11

/**
 * $5 is the version that was seen, $6 whether the input is what the index is to hold. Files stay as they are: only the index
 * changes, towards the file for the base `unstaged`, towards the last commit for `staged`.
 */
const STAGE = `${SIDES}
[ "$old-$new" = "$5" ] || exit ${CHANGED_SINCE}
export GIT_LITERAL_PATHSPECS=1
if [ -n "$6" ]; then
  object=$(git hash-object -w --no-filters --stdin) || exit 7
  entry=$(git ls-files -s -- "$name")
  git update-index --cacheinfo "\${entry%% *},$object,$name" || exit ${REFUSED}
elif [ "$1" = unstaged ]; then
  git -c advice.addIgnoredFile=false add -A -- "$name" || exit ${REFUSED}
  if [ "$before" != "$name" ]; then git -c advice.addIgnoredFile=false add -A -- "$before" || exit ${REFUSED}; fi
elif git rev-parse -q --verify HEAD >/dev/null; then
  git reset -q -- "$name" || exit ${REFUSED}
  if [ "$before" != "$name" ]; then git reset -q -- "$before" || exit ${REFUSED}; fi
else git rm -q --cached -- "$name" || exit ${REFUSED}
fi`

/**
 * Puts a file, or one hunk of it, into the index (base `unstaged`), or takes it out (base `staged`).
 * @throws AppError conflict when it has changed since, git_refused, bad_request
 */
export async function stageReviewed(
  sandbox: SandboxHandle,
  asked: AskedRevert,
  chosen: ChosenBase,
  signal: AbortSignal,
): Promise<void> {
  const { file, given } = givenPaths(asked)
  const content = asked.hunk && (await indexWith(sandbox, { ...asked, hunk: asked.hunk }, chosen, signal))
  const argv = withChosen(STAGE, chosen, ...given, asked.version, content === null ? '' : 'content')
  const { exitCode, stderr } = await sandbox.exec({ argv, cwd: '/', stdin: content ?? '', signal })
  if (exitCode === CHANGED_SINCE) throw changedSince(file)
  if (exitCode === REFUSED) {
    throw new AppError('git_refused', `Git did not change its index. It said: ${endOfOutput(stderr)}`)
  }
  if (exitCode !== 0) throw problemOf(exitCode, file, chosen)
}

/** What the index is to hold; null where the hunk is the whole file. */
async function indexWith(
  sandbox: SandboxHandle,
  asked: AskedRevert & { hunk: NonNullable<AskedRevert['hunk']> },
  chosen: ChosenBase,
  signal: AbortSignal,
): Promise<Buffer | null> {
  const texts = await readTexts(sandbox, asked, chosen, signal)
  if (texts === null) return null
  const { original, modified } = texts
  const { hunk } = asked
  if (chosen.base === 'staged') return Buffer.from(replaceHunk(original, modified, hunk))
  const turned = {
    original_start: hunk.modified_start,
    original_lines: hunk.modified_lines,
    modified_start: hunk.original_start,
    modified_lines: hunk.original_lines,
  }
  return Buffer.from(replaceHunk(modified, original, turned))
}

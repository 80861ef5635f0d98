import { posix } from 'node:path'
import type { ReviewContent, ReviewSide } from '../../api/v1/conversation/review.ts'
import { MIB } from '../../domain/bounds/bound.ts'
import { AppError } from '../../domain/errors.ts'
import type { SandboxHandle } from '../../domain/sandbox-handle.ts'
import { printfFileName } from '../../text/file-names.ts'
import { notRepository, tooLarge } from '../changes.ts'
import { type ChosenBase, NO_BASE, noBase, withChosen } from './bases.ts'

/** The bytes of a path that `printfFileName` wrote; a line end at the end of it is kept. */
export const NAMED = `
named() { printf '%b.' "$1"; }
`

/**
 * Of a changed file: `$3` its path, `$4` where it was before, as `givenPaths` gives them. Goes to its repository and sets `old` and `new`: the objects of
 * both sides, empty where there is none, `from` and `name`.
 */
export const SIDES = `${NAMED}
path=$(named "$3") before=$(named "$4")
set -- "$1" "$2" "\${path%.}" "\${before%.}" "$5" "$6"
folder=$(dirname -- "$3")
while [ ! -d "$folder" ]; do folder=$(dirname -- "$folder"); done
cd -- "$folder" && top=$(git rev-parse --show-toplevel 2>/dev/null) && [ -n "$top" ] || exit 3
name=$(git rev-parse --show-prefix)\${3#"\${folder%/}/"}
before=\${4:+$(realpath -m -- "$4" 2>/dev/null || printf %s "$4")}
before=\${before#"$top/"}
before=\${before:-$name}
cd -- "$top" || exit 3
from=$(chosen "$1" "$2") || exit ${NO_BASE}
old=$(git rev-parse -q --verify "$from:$before") || old=
if [ "$1" = staged ]; then new=$(git rev-parse -q --verify ":$name") || new=
elif [ -L "$name" ]; then new=$(readlink -n -- "$name" | git hash-object --no-filters --stdin)
elif [ -e "$name" ] && [ ! -f "$name" ]; then exit 6
elif [ -e "$name" ]; then new=$(git hash-object --no-filters -- "$name") || exit 7
else new=
fi
`

/** $5 is the greatest size. Prints the version, then each side in Base64 in a line of its own. */
const CONTENT = `${SIDES}
object() {
  [ "$(git cat-file -t "$1")" = blob ] || exit 6
  [ "$(git cat-file -s "$1")" -le "$limit" ] || exit 5
  git cat-file blob "$1" | base64 | tr -d '\\n'
}
limit=$5
echo "$old-$new"
if [ -n "$old" ]; then object "$old"; fi
echo
if [ -z "$new" ]; then :
elif [ "$1" = staged ]; then object "$new"
elif [ -L "$name" ]; then readlink -n -- "$name" | base64 | tr -d '\\n'
elif [ "$(wc -c <"$name")" -gt "$limit" ]; then exit 5
else base64 <"$name" | tr -d '\\n'
fi`

const MAX_TEXT_BYTES = MIB
export const MAX_IMAGE_BYTES = 4 * MIB

export interface ReviewedPath {
  /** Where paths begin. */
  folder: string
  /** Both as `shownFileName` shows them. */
  path: string
  oldPath: string | null
}

/** @throws AppError not_a_repository, file_too_large, bad_request for a folder or a base that is not there */
export async function readReviewed(
  sandbox: SandboxHandle,
  asked: ReviewedPath,
  chosen: ChosenBase,
  signal: AbortSignal,
): Promise<ReviewContent> {
  const { file, given } = givenPaths(asked)
  const argv = withChosen(CONTENT, chosen, ...given, String(MAX_IMAGE_BYTES))
  const result = await sandbox.exec({ argv, cwd: '/', maxBytes: 3 * MAX_IMAGE_BYTES, signal })
  if (result.exitCode !== 0) throw problemOf(result.exitCode, file, chosen)
  const [version = '', original = '', modified = ''] = result.stdout.split('\n')
  const [old = '', now = ''] = version.split('-')
  return { original: old ? sideOf(original, file) : null, modified: now ? sideOf(modified, file) : null, version }
}

/** `file` for people, and both paths for scripts with SIDES. */
export function givenPaths({ folder, path, oldPath }: ReviewedPath): { file: string; given: [string, string] } {
  const file = posix.resolve(folder, path)
  const before = oldPath === null ? '' : posix.resolve(folder, oldPath)
  return { file, given: [printfFileName(file), printfFileName(before)] }
}

/** What the end of a script with SIDES means. */
export function problemOf(exitCode: number, file: string, chosen: ChosenBase): AppError {
  if (exitCode === 3) return notRepository()
  if (exitCode === 5) return tooLarge(file)
  if (exitCode === 6) return new AppError('bad_request', `${file} is not a file. Name a file.`)
  if (exitCode === NO_BASE) return noBase(chosen)
  return new AppError('bad_request', `${file} cannot be read with git. Look at it with a command.`)
}

export function sideOf(base64: string, file: string): ReviewSide {
  const content = Buffer.from(base64, 'base64')
  const media_type = imageTypeOf(content)
  if (media_type) return { text: null, image: { media_type, data: base64 } }
  if (content.length > MAX_TEXT_BYTES) throw tooLarge(file)
  return { text: content.includes(0) ? null : content.toString(), image: null }
}

/** By the first bytes, whatever its name is. */
function imageTypeOf(content: Buffer): NonNullable<ReviewSide['image']>['media_type'] | null {
  const start = content.subarray(0, 12).toString('latin1')
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (start.startsWith('GIF8')) return 'image/gif'
  return start.startsWith('RIFF') && start.endsWith('WEBP') ? 'image/webp' : null
}

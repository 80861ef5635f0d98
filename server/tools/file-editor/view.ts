import type { Content } from '../../api/event/content.ts'
import type { SandboxHandle } from '../../domain/sandbox-handle.ts'
import { clipMiddle } from '../../text/clip.ts'
import { text } from '../tool.ts'
import { countLines, linesBetween, numbered } from './lines.ts'
import { invalidParameter, type Problem } from './problem.ts'

export const VIEW_CHARS = 16_000
const LIST_BYTES = 256 * 1024
/** Base64 makes it a third larger; model providers take 5 MB. */
const IMAGE_BYTES = 3_750_000

/**
 * Two levels, by the shell's own globs: sorted, without hidden names, with nothing but /bin/sh. What cannot be read shows no
 * content.
 */
const LIST = `
slash() { [ -d "$1" ] && printf '%s/\\n' "$1" || printf '%s\\n' "$1"; }
cd -- "$1" || exit 1
[ "$1" = / ] && top= || top=$1
hidden=0
for name in .*; do
  case $name in .|..|'.*') ;; *) hidden=$((hidden + 1)) ;; esac
done
printf '%s\\n' "$hidden"
for name in *; do
  [ -e "$name" ] || [ -L "$name" ] || continue
  slash "$top/$name"
  [ -d "$name" ] || continue
  for inner in "$name"/*; do
    [ -e "$inner" ] || [ -L "$inner" ] || continue
    slash "$top/$inner"
  done
done`

export async function viewFolder(sandbox: SandboxHandle, path: string): Promise<Content[]> {
  const argv = ['/bin/sh', '-c', LIST, 'sh', path]
  const { exitCode, stdout, stderr } = await sandbox.exec({ argv, cwd: '/', maxBytes: LIST_BYTES })
  if (exitCode !== 0) throw invalidParameter('path', path, `The folder cannot be read: ${stderr.trim()}`)
  const [hidden = '0', ...names] = stdout.trimEnd().split('\n')
  const listing = [path === '/' ? '/' : `${path}/`, ...names].join('\n')
  const shown = clipMiddle(
    listing,
    VIEW_CHARS,
    () =>
      '\n<response clipped><NOTE>The folder has more entries. View one of its folders, or use find in the terminal.</NOTE>\n',
  )
  const note =
    hidden === '0'
      ? ''
      : `\n\n${hidden} hidden files/directories in this directory are excluded. You can use 'ls -la ${path}' to see them.`
  return text(
    `Here's the files and directories up to 2 levels deep in ${path}, excluding hidden items:\n${shown}${note}`,
  )
}

export function viewImage(path: string, bytes: Buffer, type: string): Content[] {
  if (bytes.length > IMAGE_BYTES) {
    throw invalidParameter(
      'path',
      path,
      `The image has ${megabytes(bytes.length)} MB; models take up to ${megabytes(IMAGE_BYTES)} MB. Make it smaller first.`,
    )
  }
  const image: Content = { type: 'image', image_urls: [`data:${type};base64,${bytes.toString('base64')}`] }
  return [...text(`Here is the image ${path}.`), image]
}

/** @throws Problem for a range that the file does not have */
export function viewText(path: string, content: string, range: readonly number[] | undefined): Content[] {
  const count = countLines(content)
  const [first, last, note] = checkRange(range, count)
  // No more of them can fit: each takes its number and a tab.
  const { body, shownTo } = fittingLines(linesBetween(content, first, Math.min(last, first + VIEW_CHARS)), first)
  const clipped =
    shownTo < last
      ? `\n<response clipped><NOTE>Lines ${first} to ${shownTo} of ${count} are shown. Use view_range, or grep -n in the terminal, to see others.</NOTE>`
      : ''
  return text(`${note}Here's the result of running \`cat -n\` on ${path}:\n${body}${clipped}`)
}

function checkRange(range: readonly number[] | undefined, count: number): [number, number, string] {
  if (!range) return [1, count, '']
  const [first = 1, last = -1] = range
  const invalid = (hint: string) => invalidParameter('view_range', range, hint)
  if (range.length !== 2) throw invalid('It should be a list of two line numbers.')
  if (first < 1 || first > Math.max(1, count)) {
    throw invalid(`Its first element \`${first}\` should be within the range of lines of the file: [1, ${count}].`)
  }
  if (last === -1) return [first, count, '']
  if (last < first) {
    throw invalid(
      `Its second element \`${last}\` should be greater than or equal to the first element \`${first}\`, or -1 for the end of the file.`,
    )
  }
  if (last > count) return [first, count, `NOTE: The file has only ${count} lines.\n`]
  return [first, last, '']
}

/** Whole lines, as many as fit; a first line that does not fit by itself is shortened. */
function fittingLines(lines: readonly string[], first: number): { body: string; shownTo: number } {
  const shown: string[] = []
  let chars = 0
  for (const [index, line] of lines.entries()) {
    const row = numbered([line], first + index)
    chars += row.length + 1
    if (chars > VIEW_CHARS && shown.length > 0) break
    shown.push(
      clipMiddle(row, VIEW_CHARS, () => '<response clipped><NOTE>This line is too long to be shown whole.</NOTE>'),
    )
  }
  return { body: shown.join('\n'), shownTo: first + shown.length - 1 }
}

export function notText(path: string): Problem {
  return invalidParameter(
    'path',
    path,
    'The file is binary and cannot be shown or edited as text. Use a program in the terminal, such as file, xxd or strings.',
  )
}

export function megabytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(1)
}

import type { SandboxHandle } from '../../domain/sandbox-handle.ts'
import { Problem } from '../file-editor/problem.ts'
import { SEARCH_MS } from './list-files.ts'
import { shellPatterns } from './simple-pattern.ts'

export const LINES_PER_FILE = 3
const MAX_BYTES = 2 * 1024 * 1024
const LINE_CHARS = 200
/** As paths are at most in Linux, with what stands before and after one. */
const MAX_NAME_LENGTH = 4_200

export interface Match {
  /** as it stands in the list of files */
  file: string
  lines: { number: number; text: string }[]
}

export interface Matches {
  matches: Match[]
  /** The search was ended before all files were looked at. */
  partial: boolean
}

interface Search {
  folder: string
  /** relative to the folder; matches come in this order */
  files: readonly string[]
  pattern: string
  /** Enough is found with so many files. */
  most: number
  signal: AbortSignal
}

/** Exit code of the scripts for an image without the program. */
const NO_PROGRAM = 97
const BAD_PATTERN = 2

/** \`-\` as a file is standard input to grep: every name begins with \`./\`. */
const WITH_RIPGREP = `cd -- "$1" || exit 1
command -v rg >/dev/null 2>&1 && command -v xargs >/dev/null 2>&1 || exit ${NO_PROGRAM}
printf '' | rg -q -i -e "$2"
[ $? -eq 2 ] && exit ${BAD_PATTERN}
xargs -0 rg -i -n -H --null --no-heading --no-messages --color=never --no-config -j1 --max-count=${LINES_PER_FILE} --max-columns=${LINE_CHARS} --max-columns-preview -e "$2" --`

const WITH_GREP = `cd -- "$1" || exit 1
command -v grep >/dev/null 2>&1 || exit ${NO_PROGRAM}
printf '' | grep -q -i -E -e "$2"
[ $? -ge 2 ] && exit ${BAD_PATTERN}
if command -v xargs >/dev/null 2>&1; then xargs -0 grep -i -n -H -I -s -E -m ${LINES_PER_FILE} -e "$2" --
else exit ${NO_PROGRAM}; fi`

/** Searches the content of files for a regular expression, in both cases of letters. @throws Problem for a wrong one */
export async function grepFiles(sandbox: SandboxHandle, search: Search): Promise<Matches> {
  if (search.files.length === 0) return { matches: [], partial: false }
  return (
    (await run(sandbox, search, WITH_RIPGREP, search.pattern)) ??
    (await run(sandbox, search, WITH_GREP, forGrep(search.pattern))) ??
    (await run(sandbox, search, withShell(search.pattern), search.pattern)) ?? { matches: [], partial: true }
  )
}

async function run(
  sandbox: SandboxHandle,
  { folder, files, most, signal }: Search,
  script: string,
  pattern: string,
): Promise<Matches | undefined> {
  const separator = script === WITH_RIPGREP || script === WITH_GREP ? '\0' : '\n'
  const enough = new AbortController()
  const counter = new FileCounter(most, () => enough.abort(ENOUGH_FILES))
  const found = await sandbox
    .exec({
      argv: ['/bin/sh', '-c', script, 'sh', folder, pattern],
      cwd: '/',
      stdin: files.map(file => `./${file}${separator}`).join(''),
      maxBytes: MAX_BYTES,
      timeoutMs: SEARCH_MS,
      signal: AbortSignal.any([signal, enough.signal]),
      onOutput: (text, from) => from === 'stdout' && counter.add(text),
    })
    .catch((error: unknown) => {
      if (error !== ENOUGH_FILES) throw error
      return { exitCode: 0, stdout: counter.output, stderr: '', timedOut: true }
    })
  if (found.exitCode === NO_PROGRAM) return undefined
  if (found.exitCode === BAD_PATTERN && found.stdout === '') {
    throw new Problem(`Invalid \`pattern\` parameter: it is no regular expression. ${found.stderr.trim()}`)
  }
  const partial = found.timedOut || Buffer.byteLength(found.stdout) >= MAX_BYTES
  return { matches: parse(found.stdout, files), partial }
}

const ENOUGH_FILES = new Error('Enough files are found.')

/** Ends a search as soon as it has found more files than are shown. */
class FileCounter {
  readonly #most: number
  readonly #onEnough: () => void
  #names = new Set<string>()
  #rest = ''
  output = ''

  constructor(most: number, onEnough: () => void) {
    this.#most = most
    this.#onEnough = onEnough
  }

  add(text: string): void {
    if (this.#names.size > this.#most || this.output.length > MAX_BYTES) return
    this.output += text
    const lines = (this.#rest + text).split('\n')
    // The name at its beginning is all that is wanted of it.
    this.#rest = (lines.pop() ?? '').slice(0, MAX_NAME_LENGTH)
    for (const line of lines) this.#names.add(line.slice(0, line.search(line.includes('\0') ? '\0' : ':')))
    if (this.#names.size > this.#most) this.#onEnough()
  }
}

/** Each line is the name, NUL or a colon, the number, a colon, the text. */
function parse(output: string, files: readonly string[]): Match[] {
  const known = new Set(files)
  const matches = new Map<string, Match>()
  for (const line of output.split('\n').slice(0, -1)) {
    for (const { index } of line.matchAll(/[:\0](?=\d+:)/g)) {
      if (index > MAX_NAME_LENGTH) break
      const file = line.slice(0, index).replace(/^\.\//, '')
      if (!known.has(file)) continue
      const [number = ''] = /\d+/.exec(line.slice(index + 1, index + 12)) ?? []
      const text = line.slice(index + number.length + 2)
      const match = matches.get(file) ?? { file, lines: [] }
      if (match.lines.length < LINES_PER_FILE) match.lines.push({ number: Number(number), text: shorten(text) })
      matches.set(file, match)
      break
    }
  }
  return [...matches.values()]
}

function shorten(line: string): string {
  const text = line.trimEnd().replaceAll('\t', ' ')
  return text.length > LINE_CHARS ? `${text.slice(0, LINE_CHARS)} […]` : text
}

/** What people write for ripgrep and a POSIX grep does not know. */
function forGrep(pattern: string): string {
  return pattern.replace(/\\([\s\S])|\(\?:/g, (whole, escaped?: string) => {
    if (escaped === undefined) return '('
    return escaped === 'd' ? '[0-9]' : escaped === 'D' ? '[^0-9]' : whole
  })
}

/** Line by line in the shell: slow, but it needs nothing. */
function withShell(pattern: string): string {
  const patterns = shellPatterns(pattern)
  if (!patterns) {
    throw new Problem(
      'The image of this sandbox has no grep, and without it only simple patterns can be searched for: text, `.`, `.*`, lists such as [a-z], `^`, `$` and `|`. Use a simpler pattern, or install grep.',
    )
  }
  return `cd -- "$1" || exit 1
while IFS= read -r file; do
  number=0 found=0
  while IFS= read -r line || [ -n "$line" ]; do
    number=$((number + 1))
    case $line in
      ${patterns.join('|')}) printf '%s:%s:%s\\n' "$file" "$number" "$line"
        found=$((found + 1)); [ "$found" -lt ${LINES_PER_FILE} ] || break ;;
    esac
  done 2>/dev/null <"$file"
done
exit 0`
}

import { posix } from 'node:path'
import { BOUNDS } from '../../domain/bounds.ts'
import type { SandboxHandle } from '../../domain/sandbox-handle.ts'
import { Problem } from '../file-editor/problem.ts'

const MAX_BYTES = 16 * 1024 * 1024
export const SEARCH_MS = BOUNDS.searchTime.limit

/**
 * Lists the files below a folder, newest first, with what the image has: ripgrep (which leaves out what .gitignore
 * names), find, or the shell's own globs. Links are not followed, `node_modules` and what Git keeps for itself never
 * shown. Each line is `seconds<TAB>path`, except where the first line says that the order is already right.
 *
 * $1 folder, $2 `hidden` to look into names that begin with a dot as well
 */
const LIST = `
cd -- "$1" || exit 2
all=$2
if command -v rg >/dev/null 2>&1; then
  echo sorted
  rg --files --no-messages --sortr=modified \${all:+--hidden} --glob '!.git' --glob '!node_modules' --color=never
  exit 0
fi
if command -v find >/dev/null 2>&1; then
  files() {
    if [ -n "$all" ]; then find . \\( -name .git -o -name node_modules \\) -prune -o -type f "$@"
    else find . \\( -name '.?*' -o -name node_modules \\) -prune -o -type f "$@"; fi
  }
  if find . -maxdepth 0 -printf '' >/dev/null 2>&1; then echo timed; files -printf '%T@\\t%P\\n' 2>/dev/null; exit 0; fi
  if command -v stat >/dev/null 2>&1; then
    echo timed; files -exec stat -c '%Y	%n' {} + 2>/dev/null; exit 0
  fi
fi
walk() {
  for name in "$1"/* \${all:+"$1"/.[!.]*}; do
    [ -L "$name" ] && continue
    if [ -f "$name" ]; then printf '%s\\n' "$name"
    elif [ -d "$name" ]; then case $name in */node_modules|*/.git) ;; *) walk "$name" ;; esac; fi
  done
}
newline='
'
list=$(walk .)
IFS=$newline
set -f
set -- $list
set +f
if [ $# -gt 0 ] && sorted=$(ls -td -- "$@" 2>/dev/null); then echo sorted; printf '%s\\n' "$sorted"
else echo unsorted; printf '%s\\n' "$list"; fi`

export interface Listing {
  /** relative to the folder, newest first */
  files: string[]
  /** The folder holds more than could be looked at. */
  partial: boolean
}

/** @throws Problem when the folder cannot be read; the signal's reason when aborted */
export async function listFiles(
  sandbox: SandboxHandle,
  folder: string,
  { hidden, signal }: { hidden: boolean; signal: AbortSignal },
): Promise<Listing> {
  const argv = ['/bin/sh', '-c', LIST, 'sh', folder, hidden ? 'hidden' : '']
  const result = await sandbox.exec({ argv, cwd: '/', maxBytes: MAX_BYTES, timeoutMs: SEARCH_MS, signal })
  if (result.exitCode === 2) throw new Problem(`The folder ${folder} cannot be read: ${result.stderr.trim()}`)
  const [order = '', ...lines] = result.stdout.split('\n')
  const partial = result.timedOut || Buffer.byteLength(result.stdout) >= MAX_BYTES
  if (partial) lines.pop()
  const rows = lines.filter(line => line !== '')
  return { files: order === 'timed' ? newestFirst(rows) : rows.map(relativeName), partial }
}

function newestFirst(rows: readonly string[]): string[] {
  return rows
    .map(row => {
      const tab = row.indexOf('\t')
      return { modified: Number(row.slice(0, tab)), path: relativeName(row.slice(tab + 1)) }
    })
    .sort((one, other) => other.modified - one.modified || (one.path < other.path ? -1 : 1))
    .map(({ path }) => path)
}

function relativeName(path: string): string {
  return path.startsWith('./') ? posix.normalize(path) : path
}

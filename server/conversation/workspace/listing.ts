import { Slices } from '../../async/slices.ts'
import { BOUNDS } from '../../domain/bounds.ts'
import { AppError } from '../../domain/errors.ts'
import type { SandboxHandle } from '../../domain/sandbox-handle.ts'
import { nameOf } from './names.ts'

/**
 * $1 folder. Of each entry a line of mode, size, seconds and `./name`. No name has a slash, so that one begins at each: a name
 * with line ends cannot pass for further entries. GNU's find says it all by itself, as a kind and a mode, which costs a fraction;
 * without find and stat the shell tells kinds alone.
 */
const LIST = `
cd -- "$1" 2>/dev/null || { [ -d "$1" ] && exit 13; [ -e "$1" ] && exit 20; exit 2; }
[ -r . ] || exit 13
if find . -prune -printf '' 2>/dev/null; then
  find . ! -name . -prune -printf ':%y%m %s %T@ %p\\n' 2>/dev/null
  exit 0
fi
if command -v find >/dev/null && command -v stat >/dev/null; then
  find . ! -name . -prune -exec stat -c '%f %s %Y %n' {} + 2>/dev/null
  exit 0
fi
for name in .* *; do
  case $name in .|..) continue ;; esac
  if [ -L "$name" ]; then mode=a1ff
  elif [ -d "$name" ]; then mode=41ed
  elif [ -x "$name" ] && [ -f "$name" ]; then mode=81ed
  elif [ -f "$name" ]; then mode=81a4
  elif [ -e "$name" ]; then mode=11a4
  else continue; fi
  printf '%s - - ./%s\\n' "$mode" "$name"
done`

const NO_ACCESS = 13
const NO_FOLDER = 20
const NOTHING = 2

export interface Listed {
  /** As it is shown. */
  name: string
  /** Whether the name is UTF-8: another one cannot be said to any operation. */
  isText: boolean
  kind: 'file' | 'directory' | 'link' | 'other'
  executable: boolean
  sizeBytes: number | null
  /** Seconds since 1970. */
  modified: number | null
}

export interface Listing {
  /** Folders first, then by name. */
  entries: readonly Listed[]
  /** Whether these are all. */
  complete: boolean
}

/** @throws AppError file_not_found, bad_request for what is no folder or may not be read */
export async function listFolderOf(sandbox: SandboxHandle, folder: string, signal: AbortSignal): Promise<Listing> {
  const { limit: maxBytes } = BOUNDS.folderListing
  const argv = ['/bin/sh', '-c', LIST, 'sh', folder]
  const { exitCode, stdout } = await sandbox.exec({ argv, cwd: '/', maxBytes, encoding: 'latin1', signal })
  if (exitCode === NOTHING)
    throw new AppError('file_not_found', `There is no folder ${folder} in the sandbox. Check the path.`)
  if (exitCode === NO_FOLDER) throw new AppError('bad_request', `${folder} is not a folder. Name a folder.`)
  if (exitCode === NO_ACCESS) {
    throw new AppError(
      'bad_request',
      `The user of the sandbox may not read the folder ${folder}. Read it with a command of another user.`,
    )
  }
  const complete = stdout.length < maxBytes
  const entries = await parseListing(stdout, complete)
  return { entries: await sorted(entries), complete }
}

/** @param output of `LIST`, one character for each byte; of one that was cut off the last entry is left out */
export async function parseListing(output: string, complete = true): Promise<Listed[]> {
  const entries: Listed[] = []
  const slices = new Slices()
  let slash = output.indexOf('/')
  let head = output.slice(0, Math.max(0, slash))
  while (slash !== -1) {
    const next = output.indexOf('/', slash + 1)
    const rest = output.slice(slash + 1, next === -1 ? undefined : next)
    const lineEnd = rest.lastIndexOf('\n')
    if (next !== -1 || (complete && lineEnd !== -1)) {
      const entry = toListed(head, rest.slice(0, lineEnd))
      if (entry) entries.push(entry)
    }
    head = rest.slice(lineEnd + 1)
    slash = next
    if (slices.due()) await slices.turn()
  }
  return entries
}

/** By the letter of find, and by the bits of a mode. */
const KINDS: Readonly<Record<string, Listed['kind']>> = {
  d: 'directory',
  f: 'file',
  l: 'link',
  4: 'directory',
  8: 'file',
  10: 'link',
}
const OWNER_MAY_RUN = 0o100

function toListed(head: string, bytes: string): Listed | undefined {
  const fields = /^(?::([a-zA-Z])(\d+)|([0-9a-f]+)) (\d+|-) (-?\d+|-)(?:\.\d+)? \.$/.exec(head)
  if (!fields) return undefined
  const [, letter = '', octal = '', hex, size, seconds] = fields
  const mode = hex === undefined ? Number.parseInt(octal, 8) : Number.parseInt(hex, 16)
  const kind = KINDS[hex === undefined ? letter : String(mode >> 12)] ?? 'other'
  return {
    ...nameOf(bytes),
    kind,
    executable: kind === 'file' && (mode & OWNER_MAY_RUN) !== 0,
    sizeBytes: kind === 'file' && size !== '-' ? Number(size) : null,
    modified: seconds === '-' ? null : Number(seconds),
  }
}

const SORTED_AT_ONCE = 2000

/** In slices: a folder may have hundreds of thousands of entries. */
async function sorted(entries: readonly Listed[]): Promise<Listed[]> {
  const slices = new Slices()
  let runs: Keyed[][] = []
  for (let from = 0; from < entries.length; from += SORTED_AT_ONCE) {
    runs.push(
      entries
        .slice(from, from + SORTED_AT_ONCE)
        .map(toKeyed)
        .sort(byKey),
    )
    if (slices.due()) await slices.turn()
  }
  while (runs.length > 1) {
    const merged: Keyed[][] = []
    for (let at = 0; at < runs.length; at += 2) merged.push(await mergedOf(runs[at] ?? [], runs[at + 1] ?? [], slices))
    runs = merged
  }
  return (runs[0] ?? []).map(({ entry }) => entry)
}

async function mergedOf(one: readonly Keyed[], other: readonly Keyed[], slices: Slices): Promise<Keyed[]> {
  const merged: Keyed[] = []
  let [i, j] = [0, 0]
  while (i < one.length || j < other.length) {
    const [a, b] = [one[i], other[j]]
    if (a && (!b || byKey(a, b) <= 0)) {
      merged.push(a)
      i++
    } else if (b) {
      merged.push(b)
      j++
    }
    if (merged.length % SORTED_AT_ONCE === 0 && slices.due()) await slices.turn()
  }
  return merged
}

interface Keyed {
  entry: Listed
  key: string
}

function toKeyed(entry: Listed): Keyed {
  return { entry, key: `${entry.kind === 'directory' ? 0 : 1}${entry.name.toLowerCase()}\0${entry.name}` }
}

function byKey({ key: a }: Keyed, { key: b }: Keyed): number {
  return a < b ? -1 : a > b ? 1 : 0
}

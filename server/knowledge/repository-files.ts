import { posix } from 'node:path'
import { HOOKS_FILE } from '../domain/hooks-config.ts'
import { randomToken } from '../domain/ids.ts'
import type { SandboxHandle } from '../domain/sandbox-handle.ts'
import { SKILL_LIMITS, type SkillFile } from '../domain/skill.ts'
import { SKILL_FOLDERS, TOOL_SERVER_FILE } from './parse-skill.ts'
import { SUB_AGENT_FOLDERS } from './parse-sub-agent.ts'

export interface RepositoryFiles {
  skills: SkillFile[]
  /** Text of `.openhands/hooks.json`; null when there is none. */
  hooks: string | null
  /** Text of `.openhands/memory/MEMORY.md`, cut; null when there is none. */
  memory: string | null
  /** Why a file was not read, for a person. */
  problems: string[]
}

/** What agents and people keep from one conversation to the next. */
export const MEMORY_FILE = '.openhands/memory/MEMORY.md'

/** null for a file without words. */
export function cutMemory(text: string): string | null {
  const most = SKILL_LIMITS.memoryCharacters
  const kept = text.trim()
  if (kept.length <= most) return kept || null
  return `${kept.slice(0, most)}\n[Cut after ${most} of ${kept.length} characters. The rest is in ${MEMORY_FILE}.]`
}

const TIMEOUT_MS = 20_000
const MAX_BYTES = 8 * 2 ** 20

/**
 * Reads them inside the sandbox in one command, first those of the working directory, then those of the repository that it
 * lies in. A link is followed only where it ends inside the repository.
 */
export async function readRepositoryFiles(
  sandbox: SandboxHandle,
  workingDir: string,
  signal: AbortSignal,
): Promise<RepositoryFiles> {
  const mark = randomToken(24)
  const limits = [SKILL_LIMITS.fileBytes, SKILL_LIMITS.files, SKILL_LIMITS.totalBytes].map(String)
  const result = await sandbox.exec({
    argv: ['/bin/sh', '-c', COLLECT, 'sh', mark, ...limits],
    cwd: workingDir,
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
    signal,
  })
  const found: RepositoryFiles = { skills: [], hooks: null, memory: null, problems: [] }
  if (result.timedOut) found.problems.push('Looking for skills took too long; some may be missing.')
  const seen = new Set<string>()
  for (const part of result.stdout.split(mark).slice(1)) addFile(found, seen, part)
  return found
}

/** `root`, path and outcome, each ended by NUL, then the text. */
function addFile(found: RepositoryFiles, seen: Set<string>, part: string): void {
  const [root = '', path = '', outcome = '', ...rest] = part.split('\0')
  const absolute = posix.join(root, path)
  if (seen.has(absolute)) return
  seen.add(absolute)
  const text = rest.join('\0')
  if (outcome !== 'file') found.problems.push(`${path} ${REFUSALS[outcome] ?? 'could not be read.'}`)
  else if (path === HOOKS_FILE) found.hooks ??= text
  else if (path === MEMORY_FILE) found.memory ??= cutMemory(text)
  else if (text.includes('\0')) found.problems.push(`${path} is not text.`)
  else found.skills.push({ source: 'repository', root, path, text })
}

const REFUSALS: Record<string, string> = {
  outside: 'is a link that leads out of the repository. It was not followed.',
  large: `is larger than ${SKILL_LIMITS.fileBytes / 1024} KiB.`,
  many: 'and what comes after it was not read: there are too many files for agents.',
}

/**
 * $1 mark, $2 bytes of a file, $3 number of files, $4 bytes of all. Needs builtins, `cat` and `wc`; with git it finds nested files of
 * large repositories quickly, and without `readlink` it follows no links. Shell functions have parameters of their own,
 * other variables are everybody's.
 */
const COLLECT = `
mark=$1 most_bytes=$2 most_files=$3 most_total=$4 files=0 total=0
here=$(pwd -P)
top=$(git rev-parse --show-toplevel 2>/dev/null) || top=$here
case $here/ in "\${top%/}"/*) ;; *) top=$here ;; esac
inside() { case $1 in "\${top%/}"/*) return 0 ;; esac; return 1; }
say() { printf '%s%s\\0%s\\0%s\\0' "$mark" "$root" "$1" "$2"; }
full() { [ "$files" -gt "$most_files" ] || [ "$total" -gt "$most_total" ]; }
show() {
  [ -f "$1" ] || [ -L "$1" ] || return 0
  full && return 0
  files=$((files + 1))
  case $1 in */*) in=\${1%/*} ;; *) in=. ;; esac
  real=$(cd -P -- "$in" 2>/dev/null && pwd -P)/\${1##*/}
  [ ! -L "$real" ] || real=$(readlink -f -- "$real" 2>/dev/null)
  if ! inside "$real"; then say "$1" outside; return 0; fi
  if [ ! -f "$real" ] || [ ! -r "$real" ]; then say "$1" unreadable; return 0; fi
  size=$(wc -c <"$real")
  if [ "$size" -gt "$most_bytes" ]; then say "$1" large; return 0; fi
  total=$((total + size))
  if full; then say "$1" many; return 0; fi
  say "$1" file
  cat "$real"
}
walk() {
  for entry in "$1"/*; do
    full && return 0
    if [ -d "$entry" ]; then
      skill=
      for file in "$entry"/SKILL.md "$entry"/skill.md; do
        [ -z "$skill" ] && [ -f "$entry/\${file##*/}" ] && skill=$file
      done
      if [ -n "$skill" ]; then show "$skill"; show "$entry/${TOOL_SERVER_FILE}"
      elif [ ! -L "$entry" ] && [ "$2" -gt 0 ]; then walk "$entry" $(($2 - 1))
      fi
    else
      case \${entry##*/} in README.md) ;; *.md) show "$entry" ;; esac
    fi
  done
}
folder() {
  [ -d "$1" ] || return 0
  inside "$(cd -P -- "$1" 2>/dev/null && pwd -P)/" || { say "$1" outside; return 0; }
  walk "$1" 4
}
special() {
  case \${1##*/} in
    [Aa][Gg][Ee][Nn][Tt][Ss].[Mm][Dd] | [Aa][Gg][Ee][Nn][Tt].[Mm][Dd] | .cursorrules) return 0 ;;
    [Cc][Ll][Aa][Uu][Dd][Ee].[Mm][Dd] | [Gg][Ee][Mm][Ii][Nn][Ii].[Mm][Dd]) return 0 ;;
  esac
  return 1
}
nested() {
  git -c core.quotePath=false ls-files -co --exclude-standard -- ':(icase,glob)**/agents.md' ':(icase,glob)**/agent.md' \\
    ':(icase,glob)**/claude.md' ':(icase,glob)**/gemini.md' ':(glob)**/.cursorrules' 2>/dev/null && return 0
  find . -maxdepth 6 \\( -name node_modules -o -name .git -o -name vendor -o -name .venv \\) -prune -o -type f \\
    \\( -iname agents.md -o -iname agent.md -o -iname claude.md -o -iname gemini.md -o -name .cursorrules \\) -print 2>/dev/null
}
collect() {
  root=$1
  cd -- "$root" || return 0
  ${[HOOKS_FILE, MEMORY_FILE, '.openhands_instructions'].map(path => `show ${path}`).join('\n  ')}
  ${[...SKILL_FOLDERS, ...SUB_AGENT_FOLDERS].map(path => `folder ${path}`).join('\n  ')}
  for entry in * .cursorrules; do
    if special "$entry"; then show "$entry"; fi
  done
  nested | while IFS= read -r entry; do
    entry=\${entry#./}
    case $entry in */*) if special "$entry"; then show "$entry"; fi ;; esac
  done
}
collect "$here"
[ "$top" = "$here" ] || collect "$top"
exit 0
`

import { shellQuote } from '../../text/shell-quote.ts'

/**
 * What is started in place of the command. The command itself, its variables and its folder come over the input: what stands in
 * the address of a request is in the logs of the API server. Builtins alone, but for what the comments name.
 *
 * - `none`: the command has no input. The shell becomes the command.
 * - `framed`: the protocol cannot end one direction alone, so that the input comes in frames: a line with a length, and so many
 *   bytes, which `dd` carries; 0 ends it. The command has a session of its own (`setsid`), so that its process id is that of its
 *   session, as in every other engine. How it ended is said on stderr after a mark, which is the first line of the input: every
 *   program of the container sees the arguments of this shell. Then what is left of the input is taken until a line says `end`: an
 *   API server whose input nobody takes breaks the connection off before it says how all ended.
 * - `terminal`: the input is the terminal's, which would show what comes over it, and cut long lines (`stty`): it asks for the
 *   command with the mark $1, and says $1 once more when that begins.
 */
const READ = `IFS= read -r n || exit 126
h=
while [ "$n" -gt 0 ]; do IFS= read -r l || exit 126; h="$h$l
"; n=$((n-1)); done`

const SCRIPTS = {
  none: `${READ}
eval "$h"
exec "$@" </dev/null`,
  framed: `unset m
IFS= read -r m || exit 126
${READ}
command -v setsid >/dev/null 2>&1 || setsid() { "$@"; }
exec 3<&0 4>&2 </dev/null 2>/dev/null
feed() {
  trap '' PIPE
  while IFS= read -r n && [ "$n" != end ]; do
    if [ "$n" -gt 0 ]; then dd bs="$n" count=1 iflag=fullblock; else exec >/dev/null; fi
  done
}
{ feed <&3 3<&- 4>&-; } | { exec 3<&-
  (exec 2>&4 4>&-; eval "$h"; exec setsid "$@")
  s=$?
  printf %s "$m$s." >&4
  exit $s; }`,
  terminal: `m=$1; s=$(stty -g 2>/dev/null) && stty raw -echo 2>/dev/null
printf %s "$m"
${READ}
[ -z "$s" ] || stty "$s"
printf %s "$m"
eval "$h"
exec "$@"`,
} as const

export type LaunchMode = keyof typeof SCRIPTS

/** The argument vector that may be seen. */
export function launchCommand(mode: LaunchMode, mark: string): string[] {
  return ['/bin/sh', '-c', SCRIPTS[mode], 'sh', ...(mode === 'terminal' ? [mark] : [])]
}

interface Launched {
  mode: LaunchMode
  mark: string
  argv: readonly string[]
  cwd?: string | undefined
  env?: Readonly<Record<string, string>> | undefined
}

/** A terminal that `stty` is not there to change cuts longer lines. */
const MAX_LINE = 1000

/** The lines that the script reads: its mark where it is secret, how many lines there are, then what it evaluates. */
export function launchHeader({ mode, mark, argv, cwd, env = {} }: Launched): Buffer {
  const others = Object.entries(env).filter(([name]) => !isVariable(name))
  // A shell cannot set every name that a process can have.
  const words = [...(others.length > 0 ? ['env', ...others.map(([name, value]) => `${name}=${value}`)] : []), ...argv]
  const script = [
    'set --',
    ...words.flatMap(word => [...assigned(word), 'set -- "$@" "$w"']),
    ...Object.entries(env)
      .filter(([name]) => isVariable(name))
      .flatMap(([name, value]) => [...assigned(value), `export ${name}="$w"`]),
    ...(cwd === undefined ? [] : [...assigned(cwd), 'cd -- "$w" || exit 126']),
    'unset w h n l s m',
  ].join('\n')
  return Buffer.from(`${mode === 'framed' ? `${mark}\n` : ''}${script.split('\n').length}\n${script}\n`)
}

function assigned(word: string): string[] {
  const [first = '', ...rest] = pieces(word)
  return [`w=${shellQuote(first)}`, ...rest.map(piece => `w="$w"${shellQuote(piece)}`)]
}

/** Never in the middle of a character. */
function pieces(word: string): string[] {
  const parts: string[] = []
  let part = ''
  for (const character of word) {
    if (part.length + character.length > MAX_LINE / 4) {
      parts.push(part)
      part = ''
    }
    part += character
  }
  return [...parts, part]
}

/** Names that this script uses are no less the command's: they are set after it has used them. */
function isVariable(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !/^[whnlsm]$/.test(name)
}

/**
 * What is typed into the shell and what its marks say. Bash, dash and busybox ash understand all of it, and nothing but
 * `/bin/sh` is needed in the image.
 *
 * A command is typed as one escaped line that is decoded and evaluated, so that newlines, quotes, `!` and control
 * characters reach the shell as they are, and an unclosed quote is a syntax error instead of a shell that waits.
 */

/** Below the smallest line that a shell's own line editor takes (busybox: 1,024). */
const MAX_LINE_LENGTH = 700

export type Mark =
  | { kind: 'ready'; pid: number; username: string; hostname: string }
  | { kind: 'appended' }
  | { kind: 'started' }
  | { kind: 'ended'; exitCode: number; python: string; workingDir: string }
  | { kind: 'prompt'; exitCode: number; workingDir: string }

/** The nonce keeps the output of programs from being taken for a mark. */
export function markOpening(nonce: string): string {
  return `\x1b]7770;${nonce};`
}

export function parseMark(text: string): Mark | undefined {
  const [kind, first = '', second = '', ...rest] = text.split(';')
  if (kind === 'I')
    return { kind: 'ready', pid: Number(first) || -1, username: second, hostname: rest.join(';').trim() }
  if (kind === 'A') return { kind: 'appended' }
  if (kind === 'S') return { kind: 'started' }
  if (!/^\d{1,3}$/.test(first)) return undefined
  const exitCode = Number(first)
  if (kind === 'E') return { kind: 'ended', exitCode, python: second.trim(), workingDir: rest.join(';') }
  if (kind === 'P') return { kind: 'prompt', exitCode, workingDir: [second, ...rest].join(';') }
  return undefined
}

/** Bash where there is one, without its line editor: what we type is for the shell, not for a person. */
export function shellArgv(options: { startFiles: boolean }): string[] {
  const bash = `bash --noediting ${options.startFiles ? '' : '--noprofile --norc '}-i`
  return [
    '/bin/sh',
    '-c',
    `[ -n "$LC_ALL$LANG" ] || export LANG=C.UTF-8; command -v bash >/dev/null 2>&1 && exec ${bash}; exec /bin/sh -i`,
  ]
}

/** Nobody is there to turn pages. `less` by its own name ends by itself where one screen is enough. */
const NO_PAGERS = {
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  MANPAGER: 'cat',
  SYSTEMD_PAGER: 'cat',
  GH_PAGER: 'cat',
  AWS_PAGER: 'cat',
  LESS: 'FRX',
}

export const SHELL_ENV = { TERM: 'xterm-256color', ...NO_PAGERS }

/**
 * Defines the functions that the typed lines call, and ends with the mark `ready`. Marks go to the terminal itself, so
 * that a redirected output does not swallow them; the prompt carries one for the ways out that skip the end of a line.
 * Nothing here starts a process for each command, except the decoding where the shell is not bash.
 */
export function setUpLines(nonce: string): string[] {
  const mark = `\\033]7770;${nonce};`
  const noPagers = Object.entries(NO_PAGERS).map(([name, value]) => `${name}=${value}`)
  return [
    `export ${noPagers.join(' ')}`, // again, as start files may have set others
    '[ -z "$BASH_VERSION" ] || { set +H; set +o history; }; unset PROMPT_COMMAND; PS1=; PS2=; __atelier_t=; __atelier_k=',
    `__atelier_m() { printf '${mark}%s\\007' "$1"; }`,
    '__atelier_w() { __atelier_m "$1" 2>/dev/null >/dev/tty || __atelier_m "$1"; }',
    '__atelier_a() { __atelier_t=$__atelier_t$1; __atelier_w A; }',
    `__atelier_d() { __atelier_c=$(printf %b. "$1"); __atelier_c=\${__atelier_c%.}; }`,
    '[ -z "$BASH_VERSION" ] || __atelier_d() { printf -v __atelier_c %b "$1"; }',
    '__atelier_b() { __atelier_d "$__atelier_t$1"; __atelier_t=; __atelier_w S; case $- in *e*) ;; *) return "$2";; esac; }',
    `__atelier_n() { printf '${mark}E;%s;' "$__atelier_s"; command -v python3; printf ';%s\\007' "$PWD"; }`,
    // A value is read line by line until an empty one. It is never part of a typed command, which a shell may remember.
    '__atelier_r() { __atelier_t=; while __atelier_w A; IFS= read -r __atelier_l && [ -n "$__atelier_l" ]; do ' +
      '__atelier_t=$__atelier_t$__atelier_l; done; __atelier_d "$__atelier_t"; __atelier_t=; __atelier_l=; }',
    `__atelier_g() { export "$1=$__atelier_c"; eval "__atelier_v_$1=\\$__atelier_c"; __atelier_k="$__atelier_k __atelier_z $1;"; }`,
    `__atelier_x() { __atelier_r; eval "[ -n \\"\\\${$1+x}\\" ] || __atelier_g $1"; __atelier_c=; __atelier_w A; }`,
    `__atelier_z() { eval "[ \\"\\\${$1-}\\" != \\"\\$__atelier_v_$1\\" ] || unset $1; unset __atelier_v_$1"; }`,
    '__atelier_u() { __atelier_c=$__atelier_k; __atelier_k=; eval "$__atelier_c"; __atelier_c=; }',
    '__atelier_e() { __atelier_s=$?; __atelier_u; __atelier_n 2>/dev/null >/dev/tty || __atelier_n; ' +
      'PS1=$__atelier_p; PS2=; unset PROMPT_COMMAND; }',
    `__atelier_p=$(printf '${mark}P;')'$?;$PWD'$(printf '\\007'); PS1=$__atelier_p`,
    '__atelier_w "I;$$;$(id -un 2>/dev/null);$(hostname 2>/dev/null || cat /etc/hostname 2>/dev/null)"',
  ]
}

/**
 * Lines to type one after the other, each when the one before has been answered by a mark.
 * @param previousExit what `$?` is for the command
 */
export function commandLines(command: string, previousExit: number): string[] {
  const pieces = escapedPieces(command.replaceAll('\r\n', '\n'))
  const last = pieces.pop() ?? ''
  return [
    ...pieces.map(piece => `{ __atelier_a '${piece}'; } 2>/dev/null`),
    `{ __atelier_b '${last}' ${previousExit}; } 2>/dev/null; eval "$__atelier_c"; { __atelier_e; } 2>/dev/null`,
  ]
}

/** Takes back what an earlier command was given and did not live to give back. */
export const UNSET_SECRETS_LINE = '{ __atelier_u; __atelier_w A; } 2>/dev/null'

/**
 * Lines to type so that the next command finds `value` in its environment, each when the one before has been answered by
 * `appended`. A variable that the shell has already stays as it is. It is gone after the command, unless that changed it.
 */
export function exportLines(variable: string, value: string): string[] {
  const pieces = escapedPieces(value).filter(piece => piece !== '')
  return [`{ __atelier_x ${variable}; } 2>/dev/null`, ...pieces, '']
}

/** Escapes for `printf %b`; a NUL cannot be part of a command. */
function escapedPieces(command: string): string[] {
  const pieces: string[] = []
  let piece = ''
  for (const byte of Buffer.from(command.replaceAll('\0', ''), 'utf8')) {
    const char = String.fromCharCode(byte)
    piece += /[\w #$%&()*+,./:;<=>?@[\]{|}~"^`-]/.test(char) ? char : `\\0${byte.toString(8).padStart(3, '0')}`
    if (piece.length < MAX_LINE_LENGTH - 120) continue
    pieces.push(piece)
    piece = ''
  }
  return [...pieces, piece]
}

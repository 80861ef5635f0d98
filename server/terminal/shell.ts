import type { SandboxHandle } from '../domain/sandbox-handle.ts'

/** Bash where the image has it, with its line editor and the person's start files. Nothing else but /bin/sh is needed. */
export const SHELL_ARGV = [
  '/bin/sh',
  '-c',
  '[ -n "$LC_ALL$LANG" ] || export LANG=C.UTF-8; command -v bash >/dev/null 2>&1 && exec bash -i; exec /bin/sh -i',
]

/** What programs may expect of xterm.js, which shows them. Secrets are given to commands that name them, never to a terminal. */
export const SHELL_ENV = { TERM: 'xterm-256color', COLORTERM: 'truecolor', TERM_PROGRAM: 'Atelier' }

const ASK_MS = 2_000

/**
 * Prints the name of the program that has the terminal of process $1, unless that is the process itself. In `stat`, the name
 * is in parentheses and may hold anything; the fields after it are state, ppid, pgrp, session, tty_nr, tpgid.
 */
const FOREGROUND = `
IFS= read -r line </proc/"$1"/stat || exit 0
set -- "$1" \${line##*) }
[ "$4" = "$7" ] && exit 0
IFS= read -r name </proc/"$7"/comm && echo "$name"
exit 0`

/** The program that runs in front of a shell now; undefined where it waits for a command, or nobody answers. */
export async function foregroundProgram(sandbox: SandboxHandle, pid: number): Promise<string | undefined> {
  const argv = ['/bin/sh', '-c', FOREGROUND, 'sh', String(pid)]
  const result = await sandbox.exec({ argv, cwd: '/', timeoutMs: ASK_MS, maxBytes: 256 }).catch(() => undefined)
  const name = result?.stdout.trim().replace(/[^\x20-\x7e]/g, '')
  return name || undefined
}

import { AppError } from '../../domain/errors.ts'

/** The variable under which a command finds a secret: its name, with `_` for what no shell takes. */
export function variableOf(name: string): string {
  return name.replace(/[^A-Za-z0-9_]/g, '_').replace(/^(?=\d)/, '_')
}

/** Variables that steer the shell, the loader or git: with another value, every command would do something else. */
const RESERVED =
  /^(PATH|HOME|PWD|OLDPWD|SHELL|USER|LOGNAME|TERM|IFS|ENV|PS[0-9]|TMPDIR|LANG|LC_\w+|BASH\w*|PROMPT_COMMAND|SHELLOPTS|LD_\w+|GIT_(SSH|ASKPASS|CONFIG|EXEC|DIR)\w*|__ATELIER\w*|_)$/i

/** @throws AppError bad_request */
export function refuseReserved(name: string): void {
  if (!RESERVED.test(variableOf(name))) return
  throw new AppError(
    'bad_request',
    `A secret cannot be named ${name}: the shell itself uses that variable. Choose another name.`,
  )
}

/** Whether a command names a secret: as a whole word, in either case. */
export function names(command: string, name: string): boolean {
  return [name, variableOf(name)].some(word => {
    const escaped = word.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
    return new RegExp(`(?<![A-Za-z0-9_])${escaped}(?![A-Za-z0-9_])`, 'i').test(command)
  })
}

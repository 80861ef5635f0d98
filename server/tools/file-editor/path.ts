import { posix } from 'node:path'
import type { SandboxHandle } from '../../domain/sandbox-handle.ts'
import { invalidParameter, type Problem } from './problem.ts'

const MAX_LISTED = 1000
const MAX_TYPOS = 2

/** @throws Problem for anything but an absolute path of the sandbox */
export async function checkPath(sandbox: SandboxHandle, path: string): Promise<string> {
  if (/^[a-z]:[\\/]|^\\\\/i.test(path)) {
    throw invalidParameter('path', path, 'This is a Windows path; in the sandbox, paths begin with `/`.')
  }
  if (path.includes('\0')) throw invalidParameter('path', path.replaceAll('\0', '\\0'), 'A path has no NUL character.')
  if (path.startsWith('/')) {
    const normal = posix.normalize(path)
    return normal.length > 1 ? normal.replace(/\/$/, '') : normal
  }
  const rule = 'The path should be an absolute path, starting with `/`.'
  if (path.trim() === '') throw invalidParameter('path', path, rule)
  const meant = posix.join(sandbox.workingDir, path)
  throw invalidParameter('path', path, `${rule} Maybe you meant ${meant}?`)
}

export async function missingFile(sandbox: SandboxHandle, path: string): Promise<Problem> {
  const meant = await suggestion(sandbox, path)
  const hint = meant ? ` Maybe you meant ${meant}?` : ''
  return invalidParameter('path', path, `The path ${path} does not exist. Please provide a valid path.${hint}`)
}

/** The same path under the working directory, else a name in the same folder that is almost the same. */
async function suggestion(sandbox: SandboxHandle, path: string): Promise<string | undefined> {
  const inside = posix.join(sandbox.workingDir, path)
  if (await sandbox.stat(inside)) return inside
  const folder = posix.dirname(path)
  const wanted = posix.basename(path)
  const list = 'cd -- "$1" 2>/dev/null && for name in * .[!.]*; do printf "%s\\n" "$name"; done'
  const { stdout } = await sandbox.exec({ argv: ['/bin/sh', '-c', list, 'sh', folder], cwd: '/' })
  const close = stdout
    .split('\n')
    .slice(0, MAX_LISTED)
    .filter(name => name !== '' && name !== wanted && Math.abs(name.length - wanted.length) <= MAX_TYPOS)
    .map(name => ({ name, typos: typosBetween(name.toLowerCase(), wanted.toLowerCase()) }))
    .filter(({ typos }) => typos <= MAX_TYPOS)
    .sort((one, other) => one.typos - other.typos)[0]
  return close && posix.join(folder, close.name)
}

/** Levenshtein's distance, or more than `MAX_TYPOS` where it is more: what lies further off the diagonal cannot matter. */
function typosBetween(one: string, other: string): number {
  const far = MAX_TYPOS + 1
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i++) {
    const next: number[] = []
    for (let j = Math.max(0, i - MAX_TYPOS); j <= Math.min(other.length, i + MAX_TYPOS); j++) {
      const same = one[i - 1] === other[j - 1] ? 0 : 1
      const [above = far, left = far, diagonal = far] = [row[j], next[j - 1], row[j - 1]]
      next[j] = j === 0 ? i : Math.min(above + 1, left + 1, diagonal + same)
    }
    row = next
  }
  return row[other.length] ?? far
}

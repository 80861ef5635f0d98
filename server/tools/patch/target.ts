import { posix } from 'node:path'
import type { SandboxHandle } from '../../domain/sandbox-handle.ts'
import { Problem } from '../file-editor/problem.ts'

/** A file of the patch and where it really is, all links followed. */
export interface PatchTarget {
  target: string
  exists: boolean
}

/**
 * Follows links by hand, so that any image will do. $1 is the working directory, then the paths. Told are its real path,
 * then for each path the real one and what is there, each with a NUL behind it.
 */
const RESOLVE = `
root=$(cd -P -- "$1" && pwd -P) || exit 1
shift
printf '%s\\000' "$root"
for path; do
  at=$root/$path hops=0
  while [ -L "$at" ] && [ "$hops" -lt 40 ]; do
    hops=$((hops + 1))
    to=$(readlink "$at" 2>/dev/null) || { to=$(ls -ld "$at"); to=\${to#*" $at -> "}; }
    case $to in /*) at=$to ;; *) at=\${at%/*}/$to ;; esac
  done
  folder=\${at%/*} rest=\${at##*/}
  while [ -n "$folder" ] && [ ! -d "$folder" ]; do
    rest=\${folder##*/}/$rest folder=\${folder%/*}
  done
  real=$(cd -P -- "\${folder:-/}" 2>/dev/null && pwd -P) kind=none
  case /$rest/ in */../*|*/./*) kind=other ;; esac
  if [ -L "$at" ] || [ -z "$real" ]; then kind=other
  elif [ -f "$at" ]; then kind=file
  elif [ -d "$at" ]; then kind=directory
  elif [ -e "$at" ]; then kind=other; fi
  printf '%s\\000%s\\000' "\${real%/}/$rest" "$kind"
done`

/** @throws Problem for a path that is not relative or leads out of the working directory, also through links */
export async function resolvePaths(
  sandbox: SandboxHandle,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, PatchTarget>> {
  const argv = ['/bin/sh', '-c', RESOLVE, 'sh', sandbox.workingDir, ...paths]
  const { exitCode, stdout, stderr } = await sandbox.exec({ argv, cwd: '/', signal })
  if (exitCode !== 0) throw new Problem(`The working directory cannot be entered: ${stderr.trim()}`)
  const [root = '/', ...fields] = stdout.split('\0')
  const places = new Map<string, PatchTarget>()
  for (const [index, path] of paths.entries()) {
    const target = fields[index * 2] ?? ''
    const kind = fields[index * 2 + 1]
    const inside = root === '/' ? target.startsWith('/') : target.startsWith(`${root}/`)
    if (!inside) {
      throw new Problem(
        `${path} leads out of the working directory, to ${target}. A patch stays inside: nothing was changed.`,
      )
    }
    if (kind !== 'file' && kind !== 'none') {
      throw new Problem(`${path} is ${kind === 'directory' ? 'a directory' : 'not a file'}. Nothing was changed.`)
    }
    places.set(path, { target, exists: kind === 'file' })
  }
  return places
}

/** @throws Problem for anything but a relative path that stays below */
export function relativePath(sandbox: SandboxHandle, path: string): string {
  const normal = posix.normalize(path)
  const refuse = (why: string) => new Problem(`Invalid path in the patch: ${path}. ${why} Nothing was changed.`)
  if (/^[a-z]:[\\/]|^\\\\/i.test(path)) throw refuse('This is a Windows path; paths of a patch are relative, with `/`.')
  if (path.includes('\0')) throw refuse('A path has no NUL character.')
  if (path.startsWith('/')) {
    const relative = posix.relative(sandbox.workingDir, normal)
    const hint = relative !== '' && !relative.startsWith('..') ? ` Write ${relative}.` : ''
    throw refuse(`Paths of a patch are relative to the working directory ${sandbox.workingDir}.${hint}`)
  }
  if (path.startsWith('~')) throw refuse('Paths of a patch are relative to the working directory; `~` is not known.')
  if (normal === '..' || normal.startsWith('../')) throw refuse('It leads out of the working directory.')
  if (normal === '.' || path.endsWith('/')) throw refuse('Name a file.')
  return normal
}

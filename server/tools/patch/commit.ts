import { posix } from 'node:path'
import { randomToken } from '../../domain/ids.ts'
import type { SandboxHandle } from '../../domain/sandbox-handle.ts'
import { Problem } from '../file-editor/problem.ts'

export interface FileChange {
  /** real, absolute */
  target: string
  /** undefined: the file goes */
  content: Buffer | undefined
  /** The file whose mode and owner a new file gets. */
  like: string | undefined
}

/**
 * All or none. First everything that can fail is done beside the files, then they are exchanged one after the other by
 * renaming; where that fails in the middle, what was there comes back. It runs to its end also when nobody waits for it.
 * $1 is the folder with the new contents, then for each file: \`write\` or \`remove\`, its path, and the file it is to be like.
 */
const COMMIT = `
stage=$1
shift
trap 'rm -rf -- "$stage"' EXIT
trap '' HUP INT TERM
prepare() {
  n=0
  while [ $# -gt 0 ]; do
    if [ -f "$2" ]; then cp -p -- "$2" "$stage/$n.old" || return; fi
    if [ "$1" = write ]; then
      mkdir -p -- "\${2%/*}" || return
      if [ -n "$3" ]; then cp -p -- "$3" "$stage/$n.new" && cat "$stage/$n" >"$stage/$n.new" || return
      else mv -f -- "$stage/$n" "$stage/$n.new" || return; fi
    fi
    n=$((n + 1))
    shift 3
  done
}
exchange() {
  n=0
  while [ $# -gt 0 ]; do
    if [ "$1" = write ]; then mv -f -- "$stage/$n.new" "$2" || return
    else rm -f -- "$2" || return; fi
    n=$((n + 1))
    shift 3
  done
}
back() {
  done=$1 n=0
  shift
  while [ $# -gt 0 ] && [ "$n" -le "$done" ]; do
    if [ -f "$stage/$n.old" ]; then mv -f -- "$stage/$n.old" "$2"; else rm -f -- "$2"; fi
    n=$((n + 1))
    shift 3
  done
}
prepare "$@" || exit 1
exchange "$@" || { back "$n" "$@"; exit 1; }`

/** @throws Problem when not all of it could be done; nothing has changed then */
export async function commitChanges(sandbox: SandboxHandle, changes: readonly FileChange[]): Promise<void> {
  const stage = posix.join(sandbox.workingDir, `.atelier-patch-${randomToken(8)}`)
  await sandbox.writeFile(posix.join(stage, 'patch'), Buffer.alloc(0))
  for (const [index, { content }] of changes.entries()) {
    if (content) await sandbox.writeFile(posix.join(stage, String(index)), content)
  }
  const steps = changes.flatMap(({ target, content, like }) => [content ? 'write' : 'remove', target, like ?? ''])
  const argv = ['/bin/sh', '-c', COMMIT, 'sh', stage, ...steps]
  const { exitCode, stderr } = await sandbox.exec({ argv, cwd: '/' })
  if (exitCode !== 0) throw new Problem(`The patch could not be written, and nothing was changed: ${stderr.trim()}`)
}

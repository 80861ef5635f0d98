import { BOUNDS } from '../../domain/bounds.ts'
import { AppError } from '../../domain/errors.ts'
import { randomToken } from '../../domain/ids.ts'
import { fileNameBytes } from '../../text/file-names.ts'
import { atCheckpoints } from '../checkpoint/script.ts'
import type { Tree } from '../checkpoint/trees.ts'
import { type FilePair, gone, type KeptTree } from './trees.ts'

/**
 * The tree `here` with files of `there`, whose contents are brought over. It is no checkpoint yet.
 * @param files each becomes what it is there
 * @throws AppError git_refused in git's words, conflict where a file is not kept any more
 */
export async function treeWith(
  here: KeptTree,
  there: KeptTree,
  files: readonly FilePair[],
  signal: AbortSignal,
): Promise<Tree> {
  const objects = [...new Set(files.flatMap(file => file.there?.object ?? []))]
  if (objects.length > 0) await bring(here, there, objects, signal)
  const none = '0'.repeat(here.tree.length)
  const line = (file: string, path: string) => [Buffer.from(`${file}\t`), fileNameBytes(path), Buffer.alloc(1)]
  const removed = files.flatMap(({ path }) => line(`0 ${none}`, path))
  const added = files.flatMap(({ path, there: file }) => (file ? line(`${file.mode} ${file.object}`, path) : []))
  const script = `${atCheckpoints(here.conversation, here.sandbox.workingDir)}
GIT_INDEX_FILE=$GIT_DIR/taken.$$; export GIT_INDEX_FILE
git read-tree "$1" && git update-index -z --replace --index-info && git write-tree
ended=$?
rm -f -- "$GIT_INDEX_FILE" "$GIT_INDEX_FILE.lock"
exit $ended`
  const argv = ['/bin/sh', '-c', script, 'sh', here.tree]
  const stdin = Buffer.concat([...removed, ...added])
  const { exitCode, stdout, stderr } = await here.sandbox.exec({ argv, cwd: '/', stdin, signal })
  const tree = stdout.trim()
  if (exitCode !== 0 || !/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(tree)) throw refused(stderr)
  return tree
}

/** Loose, as the store is pruned by objects. */
const UNPACK = `size=$(wc -c <"$1")
grown=0
if [ -e "$GIT_DIR/grown" ]; then read -r grown <"$GIT_DIR/grown"; fi
case $grown in ''|*[!0-9]*) grown=0 ;; esac
echo $((grown + size / 1024)) >"$GIT_DIR/grown"
git unpack-objects -q <"$1"`

/** $1 the file. Nobody else may have put one there. */
const PACK = `umask 077
set -C
git pack-objects -q --stdout --threads=1 --window=0 >"$1"`

async function bring(here: KeptTree, there: KeptTree, objects: readonly string[], signal: AbortSignal): Promise<void> {
  const limitMs = BOUNDS.sandboxLongCommand.limit
  // Named here, so that they are known to whoever removes them, however the commands end.
  const from = `/tmp/atelier-taken-${randomToken(8)}`
  const to = `/tmp/atelier-taken-${randomToken(8)}`
  const run = ({ sandbox, conversation }: KeptTree, script: string, file: string, stdin?: string) => {
    const argv = ['/bin/sh', '-c', `${atCheckpoints(conversation, sandbox.workingDir)}\n${script}`, 'sh', file]
    return sandbox.exec({ argv, cwd: '/', ...(stdin !== undefined && { stdin }), limitMs, signal })
  }
  try {
    const packed = await run(there, PACK, from, `${objects.join('\n')}\n`)
    if (packed.exitCode !== 0) throw gone()
    const { sizeBytes, content } = await there.sandbox.sendFile(from)
    if (sizeBytes > BOUNDS.checkpointStore.limit) {
      content.destroy()
      throw refused('they are too large to be taken together. Take fewer of them at once.')
    }
    await here.sandbox.receiveFile(to, content, signal).finally(() => content.destroy())
    const { exitCode, stderr } = await run(here, UNPACK, to)
    if (exitCode !== 0) throw refused(stderr)
  } finally {
    const remove = ({ sandbox }: KeptTree, file: string) =>
      sandbox.exec({ argv: ['rm', '-f', '--', file], cwd: '/' }).catch(() => {})
    await Promise.all([remove(there, from), remove(here, to)])
  }
}

function refused(said: string): AppError {
  const reason = said.trim().slice(-500) || 'git gave no reason'
  return new AppError('git_refused', `The files could not be taken: ${reason}`)
}

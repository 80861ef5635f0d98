import { KIB } from '../../domain/bounds/bound.ts'
import { BOUNDS } from '../../domain/bounds.ts'
import type { SandboxHandle } from '../../domain/sandbox-handle.ts'
import { atCheckpoints, DUE, handOverScript, LACKING, pruneScript, takeScript } from './script.ts'

/** The files of a conversation at one moment: the name of git's tree of them. */
export type Tree = string

const TREE = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/

/** As much of what git says as a person reads, its end. */
const MAX_SAID = 500

/**
 * `lacking`: the image has not the programs that it takes. `said`: why nothing can be kept, in git's words. `shown`: the tree
 * without what is kept only because another tree is to be restored next.
 */
export type Taken =
  | { kind: 'tree'; tree: Tree; shown: Tree; isPruningDue: boolean }
  | { kind: 'lacking' }
  | { kind: 'failed'; said: string; isPruningDue: boolean }

/**
 * The tree of the files as they are now.
 * @param next the tree that is to be restored after that: what would be lost by that is kept too
 */
export async function takeTree(
  sandbox: SandboxHandle,
  { conversation, next }: { conversation: string; next?: Tree },
  signal: AbortSignal,
): Promise<Taken> {
  const script = `${takeScript(conversation, sandbox.workingDir)}${next ? 'take_for "$1"' : 'take'}; due`
  const argv = ['/bin/sh', '-c', script, 'sh', next ?? '']
  const { stdout, stderr } = await sandbox.exec({ argv, cwd: '/', limitMs: BOUNDS.checkpoint.limit, signal })
  const lines = stdout.trim().split('\n')
  const isPruningDue = lines.includes(DUE)
  const [tree = '', shown = tree] = lines.filter(line => line !== DUE)
  if (tree === LACKING) return { kind: 'lacking' }
  if (!TREE.test(tree) || !TREE.test(shown))
    return { kind: 'failed', said: stderr.trim().slice(-MAX_SAID), isPruningDue }
  return { kind: 'tree', tree, shown, isPruningDue }
}

/**
 * Removes what belongs to none of these trees.
 * @returns those of them that are still there, and what they take in bytes; null where git failed
 */
export async function pruneTrees(
  sandbox: SandboxHandle,
  { conversation, trees }: { conversation: string; trees: readonly Tree[] },
  signal: AbortSignal,
): Promise<{ found: ReadonlySet<Tree>; bytes: number } | null> {
  const argv = ['/bin/sh', '-c', pruneScript(conversation, sandbox.workingDir), 'sh', ...new Set(trees)]
  const { exitCode, stdout } = await sandbox.exec({ argv, cwd: '/', signal })
  if (exitCode !== 0) return null
  const kib = [...stdout.matchAll(/^size(?:-pack)?: (\d{1,12})$/gm)].reduce((sum, [, size]) => sum + Number(size), 0)
  return { found: new Set(stdout.split('\n').filter(line => TREE.test(line))), bytes: kib * KIB }
}

/** In a copy of the sandbox of `from`: what was kept there is kept for `to`. Where nothing was, nothing happens. */
export async function handOverTrees(
  sandbox: SandboxHandle,
  { from, to }: { from: string; to: string },
  signal: AbortSignal,
): Promise<void> {
  await sandbox.exec({ argv: ['/bin/sh', '-c', handOverScript(from, to)], cwd: '/', signal })
}

/** A file is not any more what it was when the tree of now was taken. */
const CHANGED = 9

/**
 * Defines `ready`, whether git would make the files those of $2, and `make_way`: pipes, sockets and devices have no content
 * that could be lost, but git takes one for a file of somebody, also where a folder belongs. What a link leads to, and what is
 * behind one, is no file of the working directory.
 */
const WAYS = `ready() { git read-tree -n -m -u "$1" "$2"; }
make_way() {
  git diff-tree -r -z --name-only --diff-filter=A "$1" "$2" | sed -z 's|^|./|' | xargs -0 -r sh -c 'for path; do
    special=
    until [ "$path" = . ]; do
      if [ -L "$path" ]; then special=
      elif [ -p "$path" ] || [ -S "$path" ] || [ -b "$path" ] || [ -c "$path" ]; then special=$path; fi
      path=\${path%/*}
    done
    if [ "$special" ]; then rm -f -- "$special"; fi
  done' sh
}`

/**
 * Makes the files what they are in a tree. What it did not keep stays: ignored and large files, and whatever git itself has
 * of a repository. Only files that differ between the two trees are written, and none where one of them has changed since
 * `from` was taken: git looks at each of them once more.
 * @param from the tree of the files as they are now, and of the index
 * @returns whether that was done and to how many files, and what git said where it was not
 */
export async function restoreTree(
  sandbox: SandboxHandle,
  { conversation, from, tree }: { conversation: string; from: Tree; tree: Tree },
  signal: AbortSignal,
): Promise<{ kind: 'done'; files: number } | { kind: 'changed' } | { kind: 'failed'; said: string }> {
  const script = `${atCheckpoints(conversation, sandbox.workingDir)}
cd -- "$GIT_WORK_TREE" && git cat-file -e "$1" && git cat-file -e "$2" || exit
${WAYS}
ready "$1" "$2" || { make_way "$1" "$2"; ready "$1" "$2"; } || exit ${CHANGED}
git read-tree -m -u "$1" "$2" && git diff-tree -r --name-only -z "$1" "$2" | tr -cd '\\0' | wc -c`
  const argv = ['/bin/sh', '-c', script, 'sh', from, tree]
  const { exitCode, stdout, stderr } = await sandbox.exec({ argv, cwd: '/', signal })
  if (exitCode === CHANGED) return { kind: 'changed' }
  return exitCode === 0
    ? { kind: 'done', files: Number(stdout.trim()) || 0 }
    : { kind: 'failed', said: stderr.trim().slice(-MAX_SAID) }
}

export interface TreeChanges {
  files: number
  /** Of files that git takes for text. */
  additions: number
  deletions: number
}

/** How much two trees differ; null where git cannot tell. */
export async function countChanges(
  sandbox: SandboxHandle,
  { conversation, from, tree }: { conversation: string; from: Tree; tree: Tree },
  signal: AbortSignal,
): Promise<TreeChanges | null> {
  const script = `${atCheckpoints(conversation, sandbox.workingDir)}
git diff-tree -r --numstat --no-renames "$1" "$2"`
  const argv = ['/bin/sh', '-c', script, 'sh', from, tree]
  const { exitCode, stdout } = await sandbox.exec({ argv, cwd: '/', signal, maxBytes: BOUNDS.attemptChangeList.limit })
  if (exitCode !== 0) return null
  const lines = stdout.split('\n').filter(line => line !== '')
  const sum = (column: number) => lines.reduce((total, line) => total + lineCount(line.split('\t')[column]), 0)
  return { files: lines.length, additions: sum(0), deletions: sum(1) }
}

/** 0 for a binary file, and for what git does not write: a sandbox may have any program of that name. */
function lineCount(text = ''): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : 0
}

import type { ReviewFile, ReviewSide } from '../../api/v1/conversation/review.ts'
import { MIB } from '../../domain/bounds/bound.ts'
import { BOUNDS } from '../../domain/bounds.ts'
import { AppError } from '../../domain/errors.ts'
import { randomToken } from '../../domain/ids.ts'
import type { SandboxHandle } from '../../domain/sandbox-handle.ts'
import { shellQuote } from '../../text/shell-quote.ts'
import { tooLarge } from '../changes.ts'
import { atCheckpoints } from '../checkpoint/script.ts'
import type { Tree } from '../checkpoint/trees.ts'
import { MAX_IMAGE_BYTES, sideOf } from './content.ts'
import { isWhole, parseRepositories } from './files.ts'

/** A tree that a conversation keeps in its sandbox. */
export interface KeptTree {
  sandbox: SandboxHandle
  conversation: string
  tree: Tree
}

/** A file of a tree, as git writes its mode, and the name of its content. */
interface TreeFile {
  mode: string
  object: string
}

export interface FilePair {
  path: string
  here: TreeFile | null
  there: TreeFile | null
}

/** How many folders are listed by one command. */
const MAX_TREES = 500
const MAX_LIST_BYTES = 8 * MIB

/** Each folder's files and folders, and an empty field after each. */
const LIST = `for tree; do git ls-tree --full-tree -z "$tree" || exit; printf '\\0'; done`

/**
 * The files that differ between two trees in different sandboxes, by path. Only folders that differ are read, level by
 * level: two large trees that are nearly the same take little.
 * @returns `complete`: false where there are more files, or more folders that differ, than BOUNDS.repositoryChanges
 * @throws AppError git_refused
 */
export async function differingFiles(
  here: KeptTree,
  there: KeptTree,
  signal: AbortSignal,
): Promise<{ files: FilePair[]; complete: boolean }> {
  const { limit } = BOUNDS.repositoryChanges
  let files: FilePair[] = []
  let pairs: FolderPair[] = here.tree === there.tree ? [] : [{ path: '', here: here.tree, there: there.tree }]
  let read = 0
  let isCut = false
  // A sandbox may have any program of git's name, which may tell of ever more folders.
  while (pairs.length > 0 && files.length <= limit && read < limit) {
    const batch = pairs.splice(0, MAX_TREES)
    read += batch.length
    const [mine, theirs] = await Promise.all([
      listFolders(here, names(batch, 'here'), signal),
      listFolders(there, names(batch, 'there'), signal),
    ])
    for (const pair of batch) {
      const found = compareFolder(pair.path, mine.get(pair.here ?? ''), theirs.get(pair.there ?? ''))
      files = files.concat(found.files)
      pairs = pairs.concat(found.folders)
    }
    isCut ||= pairs.length > limit
    pairs = pairs.slice(0, limit)
  }
  const sorted = files.sort((a, b) => (a.path < b.path ? -1 : 1))
  return { files: sorted.slice(0, limit), complete: files.length <= limit && pairs.length === 0 && !isCut }
}

interface FolderPair {
  path: string
  here: string | null
  there: string | null
}

function names(pairs: readonly FolderPair[], side: 'here' | 'there'): string[] {
  return [...new Set(pairs.flatMap(pair => pair[side] ?? []))]
}

type Folder = Map<string, TreeFile>

async function listFolders(
  { sandbox, conversation }: KeptTree,
  trees: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, Folder>> {
  if (trees.length === 0) return new Map()
  const argv = ['/bin/sh', '-c', `${atCheckpoints(conversation, sandbox.workingDir)}\n${LIST}`, 'sh', ...trees]
  const { exitCode, stdout, stderr } = await sandbox.exec({ argv, cwd: '/', maxBytes: MAX_LIST_BYTES, signal })
  if (exitCode !== 0) throw notCompared(stderr)
  const folders = new Map<string, Folder>()
  let folder: Folder = new Map()
  // The last one is not ended.
  for (const field of stdout.split('\0').slice(0, -1)) {
    const [, mode, object, name] = ENTRY.exec(field) ?? []
    if (mode && object && name) folder.set(name, { mode, object })
    else if (field === '') {
      const tree = trees[folders.size]
      if (tree) folders.set(tree, folder)
      folder = new Map()
    }
  }
  // A list that was cut would look as if files were missing.
  if (folders.size < trees.length) throw notCompared('the folders that differ hold too many files')
  return folders
}

const ENTRY = /^([0-7]{6}) (?:blob|tree|commit) ([0-9a-f]{40}(?:[0-9a-f]{24})?)\t([^/]+)$/s
const FOLDER = '040000'

function compareFolder(path: string, here: Folder = new Map(), there: Folder = new Map()) {
  const files: FilePair[] = []
  const folders: FolderPair[] = []
  for (const name of new Set([...here.keys(), ...there.keys()])) {
    const [mine = null, theirs = null] = [here.get(name), there.get(name)]
    if (mine?.object === theirs?.object && mine?.mode === theirs?.mode) continue
    const isFolder = { here: mine?.mode === FOLDER, there: theirs?.mode === FOLDER }
    const at = path === '' ? name : `${path}/${name}`
    if (isFolder.here || isFolder.there) {
      folders.push({
        path: at,
        here: isFolder.here && mine ? mine.object : null,
        there: isFolder.there && theirs ? theirs.object : null,
      })
    }
    const file = { path: at, here: isFolder.here ? null : mine, there: isFolder.there ? null : theirs }
    if (file.here || file.there) files.push(file)
  }
  return { files, folders }
}

/** What has become of each file since another tree of the same conversation; null where that one is not there, or too much has. */
export async function changesBetween(
  { sandbox, conversation, tree }: KeptTree,
  from: Tree,
  signal: AbortSignal,
): Promise<ReviewFile[] | null> {
  const script = `${atCheckpoints(conversation, sandbox.workingDir)}
printf '.\\0' && git diff-tree -r -z --no-renames --raw --numstat --abbrev=7 "$1" "$2" && printf '\\0'`
  const argv = ['/bin/sh', '-c', script, 'sh', from, tree]
  const { exitCode, stdout } = await sandbox.exec({ argv, cwd: '/', maxBytes: MAX_LIST_BYTES, signal })
  // Behind a cut nothing would seem to have changed.
  return exitCode === 0 && isWhole(stdout, MAX_LIST_BYTES)
    ? parseRepositories(stdout).flatMap(({ files }) => files)
    : null
}

/** $1 what is read, $2 the greatest size. */
const CONTENT = `object=$(git rev-parse -q --verify "$1") || exit 4
[ "$(git cat-file -t "$object")" = blob ] || exit 4
[ "$(git cat-file -s "$object")" -le "$2" ] || exit 5
git cat-file blob "$object" | base64 | tr -d '\\n'`

/** A file as a tree has it; null where it has none. @throws AppError file_too_large, conflict */
export async function readKept(kept: KeptTree, path: string, signal: AbortSignal): Promise<ReviewSide | null> {
  const { sandbox, conversation, tree } = kept
  const script = `${atCheckpoints(conversation, sandbox.workingDir)}
git cat-file -e "$3" || exit 6
${CONTENT}`
  const argv = ['/bin/sh', '-c', script, 'sh', `${tree}:${path}`, String(MAX_IMAGE_BYTES), tree]
  const { exitCode, stdout } = await sandbox.exec({ argv, cwd: '/', maxBytes: 3 * MAX_IMAGE_BYTES, signal })
  if (exitCode === 4) return null
  if (exitCode === 5) throw tooLarge(path)
  if (exitCode !== 0) throw gone()
  return sideOf(stdout, path)
}

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
  const removed = files.map(({ path }) => `0 ${none}\t${path}\0`)
  const added = files.flatMap(({ path, there: file }) => (file ? `${file.mode} ${file.object}\t${path}\0` : []))
  const script = `${atCheckpoints(here.conversation, here.sandbox.workingDir)}
GIT_INDEX_FILE=$GIT_DIR/taken.$$; export GIT_INDEX_FILE
git read-tree "$1" && git update-index -z --replace --index-info && git write-tree
ended=$?
rm -f -- "$GIT_INDEX_FILE" "$GIT_INDEX_FILE.lock"
exit $ended`
  const argv = ['/bin/sh', '-c', script, 'sh', here.tree]
  const stdin = [...removed, ...added].join('')
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

async function bring(here: KeptTree, there: KeptTree, objects: readonly string[], signal: AbortSignal): Promise<void> {
  const limitMs = BOUNDS.sandboxLongCommand.limit
  const packed = await there.sandbox.exec({
    argv: [
      '/bin/sh',
      '-c',
      `${atCheckpoints(there.conversation, there.sandbox.workingDir)}
file=$(mktemp) && { git pack-objects -q --stdout --threads=1 --window=0 >"$file" || { rm -f -- "$file"; exit 1; }; } && printf %s "$file"`,
    ],
    cwd: '/',
    stdin: `${objects.join('\n')}\n`,
    limitMs,
    signal,
  })
  if (packed.exitCode !== 0) throw gone()
  const from = packed.stdout
  const to = `/tmp/atelier-taken-${randomToken(8)}`
  const remove = (sandbox: SandboxHandle, file: string) =>
    sandbox.exec({ argv: ['rm', '-f', '--', file], cwd: '/' }).catch(() => {})
  try {
    const { sizeBytes, content } = await there.sandbox.sendFile(from)
    if (sizeBytes > BOUNDS.checkpointStore.limit) {
      content.destroy()
      throw refused('they are too large to be taken together. Take fewer of them at once.')
    }
    await here.sandbox.receiveFile(to, content, signal)
    const script = `${atCheckpoints(here.conversation, here.sandbox.workingDir)}\nset -- ${shellQuote(to)}\n${UNPACK}`
    const { exitCode, stderr } = await here.sandbox.exec({ argv: ['/bin/sh', '-c', script], cwd: '/', limitMs, signal })
    if (exitCode !== 0) throw refused(stderr)
  } finally {
    await remove(there.sandbox, from)
    await remove(here.sandbox, to)
  }
}

function refused(said: string): AppError {
  const reason = said.trim().slice(-500) || 'git gave no reason'
  return new AppError('git_refused', `The files could not be taken: ${reason}`)
}

function gone(): AppError {
  return new AppError('conflict', 'The sandbox has not kept these files any more. Compare again.')
}

function notCompared(said: string): AppError {
  const reason = said.trim().slice(-500) || 'git gave no reason'
  return new AppError('git_refused', `The files could not be compared: ${reason}`)
}

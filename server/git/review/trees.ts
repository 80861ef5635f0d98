import { createHash } from 'node:crypto'
import type { SideChange } from '../../api/v1/conversation/comparisons.ts'
import type { ReviewSide } from '../../api/v1/conversation/review.ts'
import { MIB } from '../../domain/bounds/bound.ts'
import { BOUNDS } from '../../domain/bounds.ts'
import { AppError } from '../../domain/errors.ts'
import type { SandboxHandle } from '../../domain/sandbox-handle.ts'
import { shownFileName } from '../../text/file-names.ts'
import { tooLarge } from '../changes.ts'
import { atCheckpoints } from '../checkpoint/script.ts'
import type { Tree } from '../checkpoint/trees.ts'
import { MAX_IMAGE_BYTES, sideOf } from './content.ts'
import { isWhole } from './files.ts'

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
  /** As `shownFileName` shows it. */
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
  const { exitCode, stdout, stderr } = await sandbox.exec({
    argv,
    cwd: '/',
    encoding: 'latin1',
    maxBytes: MAX_LIST_BYTES,
    signal,
  })
  if (exitCode !== 0) throw notCompared(stderr)
  const folders = new Map<string, Folder>()
  let folder: Folder = new Map()
  // The last one is not ended.
  for (const field of stdout.split('\0').slice(0, -1)) {
    const [, mode, object, name] = ENTRY.exec(field) ?? []
    if (mode && object && name) folder.set(shownFileName(name), { mode, object })
    else if (field === '') {
      const tree = trees[folders.size]
      if (tree) folders.set(tree, folder)
      folder = new Map()
    } else throw notCompared('git listed something that is no file of a checkpoint')
  }
  // A list that was cut would look as if files were missing.
  if (folders.size < trees.length) throw notCompared('the folders that differ hold too many files')
  return folders
}

/** A file, one that can be run, a link or a folder: a checkpoint keeps nothing else. */
const ENTRY = /^(100644|100755|120000|040000) (?:blob|tree) ([0-9a-f]{40}(?:[0-9a-f]{24})?)\t([^/]+)$/s
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

/** What has become of a file, with what it was before that and is after it; null where there is none. */
export type KeptChange = SideChange & { before: TreeFile | null; after: TreeFile | null }

/** What has become of each file since another tree of the same conversation; null where that one is not there, or too much has. */
export async function changesBetween(
  { sandbox, conversation, tree }: KeptTree,
  from: Tree,
  signal: AbortSignal,
): Promise<Map<string, KeptChange> | null> {
  const script = `${atCheckpoints(conversation, sandbox.workingDir)}
git diff-tree -r -z --no-renames --raw --numstat --no-abbrev "$1" "$2"`
  const argv = ['/bin/sh', '-c', script, 'sh', from, tree]
  const { exitCode, stdout } = await sandbox.exec({
    argv,
    cwd: '/',
    encoding: 'latin1',
    maxBytes: MAX_LIST_BYTES,
    signal,
  })
  // Behind a cut nothing would seem to have changed.
  return exitCode === 0 && isWhole(stdout, MAX_LIST_BYTES) ? parseChanges(stdout) : null
}

const RAW = /^:([0-7]{6}) ([0-7]{6}) ([0-9a-f]{40,64}) ([0-9a-f]{40,64}) ([ADMT])$/
const COUNTS = /^(\d{1,9}|-)\t(\d{1,9}|-)\t(.+)$/s
const STATUS: Readonly<Record<string, SideChange['status']>> = { A: 'ADDED', D: 'DELETED' }

/** First the raw lines of all files, then the counts of all. */
function parseChanges(output: string): Map<string, KeptChange> {
  const changes = new Map<string, KeptChange>()
  const fields = output.split('\0')
  for (let at = 0; at < fields.length; at++) {
    const [, oldMode = '', newMode = '', before = '', after = '', letter = ''] = RAW.exec(fields[at] ?? '') ?? []
    if (letter) {
      const status = STATUS[letter] ?? 'UPDATED'
      const path = shownFileName(fields[++at] ?? '')
      const kept = { before: keptFile(oldMode, before), after: keptFile(newMode, after) }
      changes.set(path, { status, additions: null, deletions: null, ...kept })
      continue
    }
    const [, additions = '-', deletions = '-', name = ''] = COUNTS.exec(fields[at] ?? '') ?? []
    const change = changes.get(shownFileName(name))
    if (!change || additions === '-' || deletions === '-') continue
    change.additions = Number(additions)
    change.deletions = Number(deletions)
  }
  return changes
}

function keptFile(mode: string, object: string): TreeFile | null {
  return /^0+$/.test(object) ? null : { mode, object }
}

/** $1 what is read, $2 the greatest size. */
const CONTENT = `[ "$(git cat-file -t "$1")" = blob ] || exit 6
[ "$(git cat-file -s "$1")" -le "$2" ] || exit 5
git cat-file blob "$1" | base64 | tr -d '\\n'`

/**
 * A content that a conversation keeps, by its name. A sandbox may have any program of git's name: what it gives is looked at,
 * as a person decides by it. @param path as which it is shown @throws AppError file_too_large, conflict
 */
export async function readKept(
  { sandbox, conversation }: Pick<KeptTree, 'sandbox' | 'conversation'>,
  { object, path }: { object: string; path: string },
  signal: AbortSignal,
): Promise<ReviewSide> {
  const script = `${atCheckpoints(conversation, sandbox.workingDir)}\n${CONTENT}`
  const argv = ['/bin/sh', '-c', script, 'sh', object, String(MAX_IMAGE_BYTES)]
  const { exitCode, stdout } = await sandbox.exec({ argv, cwd: '/', maxBytes: 3 * MAX_IMAGE_BYTES, signal })
  if (exitCode === 5) throw tooLarge(path)
  if (exitCode !== 0 || nameOf(Buffer.from(stdout, 'base64'), object.length) !== object) throw gone()
  return sideOf(stdout, path)
}

/** As git names it, by SHA-1 or, in a store of that kind, SHA-256: https://git-scm.com/book/en/v2/Git-Internals-Git-Objects */
function nameOf(bytes: Buffer, digits: number): string {
  return createHash(digits === 40 ? 'sha1' : 'sha256')
    .update(`blob ${bytes.length}\0`)
    .update(bytes)
    .digest('hex')
}

export function gone(): AppError {
  return new AppError('conflict', 'The sandbox has not kept these files any more. Compare again.')
}

function notCompared(said: string): AppError {
  const reason = said.trim().slice(-500) || 'git gave no reason'
  return new AppError('git_refused', `The files could not be compared: ${reason}`)
}

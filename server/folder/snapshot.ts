import { basename } from 'node:path'
import type { Readable } from 'node:stream'
import { BOUNDS } from '../domain/bounds.ts'
import { AppError } from '../domain/errors.ts'
import { listChanges, measure } from './files.ts'
import type { OpenFolder } from './open.ts'

/** What of a folder is copied, as objects of git. */
export interface Snapshot {
  /** The commit that changes are compared with: the last one of the folder, or its files. */
  head: string
  /** The same with what is not committed; `head` when there is nothing. */
  start: string
  /** null when none was checked out. */
  branch: string | null
  /** Branches and tags by their full names. */
  refs: ReadonlyMap<string, string>
  shallow: readonly string[]
  leftOut: string[]
}

/** @throws AppError bad_request in words for what cannot be copied, and the signal's reason */
export async function takeSnapshot(
  { path, git, repository }: OpenFolder,
  { includeChanges, signal }: { includeChanges: boolean; signal: AbortSignal },
): Promise<Snapshot> {
  const found = { branch: repository?.branch ?? null, shallow: repository?.shallow ?? [] }
  const head = repository?.head ?? null
  if (head) await requireCommit(git, head, signal)
  const refs = repository ? await existing(git, repository.refs, signal) : new Map<string, string>()
  if (head && !includeChanges) return { ...found, head, start: head, refs, leftOut: [] }
  const leftOut = await addChanges({ path, git, repository }, signal)
  const tree = (await git.need(['write-tree'], { signal })).trim()
  const before = head && (await git.need(['rev-parse', `${head}^{tree}`], { signal })).trim()
  if (head && before === tree) return { ...found, head, start: head, refs, leftOut }
  const message = head ? 'Uncommitted changes' : `Files of ${basename(path)}`
  const parents = head ? ['-p', head] : []
  const start = (await git.need(['commit-tree', ...parents, '-F', '-', tree], { input: message, signal })).trim()
  return { ...found, head: head ?? start, start, refs, leftOut }
}

/** Everything that the snapshot names, as one pack. */
export function packOf(
  { git }: OpenFolder,
  { head, start, refs }: Snapshot,
  signal: AbortSignal,
): { content: Readable; ended: Promise<void> } {
  const wanted = [...new Set([start, head, ...refs.values()])]
  return git.stream(['pack-objects', '-q', '--revs', '--stdout', '--delta-base-offset'], {
    input: `${wanted.join('\n')}\n`,
    signal,
  })
}

async function addChanges({ path, git }: OpenFolder, signal: AbortSignal): Promise<string[]> {
  const { changed, leftOut } = await listChanges(git, signal)
  const { present, absent } = await measure(path, changed, { limited: true, signal })
  const objects = present.length > MANY_FILES && (await packsFiles(git, signal)) ? INTO_ONE_PACK : []
  const update = (paths: readonly string[], ...how: string[]) =>
    git.run([...objects, 'update-index', ...how, '-z', '--stdin'], {
      input: paths.map(each => `${each}\0`).join(''),
      timeoutMs: BOUNDS.folderCopy.limit,
      signal,
    })
  await update(absent, '--force-remove')
  const added = await update(present, '--add', '--remove', '--replace')
  if (added.exitCode === 0) return leftOut
  const reason = added.stderr.trim().split('\n').slice(-2).join(' ').slice(0, 500)
  throw new AppError('bad_request', `A file of the folder cannot be copied: ${reason}. Leave it out with .gitignore.`)
}

/** Beyond it, a file for each object takes longer than anything else. */
const MANY_FILES = 1_000
/** What is larger than this is written to a pack, all of one command to the same. */
const INTO_ONE_PACK = ['-c', 'core.bigFileThreshold=1']

/** Since 2.37; an earlier git would write a pack for each file. */
async function packsFiles(git: OpenFolder['git'], signal: AbortSignal): Promise<boolean> {
  const [, major, minor] = /(\d+)\.(\d+)/.exec(await git.need(['--version'], { signal })) ?? []
  return Number(major) > 2 || (Number(major) === 2 && Number(minor) >= 37)
}

async function requireCommit(git: OpenFolder['git'], head: string, signal: AbortSignal): Promise<void> {
  const { exitCode } = await git.run(['cat-file', '-e', `${head}^{commit}`], { signal })
  if (exitCode === 0) return
  throw new AppError(
    'bad_request',
    "The folder's repository lacks its last commit. Repair it with git fsck, then try again.",
  )
}

/** Branches and tags of a damaged repository may name what is not there. */
async function existing(
  git: OpenFolder['git'],
  refs: ReadonlyMap<string, string>,
  signal: AbortSignal,
): Promise<Map<string, string>> {
  if (refs.size === 0) return new Map()
  const input = [...refs.values()].map(object => `${object}\n`).join('')
  const answers = await git.need(['cat-file', '--batch-check=%(objecttype)'], { input, signal })
  const lines = answers.split('\n')
  return new Map([...refs].filter((_, index) => /^(commit|tag)$/.test(lines[index] ?? '')))
}

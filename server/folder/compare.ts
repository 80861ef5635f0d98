import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Slices } from '../async/slices.ts'
import { BOUNDS } from '../domain/bounds.ts'
import { AppError } from '../domain/errors.ts'
import type { BaseFile } from './copies.ts'
import { fields } from './files.ts'
import type { OpenFolder } from './open.ts'
import { hashOf, type Place, placeOf } from './write.ts'

/** A file of the folder as it is now. */
export interface PresentFile {
  place: Place
  /** As it would be copied; null where there is no file. */
  file: BaseFile | null
  /** SHA-256 of its bytes; null where there is no file. */
  seen: string | null
}

const AT_ONCE = 16

/**
 * Reads the named files as they would be copied now. Their bytes are hashed first: what changes between is noticed later.
 * @param keeps whether git is to have their contents too, not their names alone
 */
export async function presentFiles(
  { path: folder, git }: OpenFolder,
  paths: readonly string[],
  { keeps, signal }: { keeps: boolean; signal: AbortSignal },
): Promise<Map<string, PresentFile>> {
  const present = new Map<string, PresentFile>()
  for (let at = 0; at < paths.length; at += AT_ONCE) {
    signal.throwIfAborted()
    const some = paths.slice(at, at + AT_ONCE)
    const read = async (path: string) => {
      const place = await placeOf(folder, path)
      present.set(path, { place, file: null, seen: place === 'file' ? await hashOf(join(folder, path)) : null })
    }
    await Promise.all(some.map(read))
  }
  const there = paths.filter(path => present.get(path)?.place === 'file')
  const input = there.map(path => `${path}\0`).join('')
  const options = { input, signal, timeoutMs: BOUNDS.folderCopy.limit }
  await git.need(['read-tree', '--empty'], { signal })
  const how = keeps ? [] : ['--info-only']
  const added = await git.run(['update-index', '--add', ...how, '-z', '--stdin'], options)
  if (added.exitCode !== 0) {
    throw new AppError(
      'conflict',
      `The files of the folder could not be read: ${added.stderr.trim().slice(0, 300)}. Try again.`,
    )
  }
  const slices = new Slices()
  for (const entry of fields(await git.need(['ls-files', '-z', '--stage'], { signal }))) {
    const tab = entry.indexOf('\t')
    const [mode = '', object = ''] = entry.slice(0, tab).split(' ')
    const known = present.get(entry.slice(tab + 1))
    if (known) known.file = { mode, object }
    if (slices.due()) await slices.turn()
  }
  return present
}

/** Writes the files as the folder's line ends want them, into a folder of ours. @returns that folder */
export async function checkOut(
  { git }: OpenFolder,
  files: ReadonlyMap<string, BaseFile>,
  signal: AbortSignal,
): Promise<string> {
  const env = { GIT_INDEX_FILE: join(git.home, 'wanted-index') }
  const target = join(git.home, 'wanted')
  await mkdir(target)
  await git.need(['update-index', '-z', '--index-info'], { input: indexInfo(files), env, signal })
  await git.need(['checkout-index', '-q', '-a', `--prefix=${target}/`], { env, signal })
  return target
}

export interface LineCounts {
  added: number | null
  removed: number | null
}

/** Lines that differ between two sets of files; null for binary ones. */
export async function countLines(
  { git }: OpenFolder,
  sides: { before: ReadonlyMap<string, BaseFile>; after: ReadonlyMap<string, BaseFile> },
  signal: AbortSignal,
): Promise<Map<string, LineCounts>> {
  const treeOf = async (name: string, files: ReadonlyMap<string, BaseFile>) => {
    const env = { GIT_INDEX_FILE: join(git.home, name) }
    await git.need(['update-index', '-z', '--index-info'], { input: indexInfo(files), env, signal })
    return (await git.need(['write-tree'], { env, signal })).trim()
  }
  const trees = [await treeOf('before-index', sides.before), await treeOf('after-index', sides.after)]
  const args = ['diff-tree', '-r', '--numstat', '--no-renames', '--no-ext-diff', '--no-textconv', '-z', ...trees]
  const counts = new Map<string, LineCounts>()
  for (const line of fields(await git.need(args, { signal, timeoutMs: BOUNDS.folderCopy.limit }))) {
    const [added = '', removed = '', ...path] = line.split('\t')
    const count = (text: string) => (text === '-' ? null : Number(text))
    counts.set(path.join('\t'), { added: count(added), removed: count(removed) })
  }
  return counts
}

/** What `git update-index -z --index-info` reads. */
export function indexInfo(files: ReadonlyMap<string, BaseFile>): string {
  return [...files].map(([path, { mode, object }]) => `${mode} ${object}\t${path}\0`).join('')
}

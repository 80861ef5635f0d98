import { randomUUID } from 'node:crypto'
import { chmod, copyFile, lstat, mkdir, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { BOUNDS } from '../domain/bounds.ts'
import { AppError } from '../domain/errors.ts'
import { indexInfo } from './compare.ts'
import type { BaseFile } from './copies.ts'
import type { OpenFolder } from './open.ts'
import type { FolderRepository } from './repository.ts'

type Files = ReadonlyMap<string, BaseFile>

const SUBMODULE = '160000'

/** Files that were copied and whose content is nowhere in the repository, as they were not committed. */
export async function missingFiles(
  { git }: OpenFolder,
  copied: Files,
  signal: AbortSignal,
): Promise<(BaseFile & { path: string })[]> {
  const files = [...copied].flatMap(([path, file]) => (file.mode === SUBMODULE ? [] : [{ path, ...file }]))
  if (files.length === 0) return []
  const input = files.map(({ object }) => `${object}\n`).join('')
  const options = { input, signal, timeoutMs: BOUNDS.folderCopy.limit }
  const answers = (await git.need(['cat-file', '--batch-check=%(objecttype)'], options)).split('\n')
  return files.filter((_, index) => answers[index] !== 'blob')
}

/** Commits as objects of ours: the last is `tip`, and `below` is what the folder has of them already. */
export interface NewCommits {
  tip: string
  below: string | null
}

/**
 * One commit of what changed, on top of one of what was copied, on top of the folder's `head`; the second only where what was
 * copied was not committed. All contents have to be there.
 * @param head null for a folder without a commit; absent where that is not known
 * @throws AppError bad_request when nothing changed, or the folder has lost its commit
 */
export async function commitFiles(
  folder: OpenFolder,
  given: {
    copied: Files
    /** Paths that are replaced by what is `wanted` there, or removed. */
    changed: readonly string[]
    wanted: Files
    head: string | null
    message: string
    author: { name: string; email: string }
    signal: AbortSignal
  },
): Promise<NewCommits> {
  const { git } = folder
  const { copied, changed, wanted, head, message, author, signal } = given
  if (head !== null && (await git.run(['cat-file', '-e', `${head}^{commit}`], { signal })).exitCode !== 0) {
    throw new AppError(
      'bad_request',
      'The repository no longer has the commit that was copied. Apply to the folder instead.',
    )
  }
  const result = new Map(copied)
  for (const path of changed) result.delete(path)
  for (const [path, file] of wanted) result.set(path, file)
  const [before, after] = [await treeOf(folder, copied, signal), await treeOf(folder, result, signal)]
  if (before === after)
    throw new AppError('bad_request', 'The conversation has changed nothing that could be committed.')
  const commit = async (tree: string, parent: string | null, text: string) => {
    const env = {
      GIT_AUTHOR_NAME: author.name,
      GIT_AUTHOR_EMAIL: author.email,
      GIT_COMMITTER_NAME: author.name,
      GIT_COMMITTER_EMAIL: author.email,
    }
    const parents = parent === null ? [] : ['-p', parent]
    return (await git.need(['commit-tree', ...parents, '-F', '-', tree], { input: `${text}\n`, env, signal })).trim()
  }
  const headTree = head && (await git.need(['rev-parse', `${head}^{tree}`], { signal })).trim()
  const isCommitted = before === headTree || copied.size === 0
  const copiedAs = head === null ? `Files of ${basename(folder.path)}` : 'Uncommitted changes'
  const start = isCommitted ? head : await commit(before, head, copiedAs)
  return { tip: await commit(after, start, message), below: head }
}

/**
 * Puts commits of ours among the objects of the folder's repository, as git puts what it fetches there.
 * @throws AppError bad_request in words where its objects lie elsewhere
 */
export async function installObjects(
  { git }: OpenFolder,
  { repository, tip, below, signal }: NewCommits & { repository: FolderRepository; signal: AbortSignal },
): Promise<void> {
  const packs = join(repository.objects, 'pack')
  await mkdir(packs, { recursive: true })
  if (!(await lstat(packs)).isDirectory()) {
    throw new AppError('bad_request', "The repository's .git/objects/pack is no folder. Repair it, then try again.")
  }
  const input = `${tip}\n${below === null ? '' : `^${below}\n`}`
  const args = ['pack-objects', '-q', '--revs', '--delta-base-offset', join(git.home, 'pack')]
  const hash = (await git.need(args, { input, signal, timeoutMs: BOUNDS.folderCopy.limit })).trim()
  // Git reads a pack as soon as it finds its index.
  for (const kind of ['pack', 'idx']) {
    const name = `pack-${hash}.${kind}`
    const unfinished = join(packs, `tmp_${kind}_${randomUUID()}`)
    try {
      await copyFile(join(git.home, name), unfinished)
      await chmod(unfinished, 0o444)
      await rename(unfinished, join(packs, name))
    } catch (error) {
      await rm(unfinished, { force: true })
      throw error
    }
  }
}

async function treeOf({ git }: OpenFolder, files: Files, signal: AbortSignal): Promise<string> {
  const env = { GIT_INDEX_FILE: join(git.home, `tree-${randomUUID()}`) }
  const options = { env, signal, timeoutMs: BOUNDS.folderCopy.limit }
  await git.need(['update-index', '-z', '--index-info'], { ...options, input: indexInfo(files) })
  return (await git.need(['write-tree'], options)).trim()
}

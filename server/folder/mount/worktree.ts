import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { basename, join, posix, relative, sep } from 'node:path'
import { BOUNDS } from '../../domain/bounds.ts'
import { AppError } from '../../domain/errors.ts'
import type { OpenFolder } from '../open.ts'
import { createBranch, freeBranch, removeBranch } from '../refs.ts'
import type { FolderRepository } from '../repository.ts'
import { takeSnapshot } from '../snapshot.ts'
import { giveToOwner, makeFolder } from './owner.ts'

/** A worktree that was made beside its folder. */
export interface MadeWorktree {
  path: string
  branch: string
  repository: Pick<FolderRepository, 'gitDir' | 'common' | 'head'>
  /** Folder of its own state, in the repository. */
  own: string
}

interface WorktreeRequest {
  name: string
  includeChanges: boolean
  begun: (made: MadeWorktree) => Promise<void>
  signal: AbortSignal
}

/**
 * Makes a worktree beside the folder as `git worktree add` does, on a new branch at its last commit. Git itself would run the
 * repository's hooks and filters.
 * @param name of the worktree and, below `atelier/`, of its branch
 * @param begun called with what is being made once its folder is there
 * @throws AppError bad_request in words for a repository that can have none
 */
export async function makeWorktree(
  folder: OpenFolder,
  { name, includeChanges, begun, signal }: WorktreeRequest,
): Promise<MadeWorktree> {
  const { path: main, repository } = folder
  const problem = whyNoWorktree(folder)
  if (problem !== null || !repository?.head) throw new AppError('bad_request', `${main}: ${problem}.`)
  const path = `${main}-${name}`
  const own = join(repository.common, 'worktrees', basename(path))
  const branch = freeBranch(repository, `atelier/${name}`)
  await mkdir(path).catch(error => {
    throw new AppError('bad_request', `The worktree ${path} could not be made: ${error.message}.`, { cause: error })
  })
  const made = { path, branch, repository, own }
  try {
    await begun(made)
    const index = await checkOut(folder, { path, head: repository.head, includeChanges, signal })
    await makeFolder(repository.common, `worktrees/${basename(path)}`, main)
    await makeFolder(repository.common, posix.dirname(`refs/heads/${branch}`), main)
    await copyFile(index, join(own, 'index'))
    // As gitrepository-layout(5) has them. The relative path holds in a sandbox too.
    await writeFile(join(own, 'commondir'), '../..\n')
    await writeFile(join(own, 'gitdir'), `${join(path, '.git')}\n`)
    // Where the repository has such files, git reads settings in it: nobody is to write some.
    await writeFile(join(own, 'config.worktree'), '')
    await writeFile(join(own, 'HEAD'), `ref: refs/heads/${branch}\n`)
    await createBranch(repository, branch, repository.head)
    await writeFile(join(path, '.git'), `gitdir: ${relative(path, own).split(sep).join('/')}\n`)
    for (const each of [path, own, join(repository.common, 'refs', 'heads', branch)]) await giveToOwner(each, main)
    return made
  } catch (error) {
    await removeWorktree(made)
    throw error
  }
}

/** Why there can be no worktree of it; null where there can. */
export function whyNoWorktree({ path, repository }: Pick<OpenFolder, 'path' | 'repository'>): string | null {
  if (!repository) return 'it is no git repository'
  if (repository.common !== join(path, '.git')) return 'it is a worktree of another folder. Choose that folder'
  return repository.head ? null : 'its repository has no commit yet'
}

/** All of it, also what was changed in it since. Never rejects. */
export async function removeWorktree({ path, own, branch, repository }: MadeWorktree): Promise<void> {
  for (const each of [path, own]) await rm(each, { recursive: true, force: true }).catch(() => {})
  if (repository.head) await removeBranch(repository, branch, repository.head).catch(() => {})
}

/** Of the last commit and, if wanted, with what is not committed. @returns the index that fits to it */
async function checkOut(
  folder: OpenFolder,
  given: { path: string; head: string; includeChanges: boolean; signal: AbortSignal },
): Promise<string> {
  const { path, head, includeChanges, signal } = given
  const { git } = folder
  const { start } = await takeSnapshot(folder, { includeChanges, signal })
  const index = join(git.home, 'worktree-index')
  const env = { GIT_INDEX_FILE: index, GIT_WORK_TREE: path }
  const options = { env, signal, timeoutMs: BOUNDS.folderCopy.limit }
  await git.need(['read-tree', start], options)
  await git.need(['checkout-index', '-q', '-a', '-u', '-f'], options)
  if (start !== head) await git.need(['read-tree', '--reset', head], options)
  return index
}

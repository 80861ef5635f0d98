import { copyFile, lstat, realpath, stat, utimes, writeFile } from 'node:fs/promises'
import { isAbsolute, join, sep } from 'node:path'
import { AppError } from '../domain/errors.ts'
import { FolderGit } from './git.ts'
import { type FolderRepository, readRepository } from './repository.ts'

export interface OpenFolder {
  /** Its own path, without links. */
  path: string
  git: FolderGit
  /** null for a folder that is no repository itself. */
  repository: FolderRepository | null
}

/** Left out of every folder that is no repository, and says nothing else itself. */
const IGNORED_BY_DEFAULT = ['node_modules/', '.venv/', '__pycache__/', '.DS_Store', 'Thumbs.db']

/**
 * The folder at `given`. @param dataDir Atelier's own data, which no sandbox gets to see
 * @throws AppError file_not_found, bad_request
 */
export async function findFolder(given: string, dataDir: string): Promise<string> {
  if (!isAbsolute(given) || given.includes('\0')) {
    throw new AppError('bad_request', 'The path of the folder has to be absolute. Give it from the root on.')
  }
  const path = await realpath(given).catch(() => undefined)
  const found = path && (await stat(path).catch(() => undefined))
  if (!path || !found)
    throw new AppError('file_not_found', `There is no folder ${given} on this computer. Check the path.`)
  if (!found.isDirectory()) throw new AppError('bad_request', `${given} is not a folder. Name a folder.`)
  const data = await realpath(dataDir).catch(() => dataDir)
  if (isWithin(data, path) || isWithin(path, data)) {
    throw new AppError(
      'bad_request',
      `${given} holds Atelier's own data, which no agent may read. Choose another folder.`,
    )
  }
  return path
}

/**
 * Closing its `git` is the caller's. @param homes folder of our own for what git needs meanwhile
 * @throws AppError bad_request in words, also without git
 */
export async function openFolder(path: string, homes: string, signal: AbortSignal): Promise<OpenFolder> {
  const repository = await readRepository(path)
  const git = await FolderGit.open(path, {
    homes,
    objects: repository?.objects ?? null,
    settings: repository?.settings ?? [],
    signal,
  })
  try {
    const exclude = repository ? (repository.exclude ?? '') : `${IGNORED_BY_DEFAULT.join('\n')}\n`
    const excludeFile = join(git.home, 'exclude')
    await writeFile(excludeFile, exclude)
    if (repository?.shallow.length) {
      await writeFile(join(git.repository, 'shallow'), `${repository.shallow.join('\n')}\n`)
    }
    git.ignoreBeside(excludeFile)
    if (repository) await readIndex(git, repository, signal)
    return { path, git, repository }
  } catch (error) {
    await git.close()
    throw error
  }
}

/** With the index of the folder only files that have changed since are read. */
async function readIndex(git: FolderGit, repository: FolderRepository, signal: AbortSignal): Promise<void> {
  const target = join(git.home, 'index')
  if (repository.index) {
    const { atime, mtime } = await lstat(repository.index)
    await copyFile(repository.index, target)
    // Git tells by it which files may have changed unseen.
    await utimes(target, atime, mtime)
    if ((await git.run(['ls-files', '-z', '--stage'], { signal })).exitCode === 0) return
  }
  // One that is split or damaged, or only its own repository understands.
  await git.need(['read-tree', ...(repository.head ? ['--reset', repository.head] : ['--empty'])], { signal })
}

function isWithin(inner: string, outer: string): boolean {
  return inner === outer || inner.startsWith(outer.endsWith(sep) ? outer : `${outer}${sep}`)
}

import type { FolderInspection } from '../api/v1/conversation/folder/folders.ts'
import { type AppError, isAppError } from '../domain/errors.ts'
import { fields, listChanges, listFiles, listIgnored, measure } from './files.ts'
import type { OpenFolder } from './open.ts'

const MAX_NAMES = 50

type FolderContent = Omit<FolderInspection, 'modes' | 'unavailable' | 'in_place_confirmed'>

const NOTHING = { count: 0, names: [] }

/** What would be copied of a folder, and why it cannot be. Nothing of the folder is executed. */
export async function inspectFolder(
  folder: OpenFolder,
  signal: AbortSignal,
): Promise<{ content: FolderContent; refusal: AppError | null }> {
  try {
    return { content: await countFolder(folder, signal), refusal: null }
  } catch (error) {
    if (!isAppError(error, 'bad_request')) throw error
    const { path, repository } = folder
    const git = repository && { branch: repository.branch, head: repository.head, uncommitted_files: null }
    return {
      content: { path, git, files: null, size_bytes: null, ignored: NOTHING, left_out: NOTHING },
      refusal: error,
    }
  }
}

async function countFolder(folder: OpenFolder, signal: AbortSignal): Promise<FolderContent> {
  const { path, repository } = folder
  const [files, changes, ignored, staged] = await Promise.all([
    listFiles(folder.git, signal),
    listChanges(folder.git, signal),
    listIgnored(folder.git, signal),
    listStaged(folder, signal),
  ])
  const [all] = await Promise.all([
    measure(path, files, { limited: repository === null, signal }),
    measure(path, changes.changed, { limited: true, signal }),
  ])
  return {
    path,
    git: repository && {
      branch: repository.branch,
      head: repository.head,
      uncommitted_files: new Set([...changes.changed, ...staged]).size,
    },
    files: all.files,
    size_bytes: all.bytes,
    ignored: { count: ignored.length, names: ignored.slice(0, MAX_NAMES) },
    left_out: { count: changes.leftOut.length, names: changes.leftOut.slice(0, MAX_NAMES) },
  }
}

async function listStaged({ git, repository }: OpenFolder, signal: AbortSignal): Promise<string[]> {
  if (!repository?.head) return repository ? fields(await git.need(['ls-files', '-z'], { signal })) : []
  const args = ['diff-index', '--cached', '--name-only', '--no-renames', '--no-ext-diff', '-z', repository.head, '--']
  return fields(await git.need(args, { signal }))
}

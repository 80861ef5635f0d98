import type { FolderInspection } from '../api/v1/conversation/folders.ts'
import { fields, listChanges, listFiles, listIgnored, measure } from './files.ts'
import type { OpenFolder } from './open.ts'

const MAX_NAMES = 50

type FolderContent = Omit<FolderInspection, 'modes' | 'unavailable' | 'in_place_confirmed'>

/** What would be copied of a folder. Nothing of the folder is executed. @throws AppError bad_request in words */
export async function inspectFolder(folder: OpenFolder, signal: AbortSignal): Promise<FolderContent> {
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

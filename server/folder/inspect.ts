import type { FolderInspection } from '../api/v1/conversation/folders.ts'
import { fields, listChanges, listFiles, listIgnored, measure } from './files.ts'
import { findFolder, type OpenFolder, openFolder } from './open.ts'

const MAX_NAMES = 50

/**
 * What would be copied of a folder. Nothing of the folder is executed.
 * @throws AppError file_not_found, bad_request in words for a folder that cannot be copied
 */
export async function inspectFolder(given: string, dataDir: string, signal: AbortSignal): Promise<FolderInspection> {
  const path = await findFolder(given, dataDir)
  const folder = await openFolder(path, signal)
  try {
    const [files, changes, ignored, staged] = await Promise.all([
      listFiles(folder.git, signal),
      listChanges(folder.git, signal),
      listIgnored(folder.git, signal),
      listStaged(folder, signal),
    ])
    const [all] = await Promise.all([
      measure(path, files, { limited: folder.repository === null, signal }),
      measure(path, changes.changed, { limited: true, signal }),
    ])
    const { repository } = folder
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
      modes: ['copy'],
    }
  } finally {
    await folder.git.close()
  }
}

async function listStaged({ git, repository }: OpenFolder, signal: AbortSignal): Promise<string[]> {
  if (!repository?.head) return repository ? fields(await git.need(['ls-files', '-z'], { signal })) : []
  const args = ['diff-index', '--cached', '--name-only', '--no-renames', '--no-ext-diff', '-z', repository.head, '--']
  return fields(await git.need(args, { signal }))
}

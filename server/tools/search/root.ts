import { posix } from 'node:path'
import type { SandboxHandle } from '../../domain/sandbox-handle.ts'
import { checkPath, missingFile } from '../file-editor/path.ts'
import { invalidParameter } from '../file-editor/problem.ts'

/** Where a search begins. For one file, `folder` holds it and `file` is its name. */
export interface SearchRoot {
  path: string
  folder: string
  file: string | undefined
}

/** A relative path counts from the working directory, which is also what no path means. @throws Problem */
export async function searchRootOf(sandbox: SandboxHandle, given: string | undefined): Promise<SearchRoot> {
  const wanted = given === undefined || given.trim() === '' ? '.' : given
  const relative = !wanted.startsWith('/') && !/^[a-z]:\\/i.test(wanted)
  const path = await checkPath(sandbox, relative ? posix.join(sandbox.workingDir, wanted) : wanted)
  const stat = await sandbox.stat(path)
  if (!stat) throw await missingFile(sandbox, path)
  if (stat.kind === 'directory') return { path, folder: path, file: undefined }
  if (stat.kind === 'file') return { path, folder: posix.dirname(path), file: posix.basename(path) }
  throw invalidParameter('path', path, 'It is neither a file nor a directory.')
}

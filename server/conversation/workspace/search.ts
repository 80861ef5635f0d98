import type { RouteReply } from '../../api/contract/route.ts'
import { type findFiles, MAX_FOUND_FILES } from '../../api/v1/sandbox/files.ts'
import { filterInSlices } from '../../async/in-slices.ts'
import { BOUNDS } from '../../domain/bounds.ts'
import { AppError } from '../../domain/errors.ts'
import type { SandboxHandle } from '../../domain/sandbox-handle.ts'
import { Problem } from '../../tools/file-editor/problem.ts'
import { type Listing, listFiles } from '../../tools/search/list-files.ts'

/** Files below the working directory whose path has all words; those with the shortest names first. */
export async function findByWords(
  sandbox: SandboxHandle,
  text: string,
  signal: AbortSignal,
): Promise<RouteReply<typeof findFiles>> {
  const { files, partial } = await filesBelow(sandbox, signal)
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const hasAll = (path: string) => words.every(word => path.toLowerCase().includes(word))
  const deadline = performance.now() + BOUNDS.searchTime.limit
  const found = await filterInSlices(files, hasAll, { signal, deadline })
  const paths = found.passed.slice(0, MAX_SORTED).sort((a, b) => nameLength(a) - nameLength(b) || (a < b ? -1 : 1))
  const complete = found.passed.length <= MAX_FOUND_FILES && !partial && !found.partial
  return { paths: paths.slice(0, MAX_FOUND_FILES), complete }
}

async function filesBelow(sandbox: SandboxHandle, signal: AbortSignal): Promise<Listing> {
  try {
    return await listFiles(sandbox, sandbox.workingDir, { hidden: true, signal })
  } catch (error) {
    if (error instanceof Problem) throw new AppError('command_failed', error.message, { cause: error })
    throw error
  }
}

const MAX_SORTED = 10_000

function nameLength(path: string): number {
  return path.length - path.lastIndexOf('/')
}

import type { RouteReply } from '../../api/contract/route.ts'
import { type findFiles, MAX_FOUND_FILES } from '../../api/v1/sandbox/files.ts'
import { BOUNDS } from '../../domain/bounds.ts'
import { AppError } from '../../domain/errors.ts'
import type { SandboxHandle } from '../../domain/sandbox-handle.ts'
import { Problem } from '../../tools/file-editor/problem.ts'
import { type Listing, listFiles } from '../../tools/search/list-files.ts'
import { matchingPaths } from './matching.ts'

/** Files below the working directory whose path the text means. */
export async function findByWords(
  sandbox: SandboxHandle,
  text: string,
  signal: AbortSignal,
): Promise<RouteReply<typeof findFiles>> {
  const { files, partial } = await filesBelow(sandbox, signal)
  const deadline = performance.now() + BOUNDS.searchTime.limit
  const found = await matchingPaths(files, text, { signal, deadline })
  const complete = found.paths.length <= MAX_FOUND_FILES && !partial && !found.partial
  return { paths: found.paths.slice(0, MAX_FOUND_FILES), complete }
}

async function filesBelow(sandbox: SandboxHandle, signal: AbortSignal): Promise<Listing> {
  try {
    return await listFiles(sandbox, sandbox.workingDir, { hidden: true, signal })
  } catch (error) {
    if (error instanceof Problem) throw new AppError('command_failed', error.message, { cause: error })
    throw error
  }
}

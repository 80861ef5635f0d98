import { posix } from 'node:path'
import type { RepositoryFile, RepositoryItem } from '../api/v1/conversation/repository-trust.ts'
import { type ComposeProject, readProject } from '../compose/read.ts'
import { isAppError, messageOf } from '../domain/errors.ts'
import { readBoundFiles } from '../sandbox/services/bound-files.ts'
import { itemDigest } from './content.ts'
import { fileOf, type RepositoryLocation, readRepositoryFile } from './read-files.ts'

/**
 * The services that the repository describes: its compose files, their variables, and the files that are given to services.
 * @returns null where nothing would be started
 * @throws AppError of the sandbox, and the signal's reason
 */
export async function inspectServices({ sandbox, folder, signal }: RepositoryLocation): Promise<RepositoryItem | null> {
  const project = await readProject(sandbox, folder, signal)
  const [first] = project?.files ?? []
  if (!project || !first || (project.plan.services.length === 0 && project.problem === null)) return null
  const files = project.files.map(({ path, content }) => fileOf(path, content))
  const item = { role: 'services' as const, path: first.path, carries: [] }
  try {
    const all = [...files, ...(await boundFiles(project, { sandbox, folder, signal }))]
    return { ...item, files: all, problem: project.problem, sha256: itemDigest({ ...item, files: all }) }
  } catch (error) {
    if (!isAppError(error, 'file_too_large')) throw error
    return { ...item, files, problem: messageOf(error), sha256: itemDigest({ ...item, files }) }
  }
}

/** Each once. A folder counts with whatever lies in it. */
async function boundFiles({ plan }: ComposeProject, place: RepositoryLocation): Promise<RepositoryFile[]> {
  const found = new Map<string, RepositoryFile>()
  for (const service of plan.services) {
    for (const bind of service.binds) {
      if (found.has(bind.path)) continue
      const stat = await place.sandbox.stat(posix.join(place.folder, bind.path))
      const file = stat?.kind === 'file' ? await readRepositoryFile(bind.path, place) : null
      if (file) found.set(bind.path, file)
      else if (stat) {
        const { archive, digest } = await readBoundFiles(
          place.sandbox,
          place.folder,
          { ...service, binds: [bind] },
          place.signal,
        )
        found.set(bind.path, { path: bind.path, sha256: digest, size_bytes: archive?.length ?? 0, text: null })
      }
    }
  }
  return [...found.values()]
}

import type { Readable } from 'node:stream'
import type Docker from 'dockerode'
import type { PathStat } from '../engine.ts'
import { engineError, statusOf, translateErrors } from '../errors.ts'
import { pathStat } from './state.ts'

interface ContainerPath {
  id: string
  path: string
}

interface ReadPath extends ContainerPath {
  /** Its name. */
  engine: string | undefined
}

export function putArchive(docker: Docker, { id, path }: ContainerPath, tar: Readable | Buffer): Promise<void> {
  const put = async () => void (await docker.getContainer(id).putArchive(tar, { path, noOverwriteDirNonDir: '1' }))
  return translateErrors('Writing files', put, { 404: 'file_not_found' })
}

export function getArchive(docker: Docker, place: ReadPath): Promise<Readable> {
  const get = async () => (await docker.getContainer(place.id).getArchive({ path: asked(place) })) as Readable
  return translateErrors('Reading files', get, { 404: 'file_not_found' })
}

export async function statPath(docker: Docker, place: ReadPath): Promise<PathStat | undefined> {
  try {
    const answer = await docker.getContainer(place.id).infoArchive({ path: asked(place) })
    answer.resume()
    return pathStat(answer.headers['x-docker-container-path-stat'] ?? '')
  } catch (error) {
    // 500 is a file used as a folder, or links in a circle: nothing is there either. The answer has no body to tell.
    if ([404, 500].includes(statusOf(error) ?? 0)) return undefined
    throw engineError('Looking at a file', error)
  }
}

/** Podman takes the path of what is read for a pattern. A `*` cannot be escaped there: nothing is found then. */
function asked({ path, engine }: ReadPath): string {
  return engine === 'Podman' ? path.replace(/[\\?[\]]/g, '\\$&') : path
}

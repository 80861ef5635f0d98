import type Docker from 'dockerode'
import type { EngineUsage } from './engine.ts'
import { engineError, statusOf } from './errors.ts'

/** These fields and parameters are not in the published types. */
interface Sized {
  SizeRw?: number
  ImageID: string
}
interface OptionalSize {
  listContainers(options: object): Promise<(Docker.ContainerInfo & Sized)[]>
  listImages(options: object): Promise<Docker.ImageInfo[]>
}

/**
 * Asked of the two lists and not of `/system/df`, which adds up everybody's volumes and the build cache too, and whose
 * answer has changed its shape between versions of the API.
 */
export async function diskUsage(
  docker: Docker,
  labels: Record<string, string>,
  abortSignal?: AbortSignal,
): Promise<EngineUsage> {
  const lists = docker as unknown as OptionalSize
  const signal = abortSignal ? { abortSignal } : {}
  const filters = { label: Object.entries(labels).map(([name, value]) => `${name}=${value}`) }
  const [own, all, images] = await Promise.all([
    lists.listContainers({ all: true, size: true, filters, ...signal }),
    lists.listContainers({ all: true, ...signal }),
    lists.listImages({ 'shared-size': true, ...signal }),
  ])
  const used = new Set(all.map(container => container.ImageID))
  return {
    containers: own.map(each => ({ name: each.Names[0]?.slice(1) ?? each.Id, bytes: each.SizeRw ?? 0 })),
    images: images.map(({ Id, RepoTags, Size, SharedSize }) => ({
      names: RepoTags ?? [],
      // -1 where the engine does not tell.
      bytes: Size - Math.max(0, SharedSize),
      isUsed: used.has(Id),
    })),
  }
}

/** Asked of one container: in a list the engine would add up all of them. */
export async function writtenBytes(docker: Docker, id: string): Promise<number> {
  const container = docker.getContainer(id) as unknown as { inspect(options: object): Promise<{ SizeRw?: number }> }
  return (await container.inspect({ size: true })).SizeRw ?? 0
}

/** 404: it is gone. 409: a container or another image needs it. */
export async function removeImage(docker: Docker, reference: string): Promise<void> {
  try {
    await docker.getImage(reference).remove()
  } catch (error) {
    if ([404, 409].includes(statusOf(error) ?? 0)) return
    throw engineError('Removing an image', error)
  }
}

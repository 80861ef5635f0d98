import type Docker from 'dockerode'
import type { ContainerStatus, EngineObject, EngineObjectKind } from './engine.ts'
import { engineError, engineMessage, statusOf } from './errors.ts'

type Labels = Record<string, string>

/** Everything in the engine with these labels, of every kind. */
export async function listObjects(docker: Docker, labels: Labels): Promise<EngineObject[]> {
  const filters = { label: Object.entries(labels).map(([name, value]) => `${name}=${value}`) }
  const [containers, networks, volumes, images] = await Promise.all([
    docker.listContainers({ all: true, filters }),
    docker.listNetworks({ filters }),
    docker.listVolumes({ filters }),
    docker.listImages({ filters }),
  ])
  return [
    ...containers.map(each => ({
      ...object('container', each.Id, each.Names[0]?.slice(1), each.Labels),
      status: each.State as ContainerStatus,
    })),
    ...networks.map(each => object('network', each.Id, each.Name, each.Labels)),
    // An engine without any answers null.
    ...(volumes.Volumes ?? []).map(each => object('volume', each.Name, each.Name, each.Labels)),
    ...images.map(each => ({
      ...object('image', each.Id, each.RepoTags?.[0], each.Labels),
      // Engines that know no parents remove each image by itself.
      ...(each.ParentId && { parent: each.ParentId }),
    })),
  ]
}

function object(
  kind: EngineObjectKind,
  id: string,
  name: string | undefined,
  labels: Labels | null | undefined,
): EngineObject {
  return { kind, id, name: name ?? id, labels: labels ?? {} }
}

/** What is gone already, or is being removed at this moment, is no error. */
export async function removeObject(docker: Docker, { kind, id }: Pick<EngineObject, 'kind' | 'id'>): Promise<void> {
  try {
    await REMOVALS[kind](docker, id)
  } catch (error) {
    const status = statusOf(error)
    if (status === 404 || (status === 409 && kind === 'container') || isGoneImage(error)) return
    throw engineError(`Removing a sandbox’s ${kind}`, error, {})
  }
}

/** Where two remove an image at the same time the engine answers one of them with 500. */
function isGoneImage(error: unknown): boolean {
  return statusOf(error) === 500 && engineMessage(error).includes('unrecognized image ID')
}

const REMOVALS: Record<EngineObjectKind, (docker: Docker, id: string) => Promise<unknown>> = {
  container: (docker, id) => docker.getContainer(id).remove({ force: true, v: true }),
  network: (docker, id) => docker.getNetwork(id).remove(),
  volume: (docker, id) => docker.getVolume(id).remove({ force: true }),
  image: (docker, id) => docker.getImage(id).remove({ force: true }),
}

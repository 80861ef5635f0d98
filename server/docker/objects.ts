import type Docker from 'dockerode'
import { timeLimit } from '../async/time-limit.ts'
import { AppError } from '../domain/errors.ts'
import type { ContainerStatus, EngineObject, EngineObjectKind } from './engine.ts'
import { engineError, isGoneImage, statusOf } from './errors.ts'

type Labels = Record<string, string>

const REMOVAL_MS = 60_000

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

/** Resolves when it is gone, whoever removed it. @throws AppError engine_failed, engine_unavailable */
export async function removeObject(docker: Docker, { kind, id }: Pick<EngineObject, 'kind' | 'id'>): Promise<void> {
  try {
    await REMOVALS[kind](docker, id).catch(error => {
      // An engine says so at once of a container that it is removing for somebody else.
      if (statusOf(error) !== 409 || kind !== 'container') throw error
      return untilRemoved(docker, id)
    })
  } catch (error) {
    if (statusOf(error) === 404 || isGoneImage(error)) return
    throw engineError(`Removing a sandbox’s ${kind}`, error, {})
  }
}

/** @throws AppError engine_failed where whoever removes it fails or takes too long */
async function untilRemoved(docker: Docker, id: string): Promise<void> {
  const late = timeLimit(REMOVAL_MS)
  const answer: { Error?: { Message?: string } | null } = await docker
    .getContainer(id)
    .wait({ condition: 'removed', abortSignal: late })
    .catch(error => {
      if (!late.aborted) throw error
      const message = `The engine has not removed a container within ${REMOVAL_MS / 1000} s. Try again, or restart the engine.`
      throw new AppError('engine_failed', message, { cause: error })
    })
  const problem = answer.Error?.Message
  if (problem) throw new AppError('engine_failed', `The engine could not remove a container: ${problem}. Try again.`)
}

const REMOVALS: Record<EngineObjectKind, (docker: Docker, id: string) => Promise<unknown>> = {
  container: (docker, id) => docker.getContainer(id).remove({ force: true, v: true }),
  network: (docker, id) => docker.getNetwork(id).remove(),
  volume: (docker, id) => docker.getVolume(id).remove({ force: true }),
  image: (docker, id) => docker.getImage(id).remove({ force: true }),
}

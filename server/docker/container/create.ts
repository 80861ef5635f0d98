import type Docker from 'dockerode'
import type { ContainerRequest } from '../engine.ts'
import type { EngineInfo } from '../engine-info.ts'
import { statusOf } from '../errors.ts'
import { createOptions } from './options.ts'

export interface CreatedContainer {
  id: string
  /** false where the engine would not have made it with a limit for its disk. */
  isDiskLimited: boolean
}

/**
 * An engine does not report whether its disk counts what a container writes; it refuses the container. That is made without
 * a limit then, as anything else that is wrong with it is refused again.
 */
export async function createContainer(
  docker: Docker,
  request: ContainerRequest,
  engine: Pick<EngineInfo, 'seccomp' | 'logDriver'>,
): Promise<CreatedContainer> {
  const create = async (asked: ContainerRequest) => (await docker.createContainer(createOptions(asked, engine))).id
  const { diskBytes, ...unlimited } = request
  if (diskBytes === undefined) return { id: await create(unlimited), isDiskLimited: false }
  try {
    return { id: await create(request), isDiskLimited: true }
  } catch (error) {
    // No image, or a name that is taken.
    if ([404, 409].includes(statusOf(error) ?? 0)) throw error
    return { id: await create(unlimited), isDiskLimited: false }
  }
}

import type { EngineConnection } from '../../docker/connection.ts'
import { partLabels } from '../../docker/container/labels.ts'
import type { ContainerOutcome, ContainerRequest } from '../../docker/engine.ts'
import { AppError, isAppError } from '../../domain/errors.ts'
import { randomToken } from '../../domain/ids.ts'
import type { SandboxImages } from '../image.ts'
import { SANDBOX } from '../spec.ts'

export interface OneShotOptions {
  connection: Pick<EngineConnection, 'engine'>
  /** They run in the bundled image: another image's programs are not to be trusted with a network. */
  images: Pick<SandboxImages, 'reference' | 'ensure'>
  instanceId: string
  /** Until the returned function is called, the reconciler leaves it alone. */
  hold(name: string): () => void
  /** Ends them all. */
  signal: AbortSignal
}

/** `network`: the default one for a look around, or that of a sandbox to set its rules. */
export type OneShotTask = Pick<
  ContainerRequest,
  'command' | 'network' | 'extraHosts' | 'seesHost' | 'user' | 'scratch'
> & {
  capabilities: string[]
  memoryBytes?: number
}

/** A user of no rights, not even those of the container. */
export const NOBODY = '65534:65534'

const MEMORY_BYTES = 64 * 2 ** 20
const PROCESSES = 256

/** Runs a program of ours to its end, in a container that lasts as long. @throws AppError engine_failed when it fails */
export async function runOneShot(options: OneShotOptions, task: OneShotTask): Promise<ContainerOutcome> {
  const { id, release } = await createOneShot(options, task)
  try {
    const outcome = await options.connection.engine().runContainer(id, options.signal)
    if (outcome.exitCode === 0) return outcome
    throw new AppError('engine_failed', outcome.stderr.trim() || `It ended with exit code ${outcome.exitCode}.`)
  } finally {
    release()
  }
}

/** `release` lets the reconciler have what is left of the container; `remove` never rejects, as it ends by itself. */
interface OneShot {
  id: string
  release: () => void
  remove: () => Promise<void>
}

/** Its image is loaded where the engine lacks it. */
export async function createOneShot(options: OneShotOptions, task: OneShotTask): Promise<OneShot> {
  const { connection, images } = options
  const image = ownImage(images)
  const name = oneShotName()
  const request = oneShotRequest(name, image, options.instanceId, task)
  const release = options.hold(name)
  try {
    const engine = connection.engine()
    const id = await engine.createContainer(request).catch(async error => {
      if (!isAppError(error, 'image_missing')) throw error
      await images.ensure(image, () => {})
      return engine.createContainer(request)
    })
    const remove = async () => {
      try {
        await engine.removeContainer(id)
      } catch {
        // It ends by itself.
      } finally {
        release()
      }
    }
    return { id, release, remove }
  } catch (error) {
    release()
    throw error
  }
}

export function oneShotName(): string {
  return `${SANDBOX.namePrefix}once-${randomToken(12)}`
}

/** @throws AppError engine_failed */
export function ownImage({ reference }: Pick<SandboxImages, 'reference'>): string {
  if (reference !== null) return reference
  throw new AppError('engine_failed', 'This Atelier has no image of its own, which does that. Install Atelier again.')
}

export function oneShotRequest(name: string, image: string, instanceId: string, task: OneShotTask): ContainerRequest {
  const [program = '', ...command] = task.command
  return {
    name,
    image,
    entrypoint: [program],
    command,
    workingDir: '/',
    env: {},
    labels: partLabels(instanceId, name),
    ports: [],
    user: task.user ?? SANDBOX.user,
    memoryBytes: task.memoryBytes ?? MEMORY_BYTES,
    cpus: 0,
    pids: PROCESSES,
    capabilities: { drop: ['ALL'], add: task.capabilities },
    network: task.network,
    extraHosts: task.extraHosts,
    seesHost: task.seesHost ?? false,
    mounts: [],
    isShortLived: true,
    ...(task.scratch && { scratch: task.scratch }),
  }
}

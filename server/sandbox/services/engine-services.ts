import { LABEL, partLabels } from '../../docker/container/labels.ts'
import type { ContainerState, Engine } from '../../docker/engine.ts'
import { isAppError } from '../../domain/errors.ts'
import { isServiceImage } from '../build/image-names.ts'
import { SANDBOX } from '../spec.ts'
import { type ServiceContainer, serviceOf } from './container.ts'
import { addHostNames } from './host-names.ts'

/** The services of one sandbox as the engine has them, those first on which others depend. */
export async function listServices(engine: Engine, labels: Record<string, string>): Promise<ServiceContainer[]> {
  const found = (await engine.listContainers(labels)).flatMap(container => serviceOf(container) ?? [])
  return found.sort((one, other) => one.facts.rank - other.facts.rank || one.name.localeCompare(other.name))
}

/** Everything of them, with their volumes and what was built for them. What is gone already is no error. */
export async function removeServices(engine: Engine, instanceId: string, sandboxId: string): Promise<void> {
  const objects = await engine.listObjects(partLabels(instanceId, sandboxId))
  const containers = objects.filter(
    ({ kind, labels }) => kind === 'container' && labels[LABEL.service] && labels[LABEL.sandbox],
  )
  await Promise.all(containers.map(each => engine.removeObject(each)))
  await Promise.all(objects.filter(({ kind }) => kind === 'volume').map(each => engine.removeObject(each)))
  const images = objects.filter(({ kind, name }) => kind === 'image' && isServiceImage(name))
  await Promise.all(images.map(({ name }) => engine.removeImage(name)))
}

export async function stopService(engine: Engine, { id, status }: ContainerState): Promise<void> {
  // A paused process does not see the signal to end.
  if (status === 'paused') await unlessGone(engine.unpauseContainer(id))
  // What it was given when it was made; the container knows it too.
  const isUp = status === 'paused' || status === 'running' || status === 'restarting'
  if (isUp) await engine.stopContainer(id, SANDBOX.stopGraceSeconds)
}

/**
 * Lets services be as their sandbox is. One that was started before the sandbox is in a network that is no more: it starts
 * anew. That is also how they come back with a sandbox that had stopped.
 */
export async function followSandbox(
  engine: Engine,
  sandbox: ContainerState,
  services: readonly ServiceContainer[],
): Promise<void> {
  const containers = services.map(({ container }) => container)
  const of = (status: ContainerState['status']) => containers.filter(each => each.status === status)
  // Made by a process that died before it was done.
  await Promise.all(of('created').map(({ id }) => engine.removeContainer(id)))
  if (sandbox.status === 'paused') {
    await Promise.all(of('running').map(({ id }) => unlessGone(engine.pauseContainer(id))))
  } else if (sandbox.status === 'running') {
    await Promise.all(of('paused').map(({ id }) => unlessGone(engine.unpauseContainer(id))))
    await startAnew(engine, sandbox, services)
  } else if (sandbox.status === 'exited' || sandbox.status === 'dead') {
    await Promise.all(containers.map(each => stopService(engine, each)))
  }
}

async function startAnew(
  engine: Engine,
  sandbox: ContainerState,
  services: readonly ServiceContainer[],
): Promise<void> {
  const isOlder = ({ container }: ServiceContainer) =>
    container.status !== 'created' && Date.parse(container.startedAt) < Date.parse(sandbox.startedAt)
  const older = services.filter(isOlder)
  if (older.length === 0) return
  await addHostNames(
    engine,
    sandbox.id,
    older.flatMap(({ facts }) => facts.names),
  )
  // In their order, as far as they say at once that they run.
  for (const { container } of older) {
    await stopService(engine, container)
    await unlessGone(engine.startContainer(container.id))
  }
}

/** Somebody else may do the same at the same time. */
async function unlessGone(work: Promise<void>): Promise<void> {
  await work.catch(error => {
    const isOver = (['sandbox_not_found', 'sandbox_not_running'] as const).some(code => isAppError(error, code))
    if (!isOver) throw error
  })
}

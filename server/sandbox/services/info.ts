import type { SandboxServiceInfo, SandboxServicesInfo, ServiceState } from '../../api/v1/sandbox/services.ts'
import type { ComposeProject } from '../../compose/read.ts'
import type { ContainerState, Engine } from '../../docker/engine.ts'
import type { ServiceContainer } from './container.ts'
import { endOf } from './readiness.ts'
import type { ServiceProgress } from './set.ts'
import type { KnownService } from './work.ts'

export interface ServicesSeen {
  project: ComposeProject | null
  containers: readonly ServiceContainer[]
  progress: ReadonlyMap<string, ServiceProgress>
}

/** As clients see them: those of the file, then those that are still there but in the file no more. */
export async function servicesInfo(
  engine: Engine,
  { project, containers, progress }: ServicesSeen,
): Promise<SandboxServicesInfo> {
  const all = everyService({ project, containers, progress })
  return {
    file: project?.files[0]?.path ?? null,
    problem: project?.problem ?? null,
    services: await Promise.all(all.map(each => serviceInfo(engine, each))),
    left_out: project?.plan.leftOut ?? [],
  }
}

/** As agents are to know them: those that work, and those that do not although nobody has stopped them. */
export async function knownServices(engine: Engine, seen: ServicesSeen): Promise<KnownService[]> {
  const each = everyService(seen).map(async ({ name, image, ports, found, progress }): Promise<KnownService[]> => {
    const problem = await problemOf(engine, found?.container, progress)
    const works = found?.container.status === 'running' || found?.container.status === 'paused'
    return problem === null && !works ? [] : [{ name, image, ports, problem }]
  })
  return (await Promise.all(each)).flat()
}

function everyService({ project, containers, progress }: ServicesSeen): OneSeen[] {
  const plans = project?.plan.services ?? []
  const names = new Set(plans.map(({ name }) => name))
  const others = containers.filter(({ name }) => !names.has(name))
  const one = (name: string, image: string, named: readonly number[]): OneSeen => {
    const found = containers.find(each => each.name === name)
    const ports = found && found.facts.ports.length > 0 ? found.facts.ports : named
    return { name, image, ports, found, progress: progress.get(name) }
  }
  return [
    ...plans.map(({ name, image, ports }) => one(name, image, ports)),
    ...others.map(({ name, container, facts }) => one(name, container.image, facts.ports)),
  ]
}

interface OneSeen {
  name: string
  image: string
  ports: readonly number[]
  found: ServiceContainer | undefined
  progress: ServiceProgress | undefined
}

async function serviceInfo(
  engine: Engine,
  { name, image, ports, found, progress }: OneSeen,
): Promise<SandboxServiceInfo> {
  const container = found?.container
  const state = progress?.state ?? stateOf(container)
  const detail = progress ? progress.detail : await detailOf(engine, container)
  const memory_bytes = await memoryOf(engine, container)
  return { name, image, state, detail, ports: [...ports], memory_bytes, restarts: container?.restarts ?? 0 }
}

function stateOf(container: ContainerState | undefined): ServiceState {
  switch (container?.status) {
    case undefined:
    case 'created':
      return 'not_started'
    case 'running':
      return container.health ?? 'running'
    case 'restarting':
      return 'restarting'
    case 'paused':
      return 'paused'
    case 'exited':
    case 'removing':
    case 'dead':
      return 'exited'
  }
}

async function detailOf(engine: Engine, container: ContainerState | undefined): Promise<string | null> {
  if (container?.status === 'restarting') {
    return `It ends by itself, and is started again. ${await endOf(container.id, container, engine)}`
  }
  if (container?.status !== 'exited') return null
  // How a stop ends a process.
  const isStopped = container.exitCode === 0 || container.exitCode === 137 || container.exitCode === 143
  return isStopped && !container.outOfMemory && !container.error ? null : endOf(container.id, container, engine)
}

async function problemOf(
  engine: Engine,
  container: ContainerState | undefined,
  progress: ServiceProgress | undefined,
): Promise<string | null> {
  if (progress) return progress.state === 'failed' ? progress.detail : null
  if (container?.status === 'running' && container.health === 'unhealthy') {
    return 'It runs, but its own check says that it does not work.'
  }
  return detailOf(engine, container)
}

async function memoryOf(engine: Engine, container: ContainerState | undefined): Promise<number | null> {
  if (container?.status !== 'running') return null
  try {
    return (await engine.containerStats(container.id)).memoryBytes
  } catch {
    // It ended in the meantime.
    return null
  }
}

import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { ServicePlan } from '../../compose/service-plan.ts'
import { LABEL, partLabels } from '../../docker/container/labels.ts'
import type { ContainerRequest, ContainerState } from '../../docker/engine.ts'
import { BOUNDS } from '../../domain/bounds.ts'
import { type EngineCapacity, limitsFor, SANDBOX } from '../spec.ts'
import type { BoundFiles } from './bound-files.ts'

const SERVICE = {
  cpus: 2,
  minCpus: 0.01,
  /** An engine takes no less. */
  minMemoryBytes: 6 * 2 ** 20,
  /** A database has a process or a thread for each connection. */
  pids: 512,
  maxStopGraceSeconds: 60,
  maxShmBytes: 2 ** 30,
} as const

const facts = z.object({ names: z.array(z.string()), ports: z.array(z.int()), rank: z.int() })
/** `rank`: how many services stand before it; those on which it depends are among them. */
export type ServiceFacts = z.output<typeof facts>

export interface ServicePlace {
  instanceId: string
  sandboxId: string
  /** The sandbox's own container. */
  container: ContainerState
  capacity: EngineCapacity
}

/**
 * A service in the network of its sandbox: the rules of the sandbox hold for it, it is reached at `localhost`, and nobody else
 * reaches it.
 */
export function serviceRequest(
  plan: ServicePlan,
  known: ServiceFacts & { files: BoundFiles },
  { instanceId, sandboxId, container, capacity }: ServicePlace,
): ContainerRequest {
  const labels = partLabels(instanceId, sandboxId)
  // To an engine nothing is no limit.
  const asked = {
    memory_bytes: Math.max(plan.memoryBytes ?? BOUNDS.serviceMemory.limit, SERVICE.minMemoryBytes),
    cpus: Math.min(Math.max(plan.cpus ?? SERVICE.cpus, SERVICE.minCpus), SANDBOX.cpus),
  }
  const { memoryBytes, cpus } = limitsFor(capacity, null, asked)
  const { health, shmBytes, stopGraceSeconds, restart } = plan
  return {
    name: containerName(sandboxId, plan.name),
    image: plan.image,
    command: plan.command,
    ...(plan.entrypoint && { entrypoint: plan.entrypoint }),
    workingDir: plan.workingDir ?? '',
    env: plan.env,
    labels: {
      ...labels,
      // An image may have the labels of a sandbox, and its containers inherit them.
      [LABEL.spec]: '',
      [LABEL.imageOf]: '',
      [LABEL.specImage]: '',
      [LABEL.service]: plan.name,
      [LABEL.serviceDigest]: digestOf(plan, known.files, container.id),
      [LABEL.serviceFacts]: JSON.stringify({ names: known.names, ports: known.ports, rank: known.rank }),
    },
    ports: [],
    ...(plan.user !== null && { user: plan.user }),
    memoryBytes: Math.min(memoryBytes, BOUNDS.serviceMemory.limit),
    cpus,
    pids: SERVICE.pids,
    ...(container.runtime && { runtime: container.runtime }),
    capabilities: { drop: [...SANDBOX.capabilities.drop], add: [...SANDBOX.capabilities.add] },
    network: { of: container.id },
    // Its file of hosts is that of the sandbox.
    extraHosts: [],
    mounts: [],
    volumes: [...plan.volumes, ...known.files.volumes].map(({ name, ...volume }) => ({
      ...volume,
      name: `${sandboxId}-${name}`,
      labels,
    })),
    service: {
      ...(health !== null && { health }),
      tmpfs: plan.tmpfs,
      ...(shmBytes !== null && { shmBytes: Math.min(shmBytes, SERVICE.maxShmBytes) }),
      stopGraceSeconds: graceOf(stopGraceSeconds),
      ...(restart && { restart }),
    },
    logBytes: BOUNDS.serviceLog.limit,
  }
}

function graceOf(seconds: number | null): number {
  return Math.min(seconds ?? SANDBOX.stopGraceSeconds, SERVICE.maxStopGraceSeconds)
}

function containerName(sandboxId: string, service: string): string {
  return `${sandboxId}-${service}`
}

/** With another one a container is made anew. */
export function digestOf(plan: ServicePlan, files: BoundFiles, sandboxContainer: string): string {
  const { dependsOn: _dependsOn, ...made } = plan
  return createHash('sha256')
    .update(JSON.stringify([made, files.digest, sandboxContainer]))
    .digest('hex')
}

/** A container beside a sandbox. */
export interface ServiceContainer {
  sandboxId: string
  name: string
  digest: string
  facts: ServiceFacts
  container: ContainerState
}

/** undefined for a container that runs no service. */
export function serviceOf(container: ContainerState): ServiceContainer | undefined {
  const { [LABEL.sandbox]: sandboxId, [LABEL.service]: name, [LABEL.serviceDigest]: digest } = container.labels
  if (!sandboxId || !name || !digest || container.name !== containerName(sandboxId, name)) return undefined
  return { sandboxId, name, digest, facts: factsOf(container), container }
}

function factsOf({ labels }: ContainerState): ServiceFacts {
  try {
    return facts.parse(JSON.parse(labels[LABEL.serviceFacts] ?? ''))
  } catch {
    return { names: [], ports: [], rank: 0 }
  }
}

import type Docker from 'dockerode'
import type { ContainerRequest, EngineInfo } from '../engine.ts'
import { seccompProfile } from './seccomp.ts'

/** As the API has it; the published types lack it. */
interface HostConfig extends Docker.HostConfig {
  CgroupnsMode?: 'private'
}

/**
 * What is the same for every container: nothing gains privileges, nothing outlives its parent, nothing checks health, and
 * nothing of it is shared with the engine's machine or kept in a log that nobody reads.
 */
export function createOptions(
  request: ContainerRequest,
  engine: Pick<EngineInfo, 'seccomp'>,
): Docker.ContainerCreateOptions {
  return {
    name: request.name,
    Image: request.image,
    Cmd: request.command,
    ...(request.entrypoint && { Entrypoint: request.entrypoint }),
    ...(request.user !== undefined && { User: request.user }),
    WorkingDir: request.workingDir,
    Env: Object.entries(request.env).map(([name, value]) => `${name}=${value}`),
    Labels: request.labels,
    OpenStdin: request.openStdin ?? false,
    ExposedPorts: Object.fromEntries(request.ports.map(port => [`${port}/tcp`, {}])),
    // The image's own check would ask for the service that we did not start.
    Healthcheck: { Test: ['NONE'] },
    HostConfig: hostConfig(request, engine),
  }
}

/** Sent with every container. */
const SECCOMP = `seccomp=${JSON.stringify(seccompProfile())}`

function hostConfig(request: ContainerRequest, { seccomp }: Pick<EngineInfo, 'seccomp'>): HostConfig {
  return {
    Init: !request.isShortLived,
    AutoRemove: request.isShortLived ?? false,
    ReadonlyRootfs: request.isShortLived ?? false,
    ...(request.scratch && { Tmpfs: { [request.scratch]: 'rw,nosuid,nodev,noexec,size=16m,mode=1777' } }),
    NetworkMode: typeof request.network === 'string' ? request.network : `container:${request.network.of}`,
    ...(request.seesHost && { PidMode: 'host', UsernsMode: 'host' }),
    PortBindings: Object.fromEntries(
      request.ports.map(port => [`${port}/tcp`, [{ HostIp: '127.0.0.1', HostPort: '' }]]),
    ),
    ExtraHosts: request.extraHosts,
    CapDrop: request.capabilities.drop,
    CapAdd: request.capabilities.add,
    SecurityOpt: ['no-new-privileges:true', ...(seccomp === 'own' ? [SECCOMP] : [])],
    CgroupnsMode: 'private',
    IpcMode: 'private',
    LogConfig: { Type: 'none', Config: {} },
    Privileged: false,
    ...(request.runtime !== undefined && { Runtime: request.runtime }),
    ...(request.diskBytes !== undefined && { StorageOpt: { size: String(request.diskBytes) } }),
    PidsLimit: request.pids,
    Memory: request.memoryBytes,
    // Equal to Memory: no swap on top of it.
    MemorySwap: request.memoryBytes,
    NanoCpus: Math.round(request.cpus * 1e9),
    Mounts: request.mounts.map(mount => ({
      Type: 'bind',
      Source: mount.hostPath,
      Target: mount.containerPath,
      ReadOnly: mount.readOnly,
    })),
  }
}

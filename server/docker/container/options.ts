import type Docker from 'dockerode'
import type { ContainerRequest, ServiceRequest } from '../engine.ts'
import type { EngineInfo } from '../engine-info.ts'
import { seccompProfile } from './seccomp.ts'

/** As the API has it; the published types lack it. */
interface HostConfig extends Docker.HostConfig {
  CgroupnsMode?: 'private'
}

/**
 * What is the same for every container: nothing gains privileges, nothing outlives its parent, and nothing of it is shared
 * with the engine's machine. Only services are asked how they are; a log is kept of those that a person looks into.
 */
export function createOptions(
  request: ContainerRequest,
  engine: Pick<EngineInfo, 'seccomp' | 'logDriver'>,
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
    ...healthcheck(request.service),
    ...(request.service && { StopTimeout: request.service.stopGraceSeconds }),
    HostConfig: hostConfig(request, engine),
  }
}

function healthcheck(service: ServiceRequest | undefined): Pick<Docker.ContainerCreateOptions, 'Healthcheck'> {
  const health = service ? service.health : 'none'
  if (health === undefined) return {}
  // The image's own check would ask for the service that we did not start.
  if (health === 'none') return { Healthcheck: { Test: ['NONE'] } }
  const { test, interval, timeout, startPeriod, retries } = health
  const nanoseconds = (milliseconds: number) => Math.round(milliseconds * 1e6)
  return {
    Healthcheck: {
      Test: test,
      Interval: nanoseconds(interval),
      Timeout: nanoseconds(timeout),
      StartPeriod: nanoseconds(startPeriod),
      Retries: retries,
    },
  }
}

function logConfig(
  logBytes: number | undefined,
  { logDriver }: Pick<EngineInfo, 'logDriver'>,
): Docker.HostConfig['LogConfig'] {
  if (logBytes === undefined || !logDriver) return { Type: 'none', Config: {} }
  return { Type: logDriver, Config: { 'max-size': `${Math.floor(logBytes / 2 / 1024)}k`, 'max-file': '2' } }
}

/** What a person has stopped stays so when the engine starts: `always` would start it, and before its sandbox. */
function restartPolicy({ on, attempts }: NonNullable<ServiceRequest['restart']>): Docker.HostRestartPolicy {
  // Only this policy has a bound.
  if (on === 'failure' || attempts > 0) return { Name: 'on-failure', MaximumRetryCount: attempts }
  return { Name: 'unless-stopped' }
}

/** Sent with every container. */
const SECCOMP = `seccomp=${JSON.stringify(seccompProfile())}`

function hostConfig(request: ContainerRequest, engine: Pick<EngineInfo, 'seccomp' | 'logDriver'>): HostConfig {
  const { service } = request
  return {
    Init: !request.isShortLived,
    AutoRemove: request.isShortLived ?? false,
    ReadonlyRootfs: request.isShortLived ?? false,
    ...(service && { Tmpfs: Object.fromEntries(service.tmpfs.map(path => [path, 'rw,nosuid,nodev'])) }),
    ...(service?.restart && { RestartPolicy: restartPolicy(service.restart) }),
    ...(service?.shmBytes !== undefined && { ShmSize: service.shmBytes }),
    ...(request.scratch && { Tmpfs: { [request.scratch]: 'rw,nosuid,nodev,noexec,size=16m,mode=1777' } }),
    NetworkMode: typeof request.network === 'string' ? request.network : `container:${request.network.of}`,
    ...(request.seesHost && { PidMode: 'host', UsernsMode: 'host' }),
    PortBindings: Object.fromEntries(
      request.ports.map(port => [`${port}/tcp`, [{ HostIp: '127.0.0.1', HostPort: '' }]]),
    ),
    ExtraHosts: request.extraHosts,
    CapDrop: request.capabilities.drop,
    CapAdd: request.capabilities.add,
    SecurityOpt: ['no-new-privileges:true', ...(engine.seccomp === 'own' ? [SECCOMP] : [])],
    CgroupnsMode: 'private',
    IpcMode: 'private',
    LogConfig: logConfig(request.logBytes, engine),
    Privileged: false,
    ...(request.runtime !== undefined && { Runtime: request.runtime }),
    ...(request.diskBytes !== undefined && { StorageOpt: { size: String(request.diskBytes) } }),
    PidsLimit: request.pids,
    Memory: request.memoryBytes,
    // Equal to Memory: no swap on top of it.
    MemorySwap: request.memoryBytes,
    NanoCpus: Math.round(request.cpus * 1e9),
    Mounts: [
      ...request.mounts.map(mount => ({
        Type: 'bind' as const,
        Source: mount.hostPath,
        Target: mount.containerPath,
        ReadOnly: mount.readOnly,
      })),
      ...(request.volumes ?? []).map(volume => ({
        Type: 'volume' as const,
        Source: volume.name,
        Target: volume.containerPath,
        ReadOnly: volume.readOnly,
        VolumeOptions: { NoCopy: false, Labels: volume.labels, DriverConfig: { Name: 'local', Options: {} } },
      })),
    ],
  }
}

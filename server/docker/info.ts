import { hostname, release } from 'node:os'
import type Docker from 'dockerode'
import { hasProfileFor } from './container/seccomp.ts'
import { type DetailedInfo, engineDetails } from './details.ts'
import type {
  EngineInfo,
  EngineRuntime,
  EngineSeccomp,
  EngineUserNamespace,
  EngineUsers,
  LogDriver,
} from './engine-info.ts'

/** What the engine says of itself, of which the published types know nothing. */
export interface SystemInfo extends DetailedInfo {
  ID?: string
  OperatingSystem: string
  Architecture: string
  NCPU: number
  MemTotal: number
  DockerRootDir?: string
  Name?: string
  KernelVersion?: string
  /** As `name=rootless`. */
  SecurityOptions?: string[] | null
  /** Of Podman, which says it nowhere else. */
  Rootless?: boolean
  DefaultRuntime?: string
  Runtimes?: Record<string, { path?: string; runtimeType?: string }> | null
  Plugins?: { Log?: string[] | null } | null
}

export function engineInfo(info: SystemInfo, version: Docker.DockerVersion): EngineInfo {
  const name = engineName(info.OperatingSystem, version)
  return {
    identity: identityOf(info, name),
    name,
    version: version.Version,
    apiVersion: version.ApiVersion,
    operatingSystem: info.OperatingSystem,
    architecture: info.Architecture,
    cpus: info.NCPU,
    memoryBytes: info.MemTotal,
    canLimitCpus: info.CpuCfsPeriod !== false && info.CpuCfsQuota !== false,
    canConnectLater: name !== 'Podman',
    folder: isLocalEngine(info) ? (info.DockerRootDir ?? null) : null,
    users: usersOf(info),
    seccomp: seccompOf(info, name),
    userNamespace: userNamespaceOf(info),
    runtimes: runtimesOf(info, name),
    canLimitDisk: canLimitDisk(info),
    logDriver: LOG_DRIVERS.find(driver => info.Plugins?.Log?.includes(driver)) ?? null,
    details: engineDetails(info),
  }
}

/**
 * Machines that were made from one image have engines of the same id, and so have two engines of one machine before Docker 23.
 * Podman says another id each time (https://github.com/containers/podman/blob/main/pkg/api/handlers/compat/info.go).
 */
function identityOf({ ID, Name, DockerRootDir }: SystemInfo, engine: string): string {
  return JSON.stringify([engine === 'Podman' ? engine : ID, Name, DockerRootDir])
}

/** The first that an engine has: its logs are compressed, and bounded by themselves. */
const LOG_DRIVERS: readonly LogDriver[] = ['local', 'json-file']

function usersOf(info: SystemInfo): EngineUsers {
  const userNamespace = userNamespaceOf(info)
  if (userNamespace === 'rootless' || !isLocalEngine(info)) return 'engine'
  return userNamespace === 'remapped' ? 'mapped' : 'same'
}

function userNamespaceOf(info: SystemInfo): EngineUserNamespace {
  if (info.Rootless || hasSecurity(info, 'rootless')) return 'rootless'
  return hasSecurity(info, 'userns') ? 'remapped' : 'none'
}

/** Podman takes the name of a file on its machine for a profile (https://github.com/containers/podman/issues/27710). */
function seccompOf(info: SystemInfo, name: string): EngineSeccomp {
  if (!hasSecurity(info, 'seccomp')) return 'none'
  return name !== 'Podman' && hasProfileFor(info.Architecture) ? 'own' : 'engine'
}

function hasSecurity({ SecurityOptions }: SystemInfo, name: string): boolean {
  return SecurityOptions?.some(option => option.split(',').includes(`name=${name}`)) ?? false
}

/** Other names for what Docker has anyway. */
const ALIASES: ReadonlySet<string> = new Set(['io.containerd.runc.v2', 'io.containerd.runtime.v1.linux'])

/** Programs that start containers in the engine's own kernel, and such as wrap them for devices. */
const KERNEL_RUNTIME =
  /(^|[/-])(runc|crun|youki)$|-container-runtime(\.\w+)?$|^io\.containerd\.(runc\.v\d|runtime\.v1\.linux)$/

/** Podman lists what it knows of, whether it is installed or not, and takes no choice from a request. */
function runtimesOf({ DefaultRuntime: first = 'runc', Runtimes }: SystemInfo, engine: string): EngineRuntime[] {
  const listed = Runtimes ?? {}
  const others = engine === 'Podman' ? [] : Object.keys(listed).filter(name => !ALIASES.has(name) && name !== first)
  return [first, ...others.sort()].map(name => {
    const { path, runtimeType } = listed[name] ?? {}
    return { name, hasKernelNetwork: KERNEL_RUNTIME.test(runtimeType || path || name) }
  })
}

function canLimitDisk({ Driver, DriverStatus }: SystemInfo): boolean {
  if (Driver === 'zfs') return true
  const isOnXfs = DriverStatus?.some(([name, value]) => name === 'Backing Filesystem' && value === 'xfs') ?? false
  return Driver === 'overlay2' && isOnXfs
}

/** Desktop products name themselves as the operating system; Podman as a component. */
function engineName(operatingSystem: string, version: Docker.DockerVersion): string {
  const component = version.Components?.[0]?.Name ?? ''
  if (/podman/i.test(component)) return 'Podman'
  return ['Docker Desktop', 'OrbStack', 'Rancher Desktop'].find(name => operatingSystem.includes(name)) ?? 'Docker'
}

/** An engine of another machine, or in a virtual machine, has another name or kernel. */
function isLocalEngine({ Name, KernelVersion }: SystemInfo): boolean {
  return Name === hostname() && KernelVersion === release()
}

import { EMPTY_ALLOWLIST, type NetworkPolicy } from '../api/network-policy.ts'
import type { SandboxCache } from '../api/v1/sandbox/caches.ts'
import { type ClusterPlace, EVERYWHERE } from '../api/v1/sandbox/cluster.ts'
import { EXPOSED_PORTS } from '../api/v1/sandbox/exposed-ports.ts'
import { DEFAULT_ENGINE } from '../api/v1/system/engines.ts'
import { writeLabels } from '../docker/container/labels.ts'
import type { ContainerRequest } from '../docker/engine.ts'
import type { EngineInfo } from '../docker/engine-info.ts'
import { BOUNDS } from '../domain/bounds.ts'
import type { SandboxSpecRow } from '../store/sandbox/specs.ts'
import { builtImage } from './build/image-names.ts'
import { runtimeFor } from './runtime.ts'
import { type CacheUser, cacheVolumes } from './shared-cache/volumes.ts'

const GIB = 1024 ** 3

/** Every default of a sandbox. */
export const SANDBOX = {
  namePrefix: 'atelier-',
  workingDir: '/workspace/project',
  memoryBytes: 4 * GIB,
  /** Of the engine's memory, at most: the user's machine goes on working. */
  memoryShare: 0.5,
  cpus: 4,
  /** A fork bomb ends here; a large build does not. */
  pids: 1024,
  /** Written over its image. Watched, where a spec names no limit: a quota would end builds that work today. */
  diskBytes: 20e9,
  /**
   * What installing packages as root takes: files of other users (apt, npm, git), switching to an unprivileged user (apt's
   * downloads), ending its processes, and listening below 1024. Nothing that reaches the kernel, devices or networks.
   */
  capabilities: {
    drop: ['ALL'],
    add: ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'FSETID', 'KILL', 'NET_BIND_SERVICE', 'SETGID', 'SETUID'],
  },
  /** Root in the sandbox, whatever user the image names: the working folder and package managers work in any image. */
  user: '0:0',
  /** Docker Desktop knows this name; on Linux it has to be said. */
  extraHosts: ['host.docker.internal:host-gateway'],
  stopGraceSeconds: 5,
} as const

/**
 * Waits for ever as one sleeping process that a stop ends at once. An image without `sleep` waits on its input, which
 * nobody writes to: `/bin/sh` is all that is needed.
 */
const KEEP_ALIVE = 'command -v sleep >/dev/null 2>&1 && exec sleep 2147483647; read -r _'

const IDLE_COMMAND: readonly string[] = ['/bin/sh', '-c', KEEP_ALIVE]

/** Variables of every process in the sandbox: where to listen, so that the user sees it. */
const INITIAL_ENV: Readonly<Record<string, string>> = {
  WORKER_1: String(EXPOSED_PORTS.WORKER_1),
  WORKER_2: String(EXPOSED_PORTS.WORKER_2),
}

export interface SandboxSpec extends NetworkPolicy {
  /** Of a built-in one the image reference. */
  id: string
  image: string
  /** What the image is built from; null of one that is named. */
  dockerfile: string | null
  title: string
  workingDir: string
  /** On top of ours. */
  initialEnv: Readonly<Record<string, string>>
  /** null waits for ever. */
  command: readonly string[] | null
  limits: SpecLimits
  /** null is the engine's default. */
  runtime: string | null
  mounts: readonly SpecMount[]
  /** Which its sandboxes run on. */
  engineId: string
  /** What all its sandboxes share. */
  caches: readonly SandboxCache[]
  cluster: ClusterPlace
  /** Absent: its programs run as root. */
  account?: SpecAccount
  /** null of a built-in one. */
  createdAt: string | null
  /** Name of the file that it was imported from. */
  importedFrom?: string | undefined
}

/** A user of the image, as whom programs run where no mounted folder says whose they are. */
interface SpecAccount {
  /** As `uid:gid`. */
  user: string
  home: string
  /** Made for that user before the sandbox starts. */
  folders: readonly string[]
}

/** null is the default's. */
export interface SpecLimits {
  memory_bytes: number | null
  cpus: number | null
  pids: number | null
  disk_bytes: number | null
}

export interface SpecMount {
  host_path: string
  container_path: string
  mode: 'ro' | 'rw'
}

const NO_LIMITS: SpecLimits = { memory_bytes: null, cpus: null, pids: null, disk_bytes: null }

export interface ImageSettings {
  base: string | null
  runtime: string | null
  /** Multiplies memory and processors; null is 1. */
  resourceFactor: number | null
}

const SECOND_PRESET = 'nikolaik/python-nodejs:python3.12-nodejs22'

/** The first is the default: the runtime image from the settings, else the base image, else the bundled one. */
export function sandboxSpecs(bundled: string | null, settings: Pick<ImageSettings, 'base' | 'runtime'>): SandboxSpec[] {
  const presets = [
    { id: bundled, title: 'Atelier (Debian, Python, git)' },
    { id: SECOND_PRESET, title: 'Python 3.12 and Node.js 22' },
  ]
  const own = [
    { id: settings.runtime, title: 'From the settings (runtime image)' },
    { id: settings.base, title: 'From the settings (base image)' },
  ]
  const chosen = own.find(each => each.id)
  const specs = new Map<string, SandboxSpec>()
  for (const { id, title } of [...(chosen ? [chosen] : []), ...presets, ...own]) {
    if (id && !specs.has(id)) specs.set(id, specOf(id, title))
  }
  return [...specs.values()]
}

/** With nothing but its image. */
export function specOf(image: string, title: string): SandboxSpec {
  const fixed = {
    command: null,
    limits: NO_LIMITS,
    network: 'full',
    runtime: null,
    mounts: [],
    caches: [],
    createdAt: null,
    dockerfile: null,
    engineId: DEFAULT_ENGINE,
    cluster: EVERYWHERE,
  } as const
  return {
    id: image,
    image,
    title,
    workingDir: SANDBOX.workingDir,
    initialEnv: {},
    allowlist: EMPTY_ALLOWLIST,
    ...fixed,
  }
}

export function ownSpec({ id, createdAt, definition, importedFrom }: SandboxSpecRow): SandboxSpec {
  const { title, command = null, dockerfile = null, working_dir, initial_env, engine_id, ...same } = definition
  const engineId = engine_id ?? DEFAULT_ENGINE
  const image = dockerfile === null ? (definition.image ?? '') : builtImage(id, dockerfile)
  const workingDir = working_dir ?? SANDBOX.workingDir
  return {
    ...same,
    id,
    image,
    dockerfile,
    title,
    workingDir,
    initialEnv: initial_env,
    command,
    engineId,
    createdAt,
    importedFrom,
  }
}

/** A folder of this machine that one sandbox has beside what its spec says. */
export interface MountedFolder {
  /** Ancestors before what is in them. */
  mounts: readonly SpecMount[]
  /** As `uid:gid`, whose the folder is: its programs run as that, so that the files they make are theirs. null is root. */
  user: string | null
  env: Readonly<Record<string, string>>
  /** Where the folder is in the sandbox, and a name in it; null where it is empty. It tells an engine that sees another folder. */
  path: string
  sees: string | null
  /**
   * `device:inode` of each mount as it was looked at, by its path in the sandbox: somebody may have put a link in its place
   * before the engine mounted it. Empty where the numbers of a sandbox are others than this machine's.
   */
  files: ReadonlyMap<string, string>
}

/** Of the owner of a mounted folder: a home that the image may have for the user need not be there, or be the user's. */
export const ACCOUNT_HOME = '/home/atelier'

export interface SandboxIdentity {
  id: string
  instanceId: string
  createdAt: string
}

export function containerRequest(
  spec: SandboxSpec,
  identity: SandboxIdentity,
  engine: EngineCapacity,
  resourceFactor: number | null,
  {
    folder,
    user = (folder ? folder.user : spec.account?.user) ?? undefined,
  }: { folder?: MountedFolder | undefined; user?: string | undefined } = {},
): ContainerRequest {
  const { id: specId, workingDir } = spec
  const runtime = runtimeFor(spec, engine.runtimes ?? [])
  const volumes = cacheVolumes(spec, cacheUser(spec, folder, user), identity.instanceId)
  return {
    name: identity.id,
    image: spec.image,
    // The command replaces the image's entrypoint, whatever that would start.
    entrypoint: [...(spec.command ?? IDLE_COMMAND)],
    command: [],
    workingDir,
    env: { ...INITIAL_ENV, ...homeFor(spec, folder), ...spec.initialEnv, ...folder?.env },
    labels: writeLabels({
      ...identity,
      specId,
      workingDir,
      network: spec.network,
      allowlist: spec.allowlist,
      specMounts: [...spec.mounts.map(mount => mount.container_path), ...volumes.map(each => each.containerPath)],
      ...(user && { user }),
    }),
    // Also without a network, as it may get one.
    ports: Object.values(EXPOSED_PORTS),
    user: user ?? SANDBOX.user,
    openStdin: true,
    ...limitsFor(engine, resourceFactor, spec.limits),
    pids: spec.limits.pids ?? SANDBOX.pids,
    ...(engine.canLimitDisk && spec.limits.disk_bytes !== null && { diskBytes: spec.limits.disk_bytes }),
    ...(runtime !== null && { runtime }),
    capabilities: { drop: [...SANDBOX.capabilities.drop], add: [...SANDBOX.capabilities.add] },
    // It is connected when its rules stand.
    network: spec.network !== 'none' && engine.canConnectLater === false ? 'bridge' : 'none',
    extraHosts: [...SANDBOX.extraHosts],
    mounts: [...spec.mounts, ...(folder?.mounts ?? [])].map(mount => ({
      hostPath: mount.host_path,
      containerPath: mount.container_path,
      readOnly: mount.mode === 'ro',
    })),
    ...(volumes.length > 0 && { volumes }),
    // What only waits prints nothing.
    ...(spec.command !== null && { logBytes: BOUNDS.sandboxLog.limit }),
    cluster: spec.cluster,
  }
}

/** Whose home the caches lie in. */
export function cacheUser(
  { account }: Pick<SandboxSpec, 'account'>,
  folder: MountedFolder | undefined,
  user: string = SANDBOX.user,
): CacheUser {
  const home = folder ? ACCOUNT_HOME : (account?.home ?? ACCOUNT_HOME)
  return { user, home: user.startsWith('0:') ? '/root' : home }
}

/** Its programs would else have that of root. A copy has it from what it is a copy of. */
function homeFor({ account }: SandboxSpec, folder: MountedFolder | undefined): { HOME?: string } {
  if (folder) return folder.user === null ? {} : { HOME: ACCOUNT_HOME }
  return account ? { HOME: account.home } : {}
}

export type EngineCapacity = Pick<EngineInfo, 'cpus' | 'memoryBytes' | 'canLimitCpus' | 'canConnectLater'> &
  Partial<Pick<EngineInfo, 'runtimes' | 'canLimitDisk'>>

/** The factor scales the defaults; a spec's own limits hold as they are. Neither goes beyond what the engine has. */
export function limitsFor(
  engine: EngineCapacity,
  resourceFactor: number | null,
  own: Pick<SpecLimits, 'memory_bytes' | 'cpus'> = NO_LIMITS,
): { memoryBytes: number; cpus: number } {
  const factor = Math.max(1, resourceFactor ?? 1)
  const memory = own.memory_bytes ?? Math.min(SANDBOX.memoryBytes, engine.memoryBytes * SANDBOX.memoryShare) * factor
  return {
    memoryBytes: Math.floor(Math.min(memory, engine.memoryBytes)),
    cpus: engine.canLimitCpus === false ? 0 : Math.min(own.cpus ?? SANDBOX.cpus * factor, engine.cpus),
  }
}

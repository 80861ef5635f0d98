import {
  type SandboxMount,
  type SandboxSpecInfo,
  type SandboxSpecRequest,
  sandboxSpecRequest,
} from '../../../server/api/v1/sandbox/specs.ts'
import {
  type ClusterDraft,
  type ClusterErrors,
  draftOfCluster,
  EMPTY_CLUSTER,
  errorsOfCluster,
  inputOfCluster,
} from './cluster-draft.ts'
import { linesOf } from './lines.ts'
import { t } from './text.ts'

/** A sandbox spec as it is typed. */
export interface SpecDraft {
  title: string
  image: string
  /** In place of the image, unless it is empty. */
  dockerfile: string
  /** One word a line: nothing has to be quoted. */
  command: string
  workingDir: string
  /** `NAME=value` a line. */
  env: string
  /** GB. */
  memory: string
  cpus: string
  pids: string
  /** GB. */
  disk: string
  network: SandboxSpecRequest['network']
  /** Empty is the engine's default. */
  runtime: string
  /** Its id; empty is the default one. */
  engine: string
  allowlist: SandboxSpecRequest['allowlist']
  mounts: readonly MountDraft[]
  caches: SandboxSpecRequest['caches']
  cluster: ClusterDraft
}

/** `key` tells rows apart while they are edited. */
export interface MountDraft {
  key: number
  hostPath: string
  containerPath: string
  mode: SandboxMount['mode']
}

type SpecField = Exclude<keyof SpecDraft, 'mounts' | 'cluster'>
export interface SpecErrors {
  fields: Partial<Record<SpecField | 'mounts', string>>
  /** By the mount's key. */
  mounts: Readonly<Record<number, { hostPath?: string; containerPath?: string }>>
  cluster: ClusterErrors
}

export const EMPTY_SPEC: SpecDraft = {
  title: '',
  image: '',
  dockerfile: '',
  command: '',
  workingDir: '',
  env: '',
  memory: '',
  cpus: '',
  pids: '',
  disk: '',
  network: 'full',
  runtime: '',
  engine: '',
  allowlist: { presets: [], hosts: [] },
  mounts: [],
  caches: [],
  cluster: EMPTY_CLUSTER,
}

const GB = 1_000_000_000

export function draftOfSpec(spec: SandboxSpecInfo): SpecDraft {
  const { limits } = spec
  return {
    title: spec.title,
    image: spec.dockerfile === null ? spec.image : '',
    dockerfile: spec.dockerfile ?? '',
    command: spec.command?.join('\n') ?? '',
    workingDir: spec.working_dir,
    env: Object.entries(spec.initial_env)
      .map(([name, value]) => `${name}=${value}`)
      .join('\n'),
    memory: limits.memory_bytes === null ? '' : String(limits.memory_bytes / GB),
    cpus: limits.cpus === null ? '' : String(limits.cpus),
    pids: limits.pids === null ? '' : String(limits.pids),
    disk: limits.disk_bytes === null ? '' : String(limits.disk_bytes / GB),
    network: spec.network,
    runtime: spec.runtime ?? '',
    engine: spec.engine_id ?? '',
    allowlist: spec.allowlist,
    mounts: spec.mounts.map(({ host_path, container_path, mode }, key) => ({
      key,
      hostPath: host_path,
      containerPath: container_path,
      mode,
    })),
    caches: [...spec.caches],
    cluster: draftOfCluster(spec.cluster),
  }
}

export type CheckedSpec = { ok: true; request: SandboxSpecRequest } | { ok: false; errors: SpecErrors }

/** The draft through the service's own schema: what to send, or what is wrong, field by field. */
export function checkSpec(draft: SpecDraft): CheckedSpec {
  const result = sandboxSpecRequest.safeParse(inputOf(draft))
  const wrongLine = linesOf(draft.env).find(line => !line.includes('='))
  if (result.success && wrongLine === undefined) return { ok: true, request: result.data }
  const errors: SpecErrors = { fields: {}, mounts: {}, cluster: {} }
  if (wrongLine !== undefined) errors.fields.env = t('writeNameValueLine', { wrongLine })
  const mounts: Record<number, { hostPath?: string; containerPath?: string }> = {}
  for (const { path, message } of result.error?.issues ?? []) {
    if (path[0] === 'mounts' && typeof path[1] === 'number') {
      const key = draft.mounts[path[1]]?.key ?? -1
      const [field, words] =
        path[2] === 'host_path' ? (['hostPath', HOST] as const) : (['containerPath', INSIDE] as const)
      mounts[key] = { ...mounts[key], [field]: words }
    } else if (path[0] === 'cluster') Object.assign(errors.cluster, errorsOfCluster(String(path[1])))
    else note(errors, draft, path, message)
  }
  return { ok: false, errors: { ...errors, mounts } }
}

const HOST = t('giveWholePathOfFolder')
const INSIDE = t('giveAbsolutePath')

function note({ fields }: SpecErrors, draft: SpecDraft, path: readonly PropertyKey[], message: string): void {
  const name = String(path[0] === 'limits' ? path[1] : path[0])
  const field = FIELDS[name]
  if (!field) return
  const words = field === 'title' && !draft.title.trim() ? t('giveItName') : WORDS[field]
  const where = field === 'env' && path[1] !== undefined ? `${String(path[1])}: ` : ''
  fields[field] ??= words ?? `${where}${message}.`
}

/** The schema's names for the fields of a draft. */
const FIELDS: Readonly<Record<string, SpecField | 'mounts'>> = {
  title: 'title',
  image: 'image',
  dockerfile: 'dockerfile',
  command: 'command',
  working_dir: 'workingDir',
  initial_env: 'env',
  memory_bytes: 'memory',
  cpus: 'cpus',
  pids: 'pids',
  disk_bytes: 'disk',
  network: 'network',
  allowlist: 'network',
  runtime: 'runtime',
  engine_id: 'engine',
  mounts: 'mounts',
}

const WORDS: Partial<Record<SpecField | 'mounts', string>> = {
  title: t('nameTooLong'),
  image: t('giveImageName'),
  workingDir: INSIDE,
  memory: t('giveGb'),
  cpus: t('giveNumber'),
  pids: t('pidsProblem'),
  disk: t('giveDiskGb'),
}

function inputOf(draft: SpecDraft): Record<string, unknown> {
  const command = linesOf(draft.command)
  const memory = numberOf(draft.memory)
  const disk = numberOf(draft.disk)
  return {
    title: draft.title,
    image: draft.image.trim() || (draft.dockerfile.trim() ? null : ''),
    dockerfile: draft.dockerfile.trim() ? draft.dockerfile : null,
    command: command.length > 0 ? command : null,
    working_dir: draft.workingDir.trim() || null,
    initial_env: Object.fromEntries(
      linesOf(draft.env).map(line => [line.replace(/=.*/s, '').trim(), line.replace(/^[^=]*=?/, '')]),
    ),
    limits: {
      memory_bytes: memory === null ? null : Math.round(memory * GB),
      cpus: numberOf(draft.cpus),
      pids: numberOf(draft.pids),
      disk_bytes: disk === null ? null : Math.round(disk * GB),
    },
    network: draft.network,
    runtime: draft.runtime || null,
    engine_id: draft.engine || null,
    allowlist: draft.allowlist,
    mounts: draft.mounts.map(({ hostPath, containerPath, mode }) => ({
      host_path: hostPath.trim(),
      container_path: containerPath.trim(),
      mode,
    })),
    caches: draft.caches,
    cluster: inputOfCluster(draft.cluster),
  }
}

function numberOf(text: string): number | null {
  return text.trim() === '' ? null : Number(text.trim().replace(',', '.'))
}

/** What a spec is, in the order in which it matters: `2 GB · 2 processors · no network · runsc · 1 mount`. */
export function specWords(spec: Pick<SandboxSpecInfo, 'limits' | 'network' | 'runtime' | 'mounts' | 'caches'>): string {
  const { limits, network, runtime, mounts, caches } = spec
  const { memory_bytes, cpus, disk_bytes } = limits
  return [
    memory_bytes === null ? '' : t('memoryInGb', { memory: Number((memory_bytes / GB).toFixed(1)) }),
    cpus === null ? '' : t('processors', { cpus }),
    disk_bytes === null ? '' : t('diskInGb', { disk: Number((disk_bytes / GB).toFixed(1)) }),
    network === 'full' ? '' : network === 'none' ? t('noNetwork') : t('onlyNamedHosts'),
    runtime ?? '',
    mounts.length === 0 ? '' : t('mounts', { count: mounts.length }),
    caches.length === 0 ? '' : t('sharesCaches', { caches: caches.join(', ') }),
  ]
    .filter(Boolean)
    .join(' · ')
}

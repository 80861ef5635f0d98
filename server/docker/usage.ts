import { setTimeout as delay } from 'node:timers/promises'
import type Docker from 'dockerode'
import { engineError, isGoneImage, statusOf } from './errors.ts'

export interface UsageOptions {
  signal?: AbortSignal | undefined
  /** Without it nothing is added up: containers and volumes have no bytes, and images those that they share. */
  isMeasured?: boolean
}

interface Used {
  labels: Readonly<Record<string, string>>
  bytes: number
  /** null where the engine does not tell. */
  createdAt: string | null
  /** Some container needs it, whoever made that. */
  isUsed: boolean
}

export interface EngineUsage {
  /** `bytes`: what each has written over its image. */
  containers: { name: string; bytes: number }[]
  /** `bytes`: what no other image shares. */
  images: (Used & { id: string; names: string[] })[]
  /** With the same labels as the containers. */
  volumes: (Used & { name: string })[]
}

const MAX_ATTEMPTS = 40
const ATTEMPT_EVERY_MS = 500

/** These fields and parameters are not in the published types. */
interface Sized {
  SizeRw?: number
  ImageID: string
}
interface UsedVolume {
  Name: string
  Labels: Record<string, string> | null
  CreatedAt?: string | undefined
  /** Both -1 where the engine does not tell. */
  UsageData?: { Size: number; RefCount: number } | null | undefined
}
interface OptionalSize {
  listContainers(options: object): Promise<(Docker.ContainerInfo & Sized)[]>
  listImages(options: object): Promise<Docker.ImageInfo[]>
  df(options: object): Promise<{ Volumes?: UsedVolume[] | null }>
}

/**
 * Asked of the two lists and not of `/system/df`, which adds up everybody's volumes and the build cache too, and whose
 * answer has changed its shape between versions of the API. It alone knows how large a volume is: it is asked where there is one.
 */
export async function diskUsage(
  docker: Docker,
  labels: Record<string, string>,
  { signal: abortSignal, isMeasured = true }: UsageOptions = {},
): Promise<EngineUsage> {
  const lists = docker as unknown as OptionalSize
  const signal = abortSignal ? { abortSignal } : {}
  const filters = { label: Object.entries(labels).map(([name, value]) => `${name}=${value}`) }
  const [own, all, images] = await Promise.all([
    lists.listContainers({ all: true, filters, ...(isMeasured && { size: true }), ...signal }),
    lists.listContainers({ all: true, ...signal }),
    lists.listImages({ ...(isMeasured && { 'shared-size': true }), ...signal }),
  ])
  const volumes = await (isMeasured ? usedVolumes : listedVolumes)(docker, filters, signal)
  const used = new Set(all.map(container => container.ImageID))
  return {
    containers: own.map(each => ({ name: each.Names[0]?.slice(1) ?? each.Id, bytes: each.SizeRw ?? 0 })),
    images: images.map(({ Id, RepoTags, Labels, Size, SharedSize, Created }) => ({
      id: Id,
      // So some engines write that it has none.
      names: (RepoTags ?? []).filter(name => name !== '<none>:<none>'),
      labels: Labels ?? {},
      // -1 where the engine does not tell.
      bytes: Size - Math.max(0, SharedSize ?? 0),
      createdAt: momentOf(Created * 1000),
      isUsed: used.has(Id),
    })),
    volumes,
  }
}

async function usedVolumes(
  docker: Docker,
  filters: { label: string[] },
  signal: { abortSignal?: AbortSignal },
): Promise<EngineUsage['volumes']> {
  const { Volumes: own } = await docker.listVolumes({ filters, ...signal })
  const names = new Set((own ?? []).map(({ Name }) => Name))
  if (names.size === 0) return []
  const all = await sizedVolumes(docker, signal)
  return all
    .filter(({ Name }) => names.has(Name))
    .map(each => ({
      ...volume(each),
      bytes: Math.max(0, each.UsageData?.Size ?? 0),
      isUsed: each.UsageData?.RefCount !== 0,
    }))
}

/** An engine refuses to measure for two at once, also where the other one has given up, or is another program. */
async function sizedVolumes(docker: Docker, signal: { abortSignal?: AbortSignal }): Promise<UsedVolume[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      const { Volumes } = await (docker as unknown as OptionalSize).df({ type: 'volume', ...signal })
      return Volumes ?? []
    } catch (error) {
      const isRefused = [409, 500].includes(statusOf(error) ?? 0)
      if (!isRefused || attempt === MAX_ATTEMPTS) throw error
      await delay(ATTEMPT_EVERY_MS, undefined, signal.abortSignal && { signal: signal.abortSignal })
    }
  }
}

async function listedVolumes(
  docker: Docker,
  filters: { label: string[] },
  signal: object,
): Promise<EngineUsage['volumes']> {
  const [all, unused] = await Promise.all([
    docker.listVolumes({ filters, ...signal }),
    docker.listVolumes({ filters: { ...filters, dangling: ['true'] }, ...signal }),
  ])
  const names = new Set((unused.Volumes ?? []).map(({ Name }) => Name))
  return (all.Volumes ?? []).map(each => ({ ...volume(each), bytes: 0, isUsed: !names.has(each.Name) }))
}

function volume({ Name, Labels, CreatedAt }: UsedVolume) {
  return { name: Name, labels: Labels ?? {}, createdAt: momentOf(Date.parse(CreatedAt ?? '')) }
}

function momentOf(milliseconds: number): string | null {
  return Number.isFinite(milliseconds) ? new Date(milliseconds).toISOString() : null
}

/** Asked of one container: in a list the engine would add up all of them. */
export async function writtenBytes(docker: Docker, id: string): Promise<number> {
  const container = docker.getContainer(id) as unknown as { inspect(options: object): Promise<{ SizeRw?: number }> }
  return (await container.inspect({ size: true })).SizeRw ?? 0
}

/** 404: it is gone. 409: a container or another image needs it. */
export async function removeImage(docker: Docker, reference: string): Promise<void> {
  try {
    await docker.getImage(reference).remove()
  } catch (error) {
    if ([404, 409].includes(statusOf(error) ?? 0) || isGoneImage(error)) return
    throw engineError('Removing an image', error)
  }
}

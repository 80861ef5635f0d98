import { isDeepStrictEqual } from 'node:util'
import {
  type Allowlist,
  EMPTY_ALLOWLIST,
  readAllowlist,
  SANDBOX_NETWORKS,
  type SandboxNetwork,
} from '../../api/network-policy.ts'

/** Labels on everything that Atelier makes in an engine. They are the only record of a sandbox: nothing is stored elsewhere. */
export const LABEL = {
  /** Which Atelier (data folder) a container belongs to: two of them on one engine leave each other's alone. */
  instance: 'dev.atelier.instance',
  /** Of which sandbox a network, volume or container is a part. A container with it is no sandbox: a service, or one program. */
  sandbox: 'dev.atelier.sandbox',
  /** Of a container beside a sandbox: the name of the service that it runs. */
  service: 'dev.atelier.service',
  /** Digest of what the container was made from: with another one it is made anew. */
  serviceDigest: 'dev.atelier.service-digest',
  /** As JSON: the names by which it is reached, its ports, and how many others come before it. */
  serviceFacts: 'dev.atelier.service-facts',
  /** Of an image: for which sandbox another one was copied. Containers inherit the labels of their image; on them it means nothing. */
  imageOf: 'dev.atelier.image-of',
  /** Of an image that belongs to a spec, and of what its build leaves. Containers inherit it; on them it means nothing. */
  specImage: 'dev.atelier.spec-image',
  /** Of a volume: which spec's sandboxes share it, and what is in it. */
  cacheSpec: 'dev.atelier.cache-spec',
  cache: 'dev.atelier.cache',
  spec: 'dev.atelier.spec',
  /** ISO 8601; the container's own time changes with an engine's restore. */
  createdAt: 'dev.atelier.created-at',
  workingDir: 'dev.atelier.working-dir',
  network: 'dev.atelier.network',
  /** As JSON. */
  allowlist: 'dev.atelier.allowlist',
  user: 'dev.atelier.user',
  /** What its spec has mounted, as a JSON list of paths in it; absent on sandboxes of older versions. */
  specMounts: 'dev.atelier.spec-mounts',
} as const

export interface SandboxLabels {
  instanceId: string
  specId: string
  createdAt: string
  /** Where conversations work; absent on sandboxes of older versions. */
  workingDir?: string
  /** What it reached at first; absent on sandboxes of older versions, which got a network as they were made. */
  network?: SandboxNetwork
  /** Absent where nothing is on it. */
  allowlist?: Allowlist
  /** As `uid:gid`, whom its programs run as; absent for root. */
  user?: string
  /** Where what its spec mounts is in it. */
  specMounts?: readonly string[]
}

export function writeLabels(labels: SandboxLabels): Record<string, string> {
  return {
    [LABEL.instance]: labels.instanceId,
    // An image may have it, and would make a part of another sandbox of this one.
    [LABEL.sandbox]: '',
    [LABEL.spec]: labels.specId,
    [LABEL.createdAt]: labels.createdAt,
    ...(labels.workingDir && { [LABEL.workingDir]: labels.workingDir }),
    ...(labels.network && { [LABEL.network]: labels.network }),
    // Also an empty one: a copy would inherit that of its original.
    [LABEL.allowlist]: JSON.stringify(labels.allowlist ?? EMPTY_ALLOWLIST),
    // Also of root: a copy, or an image, may have another one.
    [LABEL.user]: labels.user ?? '',
    // Also without any: a copy would inherit those of its original.
    [LABEL.specMounts]: JSON.stringify(labels.specMounts ?? []),
  }
}

/** undefined for a container that is not a sandbox. */
export function readLabels(labels: Readonly<Record<string, string>>): SandboxLabels | undefined {
  const instanceId = labels[LABEL.instance]
  const specId = labels[LABEL.spec]
  const createdAt = labels[LABEL.createdAt]
  if (!instanceId || !specId || !createdAt || Number.isNaN(Date.parse(createdAt))) return undefined
  const workingDir = labels[LABEL.workingDir]
  const named = labels[LABEL.network]
  // What a newer version has written may be closed.
  const network = named === undefined ? undefined : (SANDBOX_NETWORKS.find(each => each === named) ?? 'none')
  const allowlist = readAllowlist(parsed(labels[LABEL.allowlist]))
  const user = labels[LABEL.user]
  const specMounts = pathsIn(labels[LABEL.specMounts])
  const more = {
    ...(workingDir && { workingDir }),
    ...(network && { network }),
    ...(!isDeepStrictEqual(allowlist, EMPTY_ALLOWLIST) && { allowlist }),
    ...(user && { user }),
    ...(specMounts && { specMounts }),
  }
  return { instanceId, specId, createdAt, ...more }
}

function pathsIn(text: string | undefined): string[] | undefined {
  const found = parsed(text)
  return Array.isArray(found) ? found.map(String) : undefined
}

function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Of everything beside the container that belongs to a sandbox: it is removed with it. */
export function partLabels(instanceId: string, sandboxId: string): Record<string, string> {
  return { [LABEL.instance]: instanceId, [LABEL.sandbox]: sandboxId }
}

/** Of the image that a copied sandbox is made from: it is removed with the sandbox. */
export function imageLabels(instanceId: string, sandboxId: string): Record<string, string> {
  return { [LABEL.instance]: instanceId, [LABEL.imageOf]: sandboxId, [LABEL.specImage]: '' }
}

/** In place of the id of a spec, for what is built for dev containers. */
export const DEV_CONTAINER_IMAGES = 'dev-container'

/**
 * Of the image of a spec, which stays until the spec is gone, and of what builds leave. What a sandbox that it is made of has
 * inherited is taken away, and what a foreign Dockerfile says.
 */
export function specImageLabels(instanceId: string, specId: string): Record<string, string> {
  const taken = { [LABEL.spec]: '', [LABEL.sandbox]: '', [LABEL.imageOf]: '', [LABEL.user]: '' }
  return { [LABEL.instance]: instanceId, [LABEL.specImage]: specId, ...taken }
}

/** In place of the id of a spec, for what is built for services beside sandboxes. */
export const SERVICE_IMAGES = 'service'

/**
 * Of the image of a service that is built, which is removed with its sandbox. The steps of a build do not have the label of the
 * sandbox, so that others with the same services share their results; where they had no network they may leave something else
 * than the same steps with one, and are the sandbox's own.
 */
export function serviceImageLabels(
  instanceId: string,
  { sandboxId, hasNetwork }: { sandboxId: string; hasNetwork: boolean },
): { labels: Record<string, string>; imageLabels: Record<string, string> } {
  const shared = specImageLabels(instanceId, SERVICE_IMAGES)
  const own = { [LABEL.sandbox]: sandboxId }
  return { labels: hasNetwork ? shared : { ...shared, ...own }, imageLabels: own }
}

/** Of a volume that the sandboxes of a spec share: it stays until the spec is gone, or does without it. */
export function cacheLabels(
  instanceId: string,
  { specId, cache }: { specId: string; cache: string },
): Record<string, string> {
  return { [LABEL.instance]: instanceId, [LABEL.cacheSpec]: specId, [LABEL.cache]: cache }
}

/** Name of that image. */
export function copyImage(copyId: string): string {
  return `atelier-copy:${copyId}`
}

/** The sandbox whose image has this name; undefined for any other image. */
export function copyOf(image: string): string | undefined {
  return /^(?:localhost\/)?atelier-copy:(.+)$/.exec(image)?.[1]
}

/** Finds the sandboxes of one instance. */
export function instanceLabels(instanceId: string): Record<string, string> {
  return { [LABEL.instance]: instanceId }
}

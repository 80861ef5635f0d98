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
  /** Of which sandbox a network or volume is a part. A container with it is no sandbox but runs one program to its end. */
  sandbox: 'dev.atelier.sandbox',
  /** Of an image: for which sandbox another one was copied. Containers inherit the labels of their image; on them it means nothing. */
  imageOf: 'dev.atelier.image-of',
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
    [LABEL.spec]: labels.specId,
    [LABEL.createdAt]: labels.createdAt,
    ...(labels.workingDir && { [LABEL.workingDir]: labels.workingDir }),
    ...(labels.network && { [LABEL.network]: labels.network }),
    // Also an empty one: a copy would inherit that of its original.
    [LABEL.allowlist]: JSON.stringify(labels.allowlist ?? EMPTY_ALLOWLIST),
    ...(labels.user && { [LABEL.user]: labels.user }),
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
  return { [LABEL.instance]: instanceId, [LABEL.imageOf]: sandboxId }
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

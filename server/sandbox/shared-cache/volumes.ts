import { posix } from 'node:path'
import { SANDBOX_CACHES, type SandboxCache } from '../../api/v1/sandbox/caches.ts'
import { cacheLabels, LABEL } from '../../docker/container/labels.ts'
import type { ContainerVolume, EngineObject } from '../../docker/engine.ts'

/** Who works in a sandbox. */
export interface CacheUser {
  /** As `uid:gid`. */
  user: string
  home: string
}

/**
 * The caches of a spec as its sandboxes have them. Users have their own: package managers refuse what another one wrote.
 *
 * INVARIANT: no other spec has the same volume, so that a sandbox poisons at most those of its own spec.
 */
export function cacheVolumes(
  { id, caches }: { id: string; caches: readonly SandboxCache[] },
  { user, home }: CacheUser,
  instanceId: string,
): ContainerVolume[] {
  const [uid = '0'] = user.split(':')
  return caches.map(cache => ({
    name: `atelier-cache-${id}-${cache}-${uid}`,
    containerPath: posix.join(home, SANDBOX_CACHES[cache]),
    readOnly: false,
    labels: cacheLabels(instanceId, { specId: id, cache }),
  }))
}

/**
 * An engine makes the place of a volume, and the folders above it, as root's. These are to be the user's, outermost first.
 * Root needs none.
 */
export function cacheFolders(volumes: readonly ContainerVolume[], { user, home }: CacheUser): string[] {
  if (user.startsWith('0:')) return []
  const folders = new Set<string>()
  for (const { containerPath } of volumes) {
    const parts = posix.relative(home, containerPath).split('/')
    for (const index of parts.keys()) folders.add(posix.join(home, ...parts.slice(0, index + 1)))
  }
  return [...folders]
}

/** Of a spec that is gone, or does not want it any more. What a container has mounted the engine keeps. */
export function isUnwantedCache({ kind, labels }: EngineObject, wanted: ReadonlySet<string>): boolean {
  const { [LABEL.cacheSpec]: specId, [LABEL.cache]: cache } = labels
  return kind === 'volume' && specId !== undefined && cache !== undefined && !wanted.has(cacheKey(specId, cache))
}

export function cacheKey(specId: string, cache: string): string {
  return `${specId} ${cache}`
}

import type { EngineReclaimable, EngineStorage, SandboxUsage } from '../api/v1/sandbox/engine-storage.ts'
import type { DiskWatch } from '../disk/space.ts'
import type { EngineConnection } from '../docker/connection.ts'
import { instanceLabels, LABEL } from '../docker/container/labels.ts'
import type { EngineUsage } from '../docker/usage.ts'
import { isAppError } from '../domain/errors.ts'
import type { EngineSandboxes } from './engine/sandboxes.ts'
import type { SandboxImages } from './image.ts'
import { sandboxSizes } from './removable/sizes.ts'
import type { SandboxSpecs } from './specs.ts'
import { unusedImages } from './unused-images.ts'

interface Dependencies {
  connection: Pick<EngineConnection, 'engine'>
  sandboxes: Pick<EngineSandboxes, 'batch' | 'isUsed' | 'deleteUnused'> & {
    idle: Pick<EngineSandboxes['idle'], 'isPausedHere'>
  }
  images: Pick<SandboxImages, 'reference'>
  specs: Pick<SandboxSpecs, 'images'>
  instanceId: string
  /** The engine's. */
  disk: Pick<DiskWatch, 'check'>
}

/** What Atelier takes of the engine's disk, and what of it can go. */
export class EngineStorageService {
  readonly #dependencies: Dependencies

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  /** @throws AppError engine_unavailable */
  async status(signal?: AbortSignal): Promise<EngineStorage> {
    const { connection, images: bundled, specs, instanceId, disk } = this.#dependencies
    const usage = await connection.engine().diskUsage(instanceLabels(instanceId), { signal })
    const sandboxes = await this.#sandboxes(sandboxSizes(usage))
    const unused = unusedImages({ bundled: bundled.reference, ofSpecs: await specs.images(), instanceId }, usage.images)
    // One that goes on by itself counts as running.
    const idlePauses = this.#dependencies.sandboxes.idle
    const idle = sandboxes.filter(
      ({ is_used, status, sandbox_id }) =>
        !is_used && status !== 'RUNNING' && status !== 'STARTING' && !idlePauses.isPausedHere(sandbox_id),
    )
    return {
      disk: await disk.check(),
      sandboxes,
      reclaimable: [
        reclaimable(
          'unused_sandboxes',
          idle.map(({ sandbox_id, bytes }) => ({ names: [sandbox_id], bytes })),
        ),
        reclaimable('unused_images', unused),
        reclaimable('unused_caches', unusedCaches(usage)),
      ],
    }
  }

  /** What is needed again meanwhile stays. @throws AppError engine_unavailable */
  async free(kinds: readonly EngineReclaimable['kind'][], signal?: AbortSignal): Promise<EngineStorage> {
    const { sandboxes, connection } = this.#dependencies
    const before = await this.status(signal)
    const namesOf = (kind: EngineReclaimable['kind']) =>
      kinds.includes(kind) ? (before.reclaimable.find(each => each.kind === kind)?.names ?? []) : []
    for (const id of namesOf('unused_sandboxes')) {
      await sandboxes.deleteUnused(id).catch(error => {
        if (!isAppError(error, 'sandbox_not_found') && !isAppError(error, 'conflict')) throw error
      })
    }
    const engine = connection.engine()
    for (const name of namesOf('unused_images')) await engine.removeImage(name)
    for (const id of namesOf('unused_caches')) {
      // A sandbox may have come meanwhile that has it.
      await engine.removeObject({ kind: 'volume', id }).catch(error => {
        if (!isAppError(error, 'engine_failed')) throw error
      })
    }
    return this.status(signal)
  }

  async #sandboxes(bytesOf: ReadonlyMap<string, number>): Promise<SandboxUsage[]> {
    const { sandboxes } = this.#dependencies
    const found = await sandboxes.batch([...bytesOf.keys()])
    return found
      .flatMap(sandbox => (sandbox ? [sandbox] : []))
      .map(({ id, status }) => ({
        sandbox_id: id,
        status,
        bytes: bytesOf.get(id) ?? 0,
        is_used: sandboxes.isUsed(id),
      }))
      .sort((one, other) => other.bytes - one.bytes)
  }
}

/** Services of sandboxes have volumes too, which go with these. */
function unusedCaches({ volumes }: EngineUsage): { names: string[]; bytes: number }[] {
  return volumes
    .filter(({ labels, isUsed }) => labels[LABEL.cache] !== undefined && !isUsed)
    .map(({ name, bytes }) => ({ names: [name], bytes }))
}

function reclaimable(
  kind: EngineReclaimable['kind'],
  found: readonly { names: string[]; bytes: number }[],
): EngineReclaimable {
  return { kind, bytes: found.reduce((sum, { bytes }) => sum + bytes, 0), names: found.flatMap(({ names }) => names) }
}

import { SANDBOX_ACTIONS } from '../../api/v1/sandbox/actions.ts'
import type { SandboxSpecInfo } from '../../api/v1/sandbox/specs.ts'
import { unlessAborted } from '../../async/unless-aborted.ts'
import type { EngineConnection } from '../../docker/connection.ts'
import { LABEL, readLabels, specImageLabels } from '../../docker/container/labels.ts'
import type { ContainerState } from '../../docker/engine.ts'
import { AppError } from '../../domain/errors.ts'
import type { EngineSandboxes } from '../engine/sandboxes.ts'
import type { NetworkAccess } from '../network/access.ts'
import { newSpecId, type SandboxSpecs } from '../specs.ts'
import { savedImage } from './image-names.ts'
import type { SpecImages } from './spec-images.ts'

export interface SavedSpecsOptions {
  connection: Pick<EngineConnection, 'engine'>
  sandboxes: Pick<EngineSandboxes, 'get' | 'hold'> & { network: Pick<NetworkAccess, 'of'> }
  specs: Pick<SandboxSpecs, 'toCopy' | 'create' | 'requireRoom'>
  specImages: Pick<SpecImages, 'hold'>
  instanceId: string
  engineId: string
}

/** A spec that was made of a sandbox. */
export interface SavedSpec {
  spec: SandboxSpecInfo
  /** Paths in the sandbox that are mounted, and so no part of its image. */
  leftOut: string[]
}

/** Specs that begin as a sandbox is now. The sandbox goes on. */
export class SavedSpecs {
  readonly #options: SavedSpecsOptions

  constructor(options: SavedSpecsOptions) {
    this.#options = options
  }

  /** Aborting leaves nothing behind. @throws AppError sandbox_not_found, conflict, engine_unavailable */
  async save(sandboxId: string, title: string, signal: AbortSignal): Promise<SavedSpec> {
    const { connection, sandboxes, specs, specImages, instanceId, engineId } = this.#options
    specs.requireRoom()
    const specId = newSpecId()
    // An image without a spec is removed, also one that a killed process has left.
    const releases = [sandboxes.hold(sandboxId), specImages.hold(specId)]
    try {
      const engine = connection.engine()
      const container = await this.#container(sandboxId)
      const labels = readLabels(container.labels)
      if (!labels) throw notThere(sandboxId)
      const { network, allowlist } = await sandboxes.network.of(sandboxId)
      const image = savedImage(specId)
      const leftOut = await engine.mountedPaths(container.id)
      const wanted = { reference: image, labels: specImageLabels(instanceId, specId) }
      const making = engine.commitContainer(container.id, wanted)
      await unlessAborted(making, signal).catch(error => {
        // The engine ends what it has begun.
        void making.then(() => engine.removeImage(image)).catch(() => {})
        throw error
      })
      const { workingDir, initialEnv, command, limits, runtime, caches, cluster } = await specs.toCopy(labels, {
        image,
        policy: { network, allowlist },
        engineId,
      })
      signal.throwIfAborted()
      const request = {
        title,
        image,
        working_dir: workingDir,
        initial_env: { ...initialEnv },
        command: command && [...command],
        limits,
        runtime,
        network,
        allowlist,
        mounts: [],
        engine_id: engineId,
        caches: [...caches],
        cluster,
      }
      return { spec: await specs.create(request, { id: specId }), leftOut }
    } finally {
      for (const release of releases) release()
    }
  }

  async #container(sandboxId: string): Promise<ContainerState> {
    const { sandboxes, connection } = this.#options
    await sandboxes.get(sandboxId)
    const container = await connection.engine().inspectContainer(sandboxId)
    if (container?.labels[LABEL.instance] !== this.#options.instanceId) throw notThere(sandboxId)
    // It has written nothing yet.
    if (container.status !== 'created') return container
    throw new AppError('conflict', SANDBOX_ACTIONS.save.STARTING)
  }
}

function notThere(id: string): AppError {
  return new AppError('sandbox_not_found', `There is no sandbox ${id} that could be saved. Start a new one.`)
}

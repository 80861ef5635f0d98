import type { Bus } from '../../bus.ts'
import type { EngineConnection } from '../../docker/connection.ts'
import { instanceLabels, LABEL } from '../../docker/container/labels.ts'
import type { Engine, EngineWatch } from '../../docker/engine.ts'
import { isAppError, messageOf } from '../../domain/errors.ts'
import type { Log } from '../../log.ts'
import { isUnwantedCache } from '../shared-cache/volumes.ts'
import type { SandboxSpecs } from '../specs.ts'
import { isBuiltImage, isSavedImage } from './image-names.ts'
import type { SpecBuilds } from './spec-builds.ts'

export interface SpecImagesOptions {
  connection: Pick<EngineConnection, 'engine' | 'subscribe'>
  specs: Pick<SandboxSpecs, 'images' | 'caches'>
  builds: Pick<SpecBuilds, 'isCached' | 'isUnderWay'>
  instanceId: string
  bus: Bus
  log: Log
}

/**
 * Removes the images and caches of specs that were changed or deleted, and what builds left that failed, once no sandbox needs them: when
 * an engine is connected, a spec changes, and a sandbox goes.
 */
export class SpecImages {
  readonly #options: SpecImagesOptions
  /** How many images are being made for each, which need what there is of them. */
  readonly #held = new Map<string, number>()
  #round: Promise<void> | undefined
  #isAskedAgain = false
  #isClosed = false
  #watch: EngineWatch | undefined
  #unsubscribe: (() => void)[] = []

  constructor(options: SpecImagesOptions) {
    this.#options = options
  }

  start(): void {
    const { connection, bus } = this.#options
    this.#unsubscribe = [
      connection.subscribe({ onConnected: engine => this.#follow(engine), onLost: () => this.#watch?.close() }),
      bus.subscribe(({ resource }) => {
        if (resource === 'sandbox-spec') this.tidy()
      }),
    ]
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const unsubscribe of this.#unsubscribe) unsubscribe()
    this.#watch?.close()
    await this.#round
  }

  /** A sandbox is forgotten before its container is gone, which is what an image waits for. */
  #follow(engine: Engine): void {
    this.#watch?.close()
    this.#watch = engine.watch(instanceLabels(this.#options.instanceId), {
      onContainer: ({ action }) => action === 'destroy' && this.tidy(),
      onReconnect: () => this.tidy(),
      onDisconnect: () => {},
    })
  }

  /** Until the returned function is called, what there is of this spec stays. */
  hold(specId: string): () => void {
    this.#held.set(specId, (this.#held.get(specId) ?? 0) + 1)
    return () => {
      const count = this.#held.get(specId) ?? 0
      if (count > 1) this.#held.set(specId, count - 1)
      else this.#held.delete(specId)
      this.tidy()
    }
  }

  /** Whether an image of this spec is being made. */
  isNeeded(specId: string): boolean {
    return this.#held.has(specId) || this.#options.builds.isUnderWay(specId)
  }

  /** Without anyone waiting; one round at a time. */
  tidy(): void {
    this.#isAskedAgain = true
    this.#round ??= this.#rounds().finally(() => {
      this.#round = undefined
    })
  }

  async #rounds(): Promise<void> {
    while (this.#isAskedAgain && !this.#isClosed) {
      this.#isAskedAgain = false
      await this.#removeUnwanted().catch(error => {
        this.#options.log.info({ error: messageOf(error) }, 'images of sandbox specs could not be tidied up')
      })
    }
  }

  async #removeUnwanted(): Promise<void> {
    const { connection, specs, builds, instanceId } = this.#options
    const engine = connection.engine()
    const objects = await engine.listObjects(instanceLabels(instanceId))
    const wanted = new Set(await specs.images())
    const wantedCaches = new Set(await specs.caches())
    for (const { kind, id, name, labels } of objects) {
      const specId = labels[LABEL.specImage]
      if (kind !== 'image' || !specId || this.#held.has(specId) || builds.isCached(specId)) continue
      // Of an image that somebody has made of ours by hand, and that has inherited its labels, we know no name.
      if (isUnnamed(name)) await engine.removeImage(id)
      else if (isOwnName(name) && !wanted.has(name)) await engine.removeImage(name)
    }
    for (const each of objects) {
      // The engine refuses to remove one that a sandbox has.
      if (isUnwantedCache(each, wantedCaches)) await engine.removeObject(each).catch(unlessRefused)
    }
  }
}

function unlessRefused(error: unknown): void {
  if (!isAppError(error, 'engine_failed')) throw error
}

/** Left by a build that failed: what is on the way to another image is not listed. */
function isUnnamed(name: string): boolean {
  return name.startsWith('sha256:') || name.startsWith('<none>')
}

function isOwnName(name: string): boolean {
  return isBuiltImage(name) || isSavedImage(name)
}

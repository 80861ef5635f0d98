import { createReadStream } from 'node:fs'
import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline, Transform } from 'node:stream'
import { z } from 'zod'
import type { SandboxImageStatus } from '../api/v1/system/system.ts'
import { SharedTask, throttle } from '../async/shared-task.ts'
import type { Bus } from '../bus.ts'
import type { EngineConnection } from '../docker/connection.ts'
import type { Engine, PullProgress } from '../docker/engine.ts'
import { AppError, isAppError, messageOf } from '../domain/errors.ts'
import type { Log } from '../log.ts'

const PUBLISH_EVERY_MS = 250

/** The default image that comes with the app, as a file that the engine can load. */
export interface BundledImage {
  archivePath: string
  reference: string
  sizeBytes: number
}

const archiveInfo = z.object({ reference: z.string().min(1), sizeBytes: z.number().positive() })

/** null where the app was built without one. */
export async function readBundledImage(resourcesDir: string): Promise<BundledImage | null> {
  const archivePath = join(resourcesDir, 'sandbox-image.tar.gz')
  try {
    const info = archiveInfo.parse(JSON.parse(await readFile(join(resourcesDir, 'sandbox-image.json'), 'utf8')))
    await access(archivePath)
    return { archivePath, ...info }
  } catch {
    return null
  }
}

/** Bytes of the archive or of the layers; `status` says in words what is going on. */
export type ImageProgress = PullProgress

export interface SandboxImagesOptions {
  connection: EngineConnection
  bus: Bus
  log: Log
  bundled: BundledImage | null
}

/** Brings images into the engine: loads the bundled one, pulls the others. One transfer an image at a time. */
export class SandboxImages {
  readonly #options: SandboxImagesOptions
  readonly #transfers = new Map<string, SharedTask<void, ImageProgress>>()
  readonly #publishDue = throttle(PUBLISH_EVERY_MS)
  #status: SandboxImageStatus
  #unsubscribe = () => {}

  constructor(options: SandboxImagesOptions) {
    this.#options = options
    this.#status = { ...NO_PROGRESS, state: options.bundled ? 'not_loaded' : 'not_bundled', reference: this.reference }
  }

  /** Loads the bundled image ahead of need, whenever an engine without it is connected. */
  start(): void {
    this.#unsubscribe = this.#options.connection.subscribe({
      onConnected: () => void this.#loadAhead(),
      onLost: () => this.#show({ ...NO_PROGRESS, state: 'not_loaded' }),
    })
  }

  /** The bundled image's. */
  get reference(): string | null {
    return this.#options.bundled?.reference ?? null
  }

  status(): SandboxImageStatus {
    return this.#status
  }

  /** null when no engine can be asked. */
  async isPresent(reference: string): Promise<boolean | null> {
    try {
      return (await this.#options.connection.engine().imageId(reference)) !== undefined
    } catch {
      return null
    }
  }

  /** Resolves when the engine has the image. Aborting cancels the transfer unless others wait for it too. */
  async ensure(reference: string, onProgress: (progress: ImageProgress) => void, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    let transfer = this.#transfers.get(reference)
    if (transfer?.cancelled) await transfer.cancel()
    if (!transfer || transfer.cancelled) {
      transfer = SharedTask.start((report, abort) => this.#transfer(reference, report, abort))
      this.#transfers.set(reference, transfer)
    }
    await transfer.join(onProgress, signal)
  }

  async close(): Promise<void> {
    this.#unsubscribe()
    await Promise.all([...this.#transfers.values()].map(transfer => transfer.cancel()))
  }

  async #loadAhead(): Promise<void> {
    const { reference } = this
    if (reference === null) return
    await this.ensure(reference, () => {}).catch(error => {
      if (isAppError(error)) this.#options.log.warn({ reference, error: messageOf(error) }, 'loading the image failed')
    })
  }

  async #transfer(reference: string, report: (progress: ImageProgress) => void, signal: AbortSignal): Promise<void> {
    try {
      const engine = this.#options.connection.engine()
      const { bundled } = this.#options
      if (bundled?.reference === reference) await this.#load(engine, bundled, report, signal)
      else if ((await engine.imageId(reference)) === undefined) await engine.pullImage(reference, report, signal)
    } finally {
      this.#transfers.delete(reference)
    }
  }

  async #load(
    engine: Engine,
    bundled: BundledImage,
    report: (progress: ImageProgress) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const total = bundled.sizeBytes
    try {
      if ((await engine.imageId(bundled.reference)) === undefined) {
        const show = (doneBytes: number) => {
          report({ doneBytes, totalBytes: total, status: doneBytes < total ? 'Loading' : 'Unpacking' })
          this.#show({ state: 'loading', done_bytes: doneBytes, total_bytes: total, reason: null })
        }
        show(0)
        await loadArchive(engine, bundled, show, signal)
      }
      this.#show({ state: 'ready', done_bytes: total, total_bytes: total, reason: null })
    } catch (error) {
      const gone = signal.aborted || isAppError(error, 'engine_unavailable')
      const state = gone ? 'not_loaded' : 'failed'
      this.#show({ ...NO_PROGRESS, state, reason: gone ? null : messageOf(error) })
      throw error
    }
  }

  #show(status: Omit<SandboxImageStatus, 'reference'>): void {
    if (!this.#options.bundled) return
    const moved = status.state !== this.#status.state
    this.#status = { ...status, reference: this.reference }
    if (moved || this.#publishDue()) this.#options.bus.publish({ resource: 'system' })
  }
}

const NO_PROGRESS = { done_bytes: 0, total_bytes: 0, reason: null }

async function loadArchive(
  engine: Engine,
  bundled: BundledImage,
  onBytes: (doneBytes: number) => void,
  signal: AbortSignal,
): Promise<void> {
  let done = 0
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, next) {
      done += chunk.length
      onBytes(done)
      next(null, chunk)
    },
  })
  const archive = pipeline(createReadStream(bundled.archivePath, { highWaterMark: 2 ** 20 }), counter, () => {})
  await engine.loadImage(archive, signal)
  if ((await engine.imageId(bundled.reference)) !== undefined) return
  throw new AppError('image_missing', `The bundled image ${bundled.reference} is damaged. Install Atelier again.`)
}

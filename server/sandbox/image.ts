import { createReadStream } from 'node:fs'
import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline, Transform } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { z } from 'zod'
import type { SandboxImageStatus } from '../api/v1/system/system.ts'
import { Paced } from '../async/paced.ts'
import { SharedTask } from '../async/shared-task.ts'
import type { Bus } from '../bus.ts'
import type { EngineConnection } from '../docker/connection.ts'
import type { Engine, PullProgress } from '../docker/engine.ts'
import { AppError, isAppError, messageOf } from '../domain/errors.ts'
import type { Log } from '../log.ts'
import { isBuiltImage, isSavedImage } from './build/image-names.ts'

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
export interface ImageProgress extends PullProgress {
  /** It is built here, and `status` is a sentence of its own. */
  isBuild?: boolean
}

export interface SandboxImagesOptions {
  connection: EngineConnection
  bus: Bus
  log: Log
  bundled: BundledImage | null
  /** Makes an image that is built here. */
  build(reference: string, onProgress: (progress: ImageProgress) => void, signal: AbortSignal): Promise<void>
}

/** Brings images into the engine: loads the bundled one, pulls the others. One transfer an image at a time. */
export class SandboxImages {
  readonly #options: SandboxImagesOptions
  readonly #transfers = new Map<string, SharedTask<void, ImageProgress>>()
  readonly #pace = new Paced(PUBLISH_EVERY_MS)
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

  /** Begins anew what could not be loaded; does nothing otherwise. */
  loadAgain(): void {
    if (this.#status.state === 'failed') void this.#loadAhead()
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
      return (await this.#options.connection.engine().image(reference)) !== undefined
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
      else if (await engine.image(reference)) return
      else if (isBuiltImage(reference)) await this.#options.build(reference, report, signal)
      else if (isSavedImage(reference)) throw savedImageGone()
      else await engine.pullImage(reference, report, signal)
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
      if (!(await engine.image(bundled.reference))) {
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
    const publish = () => this.#options.bus.publish({ resource: 'system' })
    if (moved) this.#pace.showNow(publish)
    else this.#pace.show(publish)
  }
}

/** No registry has it. */
function savedImageGone(): AppError {
  const message = 'The saved image of this sandbox spec is gone from the engine.'
  return new AppError('image_missing', `${message} Save the spec again from a sandbox, or import it again.`)
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
  const stop = new AbortController()
  const file = createReadStream(bundled.archivePath, { highWaterMark: 2 ** 20 })
  // Not every engine unpacks what it loads.
  const archive = pipeline(file, counter, createGunzip(), error => {
    if (error) stop.abort(error)
  })
  try {
    await engine.loadImage(archive, AbortSignal.any([signal, stop.signal]))
  } catch (error) {
    if (signal.aborted || !isDamage(stop.signal.reason)) throw error
    throw damaged(bundled)
  } finally {
    archive.destroy()
  }
  if (!(await engine.image(bundled.reference))) throw damaged(bundled)
}

function isDamage(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')
}

function damaged({ reference }: BundledImage): AppError {
  return new AppError('image_missing', `The bundled image ${reference} is damaged. Install Atelier again.`)
}

/** How far an image is on its way, in words. */
export function imageDetail(reference: string, { doneBytes, totalBytes, status }: ImageProgress): string {
  const amount = totalBytes > 0 ? `: ${megabytes(doneBytes)} of ${megabytes(totalBytes)} MB` : ''
  return `${status || 'Getting'} image ${reference}${amount}`
}

export function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1)
}

import type { ContainerRequest, ContainerState, Engine } from '../docker/engine.ts'
import { AppError, isAppError, messageOf } from '../errors.ts'
import type { ImageProgress, SandboxImages } from './image.ts'

/** How far a start is. `image`: bytes are moving; `boot`: the container is being made. */
export type StartProgress =
  | { phase: 'image'; detail: string; doneBytes: number; totalBytes: number }
  | { phase: 'boot'; detail: string }

export interface BootOptions {
  engine: Engine
  images: SandboxImages
  request: ContainerRequest
  report(progress: StartProgress): void
  signal: AbortSignal
}

/**
 * Makes and starts the container, and brings its image first when the engine lacks it. Leaves nothing behind when it fails
 * or is aborted.
 */
export async function boot(options: BootOptions): Promise<ContainerState> {
  const { engine, report, signal } = options
  signal.throwIfAborted()
  report({ phase: 'boot', detail: 'Starting.' })
  const containerId = await create(options)
  try {
    signal.throwIfAborted()
    await engine.startContainer(containerId)
    signal.throwIfAborted()
    const state = await engine.inspectContainer(containerId)
    if (state?.status === 'running' || state?.status === 'paused') return state
    throw new AppError(
      'sandbox_start_failed',
      'It ended at once. The image needs a /bin/sh that runs; choose another image.',
    )
  } catch (error) {
    await engine.removeContainer(containerId).catch(() => {})
    throw startFailed(options.request.image, error)
  }
}

/** Asking for the container first saves a question about the image, which is nearly always there. */
async function create(options: BootOptions): Promise<string> {
  const { engine, images, request, report, signal } = options
  try {
    return await engine.createContainer(request)
  } catch (error) {
    if (!isAppError(error, 'image_missing')) throw startFailed(request.image, error)
  }
  await images.ensure(request.image, progress => report(imageProgress(request.image, progress)), signal)
  signal.throwIfAborted()
  report({ phase: 'boot', detail: 'Starting.' })
  return engine.createContainer(request).catch(error => {
    throw startFailed(request.image, error)
  })
}

function imageProgress(reference: string, progress: ImageProgress): StartProgress {
  const { doneBytes, totalBytes, status } = progress
  const amount = totalBytes > 0 ? `: ${megabytes(doneBytes)} of ${megabytes(totalBytes)} MB` : ''
  return { phase: 'image', detail: `${status || 'Getting'} image ${reference}${amount}`, doneBytes, totalBytes }
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1)
}

function startFailed(image: string, error: unknown): unknown {
  if (!isAppError(error, 'engine_failed')) return error
  const message = `The sandbox could not be started from the image ${image}. ${messageOf(error)}`
  return new AppError('sandbox_start_failed', message, { details: { image }, cause: error })
}

import { setTimeout as delay } from 'node:timers/promises'
import type { Semaphore } from '../async/semaphore.ts'
import { settledWithin } from '../async/settled-within.ts'
import { timeLimit } from '../async/time-limit.ts'
import { unlessAborted } from '../async/unless-aborted.ts'
import type { EngineConnection } from '../docker/connection.ts'
import type { ContainerRequest, ContainerState, Engine } from '../docker/engine.ts'
import { AppError, isAppError, messageOf } from '../domain/errors.ts'
import type { KeptShells } from './command/kept-shells.ts'
import { type CopySource, copyMounted, makeImage, pathsToCopy } from './copy.ts'
import { addAccount, asRefusal, lookAtFolder, makeFolders } from './folder.ts'
import { type ImageProgress, imageDetail, megabytes, type SandboxImages } from './image.ts'
import type { SandboxNetworks } from './network/networks.ts'
import type { MountedFolder } from './spec.ts'
import { TransferRate } from './transfer-rate.ts'

/** How far a start is. `queue`: other starts, or the engine, come first; `image`: bytes are moving; `boot`: the container is being made. */
export type StartProgress =
  | { phase: 'image'; detail: string; doneBytes: number; totalBytes: number }
  | { phase: 'boot' | 'queue'; detail: string }

export interface BootOptions {
  connection: Pick<EngineConnection, 'engine' | 'answers' | 'recheck'>
  images: Pick<SandboxImages, 'ensure'>
  networks: Pick<SandboxNetworks, 'prepare' | 'protect'>
  shells: Pick<KeptShells, 'prepare'>
  /** Of all starts in this engine. */
  queue: Semaphore
  request: ContainerRequest
  /** The sandbox that it begins as. */
  copy: CopySource | undefined
  /** Of what is copied from mounts: one after the other. */
  copies: Semaphore
  /** What of `request` is a folder of this machine, which is looked at once the container runs. */
  folder: MountedFolder | undefined
  /** Made for the user of `request` before the container starts. */
  folders: readonly string[]
  report(progress: StartProgress): void
  signal: AbortSignal
}

/** How long a start may wait for an engine that went away, in milliseconds. */
const ENGINE_WAIT_MS = 5 * 60_000
/** An engine that goes away in the middle of each of so many attempts will not start it. */
const MAX_ATTEMPTS = 5
/** Who gives a start up waits so long for its container to be removed; after that it is removed without anyone waiting. */
const GIVE_UP_MS = 2000
/** How long the engine may take to remove what somebody else removes, and how often it is asked. */
const REMOVAL_MS = 5000
const REMOVAL_POLL_MS = 50

/**
 * Makes and starts the container when it is its turn, and brings its image first when the engine lacks it. An engine that
 * goes away meanwhile is waited for. Leaves nothing behind when it fails or is aborted, as far as an engine answers.
 */
export async function boot(options: BootOptions): Promise<ContainerState> {
  const { connection, report, request, signal } = options
  for (let attempt = 1; ; attempt++) {
    try {
      return await bootOnce(options)
    } catch (error) {
      const isOver = signal.aborted || attempt === MAX_ATTEMPTS || !isAppError(error, 'engine_unavailable')
      if (isOver) throw startFailed(request.image, error)
      report({ phase: 'queue', detail: 'The engine went away. The start goes on when it is back.' })
      await engineIsBack(connection, error, signal)
      // What an attempt made whose answer never came. An engine that goes away again is the next attempt's failure.
      await removeWhole(connection.engine(), request.name, signal).catch(() => {})
    }
  }
}

async function engineIsBack(
  connection: BootOptions['connection'],
  failure: AppError,
  signal: AbortSignal,
): Promise<void> {
  const timeout = timeLimit(ENGINE_WAIT_MS)
  // A request can fail before the connection knows.
  await unlessAborted(connection.recheck(), signal)
  await connection.answers(AbortSignal.any([signal, timeout])).catch(error => {
    throw timeout.aborted ? failure : error
  })
}

/** Removes a container, and waits until its name is free: another may be removing it. */
export async function removeWhole(engine: Engine, name: string, signal: AbortSignal): Promise<void> {
  await engine.removeContainer(name)
  const late = timeLimit(REMOVAL_MS)
  while ((await engine.inspectContainer(name)) && !late.aborted) await delay(REMOVAL_POLL_MS, undefined, { signal })
}

/** The place in the queue is not kept while an image comes: that takes minutes, and needs little of the engine. */
async function bootOnce(options: BootOptions): Promise<ContainerState> {
  const { images, request, copy, report, signal } = options
  if (copy) return bootCopy(options, copy)
  try {
    return await queueBoot(options)
  } catch (error) {
    // Asking for the container first saves a question about the image, which is nearly always there.
    if (!isAppError(error, 'image_missing')) throw error
  }
  const rate = new TransferRate()
  const onProgress = (progress: ImageProgress) =>
    report(imageProgress(request.image, progress, rate.after(progress.doneBytes, performance.now())))
  await images.ensure(request.image, onProgress, signal)
  return queueBoot(options)
}

function queueBoot(options: BootOptions): Promise<ContainerState> {
  const engine = options.connection.engine()
  return inQueue(options, () => {
    options.report({ phase: 'boot', detail: 'Starting.' })
    return orRemove(
      engine,
      options,
      create(engine, options).then(containerId => start(engine, options, containerId)),
    )
  })
}

/** Copying takes as long as there are bytes, and needs no place of a start. */
async function bootCopy(options: BootOptions, copy: CopySource): Promise<ContainerState> {
  const { connection, request, copies, report, signal } = options
  const engine = connection.engine()
  const mounted = [...request.mounts, ...(request.volumes ?? [])].map(mount => mount.containerPath)
  const paths = await pathsToCopy(engine, copy, mounted)
  report({ phase: 'boot', detail: 'Copying the sandbox.' })
  await makeImage(engine, copy, { copyId: request.name, signal })
  if (paths.length === 0) return queueBoot(options)
  const onBytes = (doneBytes: number) =>
    report({ phase: 'image', detail: `Copying files: ${megabytes(doneBytes)} MB`, doneBytes, totalBytes: 0 })
  const onWait = () => report({ phase: 'queue', detail: 'Waiting for other files to be copied.' })
  const work = async () => {
    const to = await inQueue(options, () => create(engine, options))
    await copies.run(() => copyMounted(engine, copy, { paths, to, onBytes, signal }), onWait, signal)
    return inQueue(options, () => start(engine, options, to))
  }
  return orRemove(engine, options, work())
}

function inQueue<T>({ queue, report, signal }: BootOptions, work: () => Promise<T>): Promise<T> {
  const onWait = (ahead: number) => report({ phase: 'queue', detail: queueMessage(ahead) })
  return queue.run(work, onWait, signal)
}

function queueMessage(ahead: number): string {
  return ahead === 1 ? 'Waiting for 1 other start.' : `Waiting for ${ahead} other starts.`
}

/** What was made goes when it comes to nothing, also when it is made only after that. */
async function orRemove(
  engine: Engine,
  { request, signal }: BootOptions,
  making: Promise<ContainerState>,
): Promise<ContainerState> {
  try {
    return await unlessAborted(making, signal)
  } catch (error) {
    const removed = making.catch(() => {}).then(() => engine.removeContainer(request.name).catch(() => {}))
    await settledWithin(GIVE_UP_MS, removed)
    throw error
  }
}

async function create(engine: Engine, { networks, request, folder, folders }: BootOptions): Promise<string> {
  networks.prepare()
  const containerId = await engine.createContainer(request).catch(refusalOf(folder))
  if (folder) await addAccount(engine, containerId, folder)
  if (request.user && folders.length > 0) await makeFolders(engine, containerId, { user: request.user, folders })
  return containerId
}

/** It gets its network after the rules for it. Until then nothing in it, not even its first process, reaches anything. */
async function start(
  engine: Engine,
  { networks, shells, folder, signal }: BootOptions,
  containerId: string,
): Promise<ContainerState> {
  signal.throwIfAborted()
  await engine.startContainer(containerId).catch(refusalOf(folder))
  const state = await runningState(engine, containerId)
  // A shell starts while the rules are being set: both take about as long.
  shells.prepare(engine, containerId, signal)
  await networks.protect(state).catch(async error => {
    // A sandbox that has ended has no network to be joined, which is not what is wrong with it.
    await runningState(engine, containerId)
    throw error
  })
  if (folder) await lookAtFolder({ engine, containerId }, { folder, signal })
  return runningState(engine, containerId)
}

function refusalOf(folder: MountedFolder | undefined): (error: unknown) => never {
  return error => {
    throw folder ? asRefusal(error) : error
  }
}

async function runningState(engine: Engine, containerId: string): Promise<ContainerState> {
  const state = await engine.inspectContainer(containerId)
  if (state?.status === 'running' || state?.status === 'paused') return state
  throw new AppError(
    'sandbox_start_failed',
    'It ended at once. The image needs a /bin/sh that runs; choose another image.',
  )
}

function imageProgress(reference: string, progress: ImageProgress, rate: number | undefined): StartProgress {
  const { doneBytes, totalBytes, status, isBuild } = progress
  if (isBuild) return { phase: 'image', detail: `Building the image. ${status}`, doneBytes, totalBytes }
  const speed = rate ? `, ${megabytes(rate)} MB/s` : ''
  return { phase: 'image', detail: `${imageDetail(reference, progress)}${speed}`, doneBytes, totalBytes }
}

function startFailed(image: string, error: unknown): unknown {
  if (!isAppError(error, 'engine_failed')) return error
  const message = `The sandbox could not be started from the image ${image}. ${messageOf(error)}`
  return new AppError('sandbox_start_failed', message, { details: { image }, cause: error })
}

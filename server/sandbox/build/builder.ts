import { PassThrough, pipeline, type Readable } from 'node:stream'
import { type Pack, pack } from 'tar-stream'
import { isImageReference, isPersonalImage } from '../../api/v1/sandbox/image-reference.ts'
import { Semaphore } from '../../async/semaphore.ts'
import { timeLimit } from '../../async/time-limit.ts'
import type { BuildProgress, PullProgress } from '../../docker/engine.ts'
import { BOUNDS } from '../../domain/bounds.ts'
import { AppError } from '../../domain/errors.ts'
import { randomToken } from '../../domain/ids.ts'
import type { SandboxImages } from '../image.ts'
import { limitsFor } from '../spec.ts'
import { checkDockerfile, checkTriggers } from './dockerfile.ts'
import { type BuildNetwork, type BuildNetworkOptions, openBuildNetwork } from './network.ts'
import { limitSteps } from './step-limits.ts'

/** What an image is built from. */
export interface BuildSource {
  dockerfile: string
  /** Of the image, and of everything that the build leaves in the engine. */
  labels: Readonly<Record<string, string>>
  /** Of the image alone: builds that differ in nothing else share the results of their steps. */
  imageLabels?: Readonly<Record<string, string>>
  /** Writes the files that COPY and ADD may take; absent: there are none. It need not end the tar. */
  writeContext?(context: Pack, signal: AbortSignal): Promise<void>
  /** Never secrets: the history of an image shows them. */
  buildArgs?: Readonly<Record<string, string>>
  /** Somebody else wrote it: it may not be built on what was made of a person's sandboxes. */
  isForeign?: boolean
  /** The stage that is built; absent: the last one. */
  target?: string
  /** false: its steps reach nothing. */
  hasNetwork?: boolean
}

export interface BuildListener {
  onLine(line: string): void
  onPull(image: string, progress: PullProgress): void
  /** For others, in a sentence. */
  onWait(sentence: string): void
}

export interface ImageBuilderOptions extends Omit<BuildNetworkOptions, 'signal'> {
  images: Pick<SandboxImages, 'reference' | 'ensure'>
  resourceFactor(): Promise<number | null>
}

/** A build keeps the processors and the disk of the engine busy. */
const AT_ONCE = 1

interface CheckedBuild extends BuildSource {
  reference: string
  text: string
  baseImages: readonly string[]
  listener: BuildListener
}

/**
 * Builds images from Dockerfiles, whoever wrote them.
 *
 * INVARIANTS: a step reaches no more than a sandbox of the network "full" does; the engine itself fetches nothing but base
 * images; memory, processors and processes are those of a sandbox.
 */
export class ImageBuilder {
  readonly #options: ImageBuilderOptions
  readonly #queue = new Semaphore(() => AT_ONCE)

  constructor(options: ImageBuilderOptions) {
    this.#options = options
  }

  /**
   * Resolves when the engine has the image. Aborting ends the build.
   * @throws AppError bad_request for a Dockerfile that is refused, image_build_failed, image_pull_failed, engine_unavailable
   */
  async build(
    reference: string,
    source: BuildSource,
    { listener, signal }: { listener: BuildListener; signal: AbortSignal },
  ): Promise<void> {
    const { labels, buildArgs = {} } = source
    const { text, baseImages } = checkDockerfile(source.dockerfile, { buildArgs, labels })
    const personal = source.isForeign ? baseImages.find(isPersonalImage) : undefined
    if (personal !== undefined) {
      const next = 'Let it begin with an image from a registry.'
      throw new AppError(
        'bad_request',
        `The Dockerfile takes files from ${personal}, an image of a sandbox of yours. ${next}`,
      )
    }
    // Before its turn: one may itself have to be built, or come from a slow registry.
    for (const image of baseImages) await this.#bring(image, listener, signal)
    const work = () => this.#inTime({ ...source, reference, text, baseImages, listener }, signal)
    await this.#queue.run(work, ahead => listener.onWait(waitingBuilds(ahead)), signal)
  }

  async #inTime(asked: CheckedBuild, signal: AbortSignal): Promise<void> {
    const late = timeLimit(BOUNDS.buildTime.limit)
    try {
      await this.#build(asked, AbortSignal.any([signal, late]))
    } catch (error) {
      if (!late.aborted || signal.aborted) throw error
      const hours = BOUNDS.buildTime.limit / 3_600_000
      throw new AppError('image_build_failed', `The build took longer than ${hours} hours and was ended.`)
    }
  }

  async #build(asked: CheckedBuild, signal: AbortSignal): Promise<void> {
    const { reference, text, baseImages, listener, labels, imageLabels, buildArgs = {}, target } = asked
    // They may be others by now.
    const { connection, resourceFactor } = this.#options
    for (const image of baseImages) {
      checkTriggers(image, (await connection.engine().image(image))?.triggers ?? [])
    }
    const { hasNetwork = true } = asked
    const around = hasNetwork ? await openBuildNetwork({ ...this.#options, signal }, BOUNDS.buildTime.limit) : CLOSED
    let limits: Awaited<ReturnType<typeof limitSteps>> | undefined
    try {
      limits = await limitSteps(connection.engine(), labels, line => listener.onLine(line))
      if (around.problem) listener.onLine(around.problem)
      const dockerfile = `.${randomToken(12)}.dockerfile`
      await connection.engine().buildImage(
        {
          context: contextOf(asked, { name: dockerfile, text }, signal),
          dockerfile,
          reference,
          labels: { ...labels, ...imageLabels },
          buildArgs: { ...buildArgs },
          ...(target !== undefined && { target }),
          network: around.network,
          ...limitsFor(connection.info(), await resourceFactor()),
        },
        progress => tell(listener, progress),
        signal,
      )
    } finally {
      limits?.close()
      await around.close()
    }
  }

  async #bring(image: string, listener: BuildListener, signal: AbortSignal): Promise<void> {
    if (!isImageReference(image)) {
      const next = 'Name a base image as docker pull does, like debian:12.'
      throw new AppError('bad_request', `"${image.slice(0, 200)}" is no name of an image. ${next}`)
    }
    await this.#options.images.ensure(image, progress => listener.onPull(image, progress), signal)
  }
}

const CLOSED: BuildNetwork = { network: 'none', problem: null, close: async () => {} }

export function waitingBuilds(ahead: number): string {
  return ahead === 1 ? 'Waiting for 1 other build.' : `Waiting for ${ahead} other builds.`
}

function tell(listener: BuildListener, progress: BuildProgress): void {
  if (progress.kind === 'line') listener.onLine(progress.line)
  else listener.onPull('', progress)
}

/**
 * With the Dockerfile that was checked, under a name that nothing in the context has. The `.dockerignore` beside it names these
 * two alone, so that the engine removes them before a COPY could bring them into the image: what the source leaves out was never
 * sent.
 */
function contextOf(source: BuildSource, dockerfile: { name: string; text: string }, signal: AbortSignal): Readable {
  const context = pack()
  const archive = pipeline(context, new PassThrough(), () => {})
  const write = async () => {
    context.entry({ name: dockerfile.name }, dockerfile.text)
    await source.writeContext?.(context, signal)
    // In place of the one that the source may have.
    context.entry({ name: '.dockerignore' }, `.dockerignore\n${dockerfile.name}\n`)
    context.finalize()
  }
  write().catch(error => context.destroy(error))
  return archive
}

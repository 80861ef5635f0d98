import type { SpecBuild } from '../../api/v1/sandbox/builds.ts'
import { Paced } from '../../async/paced.ts'
import type { Bus } from '../../bus.ts'
import { specImageLabels } from '../../docker/container/labels.ts'
import { BOUNDS } from '../../domain/bounds.ts'
import { AppError, messageOf } from '../../domain/errors.ts'
import type { Log } from '../../log.ts'
import type { ImageProgress, SandboxImages } from '../image.ts'
import type { SandboxSpec } from '../spec.ts'
import type { SandboxSpecs } from '../specs.ts'
import type { ImageBuilder } from './builder.ts'

const PUBLISH_EVERY_MS = 250
/** Of the log in the words of a failure. */
const LAST_LINES = 10

export interface SpecBuildsOptions {
  builder: ImageBuilder
  images: Pick<SandboxImages, 'ensure' | 'isPresent'>
  specs: Pick<SandboxSpecs, 'get' | 'builtAs'>
  instanceId: string
  bus: Bus
  log: Log
}

/** The last build of a spec that this process knows of. */
interface Build {
  reference: string
  state: 'building' | 'ready' | 'failed' | 'cancelled'
  step: string
  lines: string[]
  error: string | null
  startedAt: string
  endedAt: string | null
  cancel: AbortController
}

/** Builds the images of specs that have a Dockerfile: when somebody asks for it, or a start needs one. One build a spec. */
export class SpecBuilds {
  readonly #options: SpecBuildsOptions
  /** By the id of the spec. */
  readonly #builds = new Map<string, Build>()

  constructor(options: SpecBuildsOptions) {
    this.#options = options
  }

  /** Begins it, or joins the one under way. @throws AppError not_found, conflict, engine_unavailable */
  async begin(specId: string): Promise<SpecBuild> {
    const spec = await this.#spec(specId)
    // Through the same door as a start, so that both wait for one build.
    const built = this.#options.images.ensure(spec.image, () => {})
    built.catch(error => this.#options.log.info({ spec: specId, error: messageOf(error) }, 'a build failed'))
    let unsubscribe = () => {}
    const begun = new Promise<void>(resolve => {
      const look = () => this.#isBuilding(spec) && resolve()
      unsubscribe = this.#options.bus.subscribe(look)
      look()
    })
    await Promise.race([built, begun]).finally(unsubscribe)
    return this.status(specId)
  }

  #isBuilding({ id, image }: SandboxSpec): boolean {
    const build = this.#builds.get(id)
    return build?.reference === image && build.state === 'building'
  }

  /** @throws AppError not_found, conflict */
  async status(specId: string): Promise<SpecBuild> {
    const { image } = await this.#spec(specId)
    const build = this.#builds.get(specId)
    const known = build?.reference === image ? build : undefined
    const isPresent = known?.state === 'building' ? false : await this.#options.images.isPresent(image)
    const state = known?.state === 'building' || known?.state === 'failed' ? known.state : 'none'
    return {
      state: isPresent ? 'ready' : state,
      step: known?.state === 'building' ? known.step : null,
      log: [...(known?.lines ?? [])],
      error: isPresent ? null : (known?.error ?? null),
      started_at: known?.startedAt ?? null,
      ended_at: known?.endedAt ?? null,
    }
  }

  /** @throws AppError not_found, conflict */
  async cancel(specId: string): Promise<SpecBuild> {
    await this.#spec(specId)
    const build = this.#builds.get(specId)
    build?.cancel.abort(new AppError('conflict', 'The build was cancelled. Build the sandbox spec again.'))
    return this.status(specId)
  }

  /** Whether what its steps have left is of use: to the build under way, or to the next one where it came to no image. */
  isCached(specId: string): boolean {
    const state = this.#builds.get(specId)?.state
    return state !== undefined && state !== 'ready'
  }

  /** Whether one is under way, to which everything counts that its steps leave. */
  isUnderWay(specId: string): boolean {
    return this.#builds.get(specId)?.state === 'building'
  }

  /** For `SandboxImages`, which lets everybody who needs the image wait for one call. @throws AppError as `ImageBuilder` */
  async build(reference: string, report: (progress: ImageProgress) => void, signal: AbortSignal): Promise<void> {
    const { builder, specs, instanceId } = this.#options
    const spec = await specs.builtAs(reference)
    if (!spec || spec.dockerfile === null) {
      throw new AppError('image_missing', 'The sandbox spec was changed or removed meanwhile. Start a new sandbox.')
    }
    const build = this.#open(spec)
    const pace = new Paced(PUBLISH_EVERY_MS)
    const show = (step: string, bytes = { doneBytes: 0, totalBytes: 0 }) => {
      build.step = step
      report({ ...bytes, status: step, isBuild: true })
      pace.show(() => this.#publish(spec.id))
    }
    const listener = {
      onLine: (line: string) => {
        build.lines.push(line)
        if (build.lines.length > BOUNDS.buildLog.limit) build.lines.shift()
        show(/^Step \d+\/\d+ : /.test(line) ? line : build.step)
      },
      onPull: (image: string, progress: ImageProgress) => show(`${progress.status} ${image}`.trim(), progress),
      onWait: (sentence: string) => show(sentence),
    }
    try {
      const source = { dockerfile: spec.dockerfile, labels: specImageLabels(instanceId, spec.id) }
      await builder.build(reference, source, { listener, signal: AbortSignal.any([signal, build.cancel.signal]) })
      this.#end(spec.id, build, { state: 'ready', error: null })
    } catch (error) {
      const isCancelled = signal.aborted || build.cancel.signal.aborted
      this.#end(
        spec.id,
        build,
        isCancelled ? { state: 'cancelled', error: null } : { state: 'failed', error: messageOf(error) },
      )
      throw withLog(error, build.lines)
    } finally {
      pace.stop()
    }
  }

  #open({ id, image }: SandboxSpec): Build {
    const build: Build = {
      reference: image,
      state: 'building',
      step: 'Preparing.',
      lines: [],
      error: null,
      startedAt: new Date().toISOString(),
      endedAt: null,
      cancel: new AbortController(),
    }
    this.#builds.set(id, build)
    this.#publish(id)
    return build
  }

  #end(specId: string, build: Build, outcome: Pick<Build, 'state' | 'error'>): void {
    Object.assign(build, outcome, { endedAt: new Date().toISOString() })
    this.#publish(specId)
  }

  #publish(id: string): void {
    this.#options.bus.publish({ resource: 'sandbox-spec', id })
  }

  async #spec(specId: string): Promise<SandboxSpec> {
    const spec = await this.#options.specs.get(specId)
    if (spec.dockerfile !== null) return spec
    throw new AppError('conflict', `"${spec.title}" names its image and is not built. Give it a Dockerfile first.`)
  }
}

/** A start shows no log of its own. */
function withLog(error: unknown, lines: readonly string[]): unknown {
  if (!(error instanceof AppError) || error.code !== 'image_build_failed') return error
  const last = lines.slice(-LAST_LINES).join('\n')
  return new AppError('image_build_failed', `${error.message}\n${last}`, { cause: error })
}

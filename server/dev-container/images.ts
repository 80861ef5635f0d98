import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Pack } from 'tar-stream'
import { Semaphore } from '../async/semaphore.ts'
import type { EngineConnection } from '../docker/connection.ts'
import { DEV_CONTAINER_IMAGES, specImageLabels } from '../docker/container/labels.ts'
import { BOUNDS } from '../domain/bounds.ts'
import { AppError } from '../domain/errors.ts'
import { type BuildListener, type ImageBuilder, waitingBuilds } from '../sandbox/build/builder.ts'
import { ignoredBy } from '../sandbox/build/ignored.ts'
import { devContainerImage } from '../sandbox/build/image-names.ts'
import type { SpecImages } from '../sandbox/build/spec-images.ts'
import type { SandboxImages } from '../sandbox/image.ts'
import { type AccountOptions, accountIn } from './account.ts'
import { parseMetadata, type ReadConfiguration } from './configuration.ts'
import { featuresDockerfile, writeFeatures } from './features.ts'
import { environmentOf, type ImageOrigin, leftOutOf, merge } from './plan.ts'
import type { ImageRecord, ImageRecords } from './record.ts'
import { RepositoryTree, type TreeFile } from './tree.ts'

/** What an image is made from, beside what the engine has. */
export interface ImageSource {
  tree: RepositoryTree
  origin: ImageOrigin
  read: ReadConfiguration
  /** Reads it once more, with its features: they are fetched into a folder of ours. */
  withFeatures: () => Promise<ReadConfiguration>
  /** That folder. */
  home: string
}

export interface ImageListener {
  report(report: { detail: string; progress?: { done: number; total: number }; isWaiting?: boolean }): void
}

export interface DevContainerImagesOptions extends Omit<AccountOptions, 'engine'> {
  connection: Pick<EngineConnection, 'engine'>
  images: Pick<SandboxImages, 'ensure'>
  builder: Pick<ImageBuilder, 'build'>
  specImages: Pick<SpecImages, 'hold'>
  records: ImageRecords
}

/** Of what `keyOf` counts. */
const VERSION = 1

/** Makes the images of dev containers, and finds those that were made. */
export class DevContainerImages {
  readonly #options: DevContainerImagesOptions
  readonly #turns = new Semaphore(() => 1)

  constructor(options: DevContainerImagesOptions) {
    this.#options = options
  }

  /** The image that was made from just this, and is there still. @throws AppError engine_unavailable */
  async find(source: Pick<ImageSource, 'tree' | 'origin' | 'read'>): Promise<ImageRecord | undefined> {
    const engine = this.#options.connection.engine()
    const record = await this.#options.records.get(await this.#keyOf(source))
    return record && (await engine.image(record.image))?.id === record.imageId ? record : undefined
  }

  /**
   * The image, made where it is missing.
   * @throws AppError bad_request in words, image_build_failed, image_pull_failed, engine_unavailable
   */
  async ensure(source: ImageSource, listener: ImageListener, signal: AbortSignal): Promise<ImageRecord> {
    const { images } = this.#options
    const { origin } = source
    if (origin.kind === 'image') {
      const show = ({ doneBytes: done, totalBytes: total }: { doneBytes: number; totalBytes: number }) =>
        listener.report({ detail: `Getting image ${origin.image}`, progress: { done, total } })
      await images.ensure(origin.image, show, signal)
    }
    // Two builds of one image share names, of which the end of one takes one away.
    const wait = (ahead: number) => listener.report({ detail: waitingBuilds(ahead) })
    return this.#turns.run(() => this.#foundOrMade(source, listener, signal), wait, signal)
  }

  async #foundOrMade(source: ImageSource, listener: ImageListener, signal: AbortSignal): Promise<ImageRecord> {
    signal.throwIfAborted()
    const known = await this.find(source)
    if (known) return known
    // What a build leaves that fails is removed after it: the next one may be of another repository.
    const release = this.#options.specImages.hold(DEV_CONTAINER_IMAGES)
    try {
      return await this.#make(source, listener, signal)
    } finally {
      release()
    }
  }

  async #make(source: ImageSource, listener: ImageListener, signal: AbortSignal): Promise<ImageRecord> {
    const { connection, records, instanceId, hold } = this.#options
    const { origin } = source
    const key = await this.#keyOf(source)
    const { configuration, features } = await this.#complete(source, listener)
    const reference = devContainerImage(key)
    const base = features.length > 0 ? devContainerImage(`${key}-base`) : reference
    const build = { listener: toBuildListener(listener), signal }
    const built = origin.kind === 'dockerfile' ? await this.#buildDockerfile(base, { ...source, origin }, build) : null
    const from = built ?? (origin.kind === 'image' ? origin.image : base)
    const engine = connection.engine()
    const ofBase = await engine.image(from)
    if (!ofBase) throw new AppError('image_missing', `The image ${from} is gone again. Start once more.`)
    const merged = merge([...parseMetadata(ofBase.labels['devcontainer.metadata']), ...features, configuration])
    const user = merged.user ?? ofBase.user
    if (features.length > 0) {
      const writeContext = (context: Pack) =>
        writeFeatures(context, features, { user: user || 'root', home: source.home })
      const labels = specImageLabels(instanceId, DEV_CONTAINER_IMAGES)
      const own = { labels, writeContext, dockerfile: featuresDockerfile(from, features) }
      await this.#options.builder.build(reference, own, build)
      // It is a part of the other one, and is found again by its steps.
      if (built) await engine.removeImage(base)
    }
    const image = features.length > 0 ? reference : from
    const ofImage = features.length > 0 ? await engine.image(image) : ofBase
    if (!ofImage) throw new AppError('image_missing', `The image ${image} is gone again. Start once more.`)
    const record: ImageRecord = {
      image,
      imageId: ofImage.id,
      ...(await accountIn(image, user, { engine, instanceId, hold })),
      env: environmentOf(merged, ofImage.env),
      commands: merged.commands,
      leftOut: leftOutOf(configuration, features).map(({ property, feature }) =>
        feature === null ? property : `${property} (${feature})`,
      ),
    }
    // What was made anew may have another base image by now.
    await records.put(await this.#keyOf(source), record)
    return record
  }

  async #complete({ read, withFeatures }: ImageSource, listener: ImageListener): Promise<ReadConfiguration> {
    const named = Object.keys(read.configuration.features ?? {})
    if (named.length === 0) return read
    listener.report({ detail: `Getting ${named.length === 1 ? 'the feature' : 'the features'} ${named.join(', ')}` })
    return withFeatures()
  }

  async #buildDockerfile(
    reference: string,
    { tree, origin }: Pick<ImageSource, 'tree'> & { origin: Extract<ImageOrigin, { kind: 'dockerfile' }> },
    build: { listener: BuildListener; signal: AbortSignal },
  ): Promise<string> {
    const limit = BOUNDS.devContainerConfiguration.limit
    const dockerfile = await tree.text(origin.dockerfile, limit, build.signal)
    if (dockerfile === undefined) {
      throw new AppError('bad_request', `The dev container's ${origin.dockerfile} is not there, or too large.`)
    }
    const files = await contextFiles(tree, origin.context, build.signal)
    await this.#options.builder.build(
      reference,
      {
        dockerfile,
        isForeign: true,
        labels: specImageLabels(this.#options.instanceId, DEV_CONTAINER_IMAGES),
        buildArgs: origin.args,
        ...(origin.target !== undefined && { target: origin.target }),
        writeContext: (context, signal) => writeContext(context, { tree, files, folder: origin.context, signal }),
      },
      build,
    )
    return reference
  }

  /** Of everything that an image is made from; an image from a registry counts as what the engine has under its name. */
  async #keyOf({ tree, origin, read }: Pick<ImageSource, 'tree' | 'origin' | 'read'>): Promise<string> {
    const { connection, instanceId } = this.#options
    const { configuration } = read
    const files = origin.kind === 'dockerfile' ? tree.within(origin.context) : []
    const own = [...tree.within('.devcontainer'), ...tree.files.filter(({ path }) => path === '.devcontainer.json')]
    const listed = new Map([...files, ...own].map(({ path, mode, object }) => [path, `${mode} ${object}`]))
    const base = origin.kind === 'image' ? ((await connection.engine().image(origin.image))?.id ?? null) : null
    const counted = { VERSION, instanceId, origin, configuration, files: [...listed], base }
    return createHash('sha256').update(JSON.stringify(counted)).digest('hex').slice(0, 40)
  }
}

const MAX_IGNORE_BYTES = 64 * 1024
const FILES_AT_ONCE = 200

/** Without what `.dockerignore` leaves out. */
async function contextFiles(tree: RepositoryTree, folder: string, signal: AbortSignal): Promise<TreeFile[]> {
  const files = tree.within(folder)
  const ignore = posix.join(folder, '.dockerignore')
  const ignoreBytes = tree.find(ignore)?.sizeBytes ?? 0
  if (files.length > BOUNDS.devContainerFiles.limit * 4 || ignoreBytes > MAX_IGNORE_BYTES) throw tooLarge()
  const text = (await tree.text(ignore, MAX_IGNORE_BYTES, signal)) ?? ''
  const isIgnored = ignoredBy(text)
  const kept: TreeFile[] = []
  for (const [index, file] of files.entries()) {
    if (!isIgnored(posix.relative(folder, file.path))) kept.push(file)
    // Others are served in between.
    if (index % FILES_AT_ONCE === FILES_AT_ONCE - 1) await nextTurn()
    signal.throwIfAborted()
  }
  const bytes = kept.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  if (kept.length > BOUNDS.devContainerFiles.limit || bytes > BOUNDS.devContainerBytes.limit) {
    throw tooLarge()
  }
  return kept
}

function tooLarge(): AppError {
  return new AppError(
    'too_large',
    'The build context of the dev container is too large. Choose a smaller one, or leave files out with .dockerignore.',
  )
}

/** Links go along as links: the engine follows them in the context alone, and takes no context in which one leads out of it. */
async function writeContext(
  context: Pack,
  {
    tree,
    files,
    folder,
    signal,
  }: { tree: RepositoryTree; files: readonly TreeFile[]; folder: string; signal: AbortSignal },
): Promise<void> {
  for await (const { file, content } of tree.contents(files, signal)) {
    const name = folder === '' ? file.path : file.path.slice(folder.length + 1)
    const linkname = RepositoryTree.targetOf(file, content, folder)
    if (file.mode === '120000') {
      if (linkname !== undefined) context.entry({ name, type: 'symlink', linkname })
      continue
    }
    const mode = file.mode === '100755' ? 0o755 : 0o644
    await writeEntry(context, { name, mode, size: content.length, mtime: new Date(0) }, content)
  }
}

/** Waits until the engine has taken it, so that the context is never in memory as a whole. */
function writeEntry(context: Pack, header: Parameters<Pack['entry']>[0], content: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new AppError('engine_failed', 'The engine does not take the build context any more.'))
    context.once('close', giveUp)
    const entry = context.entry(header, error => {
      context.off('close', giveUp)
      if (error) reject(error)
      else resolve()
    })
    entry.end(content)
  })
}

function toBuildListener({ report }: ImageListener): BuildListener {
  return {
    onLine: line => {
      if (line.trim()) report({ detail: line })
    },
    onPull: (image, { doneBytes: done, totalBytes: total }) =>
      report({ detail: `Getting image ${image}`.trim(), progress: { done, total } }),
    onWait: detail => report({ detail, isWaiting: true }),
  }
}

import { basename } from 'node:path/posix'
import { Readable } from 'node:stream'
import type { SandboxSpecInfo } from '../../api/v1/sandbox/specs.ts'
import type { EngineConnection } from '../../docker/connection.ts'
import { LABEL, specImageLabels } from '../../docker/container/labels.ts'
import type { Engine } from '../../docker/engine.ts'
import { BOUNDS } from '../../domain/bounds.ts'
import { AppError, isAppError, messageOf } from '../../domain/errors.ts'
import type { Log } from '../../log.ts'
import { builtImage, savedImage } from '../build/image-names.ts'
import type { SpecImages } from '../build/spec-images.ts'
import type { SandboxImages } from '../image.ts'
import { newSpecId, type SandboxSpecs } from '../specs.ts'
import {
  checkNamed,
  DESCRIPTION,
  damagedFile,
  type LeftOut,
  notSpecFile,
  personalBase,
  readDescription,
  requestOf,
  type SpecDescription,
} from './description.ts'
import { bounded, type ImageIdentity, importedImage } from './imported-image.ts'
import { readTar, type TarFile, TarProblem, writeTar } from './tar.ts'
import type { Turns } from './turns.ts'

export interface SpecImportsOptions {
  connection: Pick<EngineConnection, 'engine'>
  images: Pick<SandboxImages, 'reference'>
  specs: Pick<SandboxSpecs, 'create' | 'requireRoom' | 'freeTitle'>
  specImages: Pick<SpecImages, 'hold'>
  instanceId: string
  turns: Turns
  log: Log
}

export interface ImportedSpec {
  spec: SandboxSpecInfo
  image: SpecDescription['image']['kind']
  leftOut: LeftOut
}

const MAX_NAME = 200

/**
 * Specs from files, which are strangers' until they were read.
 *
 * INVARIANTS: the engine gets one image, under a name that nothing else has, with labels of this spec alone; what fails or is given up
 * leaves neither a spec nor an image.
 */
export class SpecImports {
  readonly #options: SpecImportsOptions

  constructor(options: SpecImportsOptions) {
    this.#options = options
  }

  /**
   * As it arrives.
   * @throws AppError bad_request for a file that is none, or is damaged, too_large, conflict, disk_full, too_many_requests, engine_unavailable
   */
  async import(
    content: AsyncIterable<Buffer>,
    { fileName, signal }: { fileName: string; signal: AbortSignal },
  ): Promise<ImportedSpec> {
    const { specs, specImages, turns } = this.#options
    specs.requireRoom()
    const end = turns.begin()
    const specId = newSpecId()
    // An image without a spec is removed, also one that a killed process has left.
    const release = specImages.hold(specId)
    const files = readTar(content)
    try {
      const description = await descriptionIn(files)
      const { image: kind, left_out: leftOut } = description
      const { dockerfile = null } = description.spec
      if (dockerfile) checkOrigin(dockerfile)
      const request = requestOf(description, dockerfile ? null : this.#nameOf(description, specId))
      const title = await specs.freeTitle(request.title)
      if (kind.kind === 'included') {
        const reference = dockerfile ? builtImage(specId, dockerfile) : savedImage(specId)
        await this.#load(files, { reference, specId, signal })
      }
      signal.throwIfAborted()
      const spec = await specs.create({ ...request, title }, { id: specId, importedFrom: plainName(fileName) })
      return { spec, image: kind.kind, leftOut }
    } finally {
      // A read that waits for the client ends with the request.
      files.return().catch(() => {})
      release()
      end()
    }
  }

  #nameOf({ image }: SpecDescription, specId: string): string {
    if (image.kind === 'included') return savedImage(specId)
    if (image.kind === 'named') {
      checkNamed(image.reference)
      return image.reference
    }
    const { reference } = this.#options.images
    if (image.kind === 'bundled' && reference !== null) return reference
    if (image.kind === 'built') throw damagedFile('it has neither an image nor a Dockerfile')
    const next = 'Export the sandbox spec with an image of another name.'
    throw new AppError('bad_request', `The file wants the image that comes with Atelier, which this one lacks. ${next}`)
  }

  async #load(
    files: AsyncIterable<TarFile>,
    { reference, specId, signal }: { reference: string; specId: string; signal: AbortSignal },
  ): Promise<void> {
    const { connection, instanceId, log } = this.#options
    const engine = connection.engine()
    const bundled = await this.#bundledId(engine)
    try {
      await loadInto(engine, files, { reference, labels: specImageLabels(instanceId, specId) }, signal)
      const loaded = await engine.image(reference)
      if (loaded?.labels[LABEL.specImage] !== specId) throw damagedFile('the engine has found no image in it')
      // By construction it cannot; an engine that does so all the same is not to go on unnoticed.
      if ((await this.#bundledId(engine)) === bundled) return
      log.error({ reference }, 'an import has moved the name of the bundled image')
      throw new AppError(
        'engine_failed',
        'The import changed the image that comes with Atelier. Install Atelier again.',
      )
    } catch (error) {
      await engine.removeImage(reference).catch(() => {})
      throw error
    }
  }

  async #bundledId(engine: Engine): Promise<string | undefined> {
    const { reference } = this.#options.images
    return reference === null ? undefined : (await engine.image(reference))?.id
  }
}

async function loadInto(
  engine: Engine,
  files: AsyncIterable<TarFile>,
  identity: ImageIdentity,
  signal: AbortSignal,
): Promise<void> {
  const stop = new AbortController()
  let outcome: { isWhole: boolean; error?: unknown } = { isWhole: false }
  async function* image(): AsyncGenerator<Buffer, void, undefined> {
    try {
      yield* writeTar(importedImage(files, identity))
      outcome = { isWhole: true }
    } catch (error) {
      outcome = { isWhole: false, error }
      // Before the engine takes the end of what it got for the end of the image.
      stop.abort()
    }
  }
  const archive = Readable.from(image(), { objectMode: false })
  try {
    await engine.loadImage(archive, AbortSignal.any([signal, stop.signal]))
  } catch (error) {
    signal.throwIfAborted()
    if (outcome.error !== undefined) throw inWords(outcome.error)
    throw isAppError(error, 'engine_failed') ? refused(error) : error
  } finally {
    archive.destroy()
  }
  if (!outcome.isWhole) throw damagedFile('the engine has not read it to its end')
}

/** @throws AppError bad_request */
async function descriptionIn(files: AsyncIterator<TarFile>): Promise<SpecDescription> {
  try {
    const { done, value } = await files.next()
    if (done || value.name !== DESCRIPTION) throw notSpecFile()
    return readDescription(await bounded(value.size, value.content, BOUNDS.specFileDescription))
  } catch (error) {
    throw error instanceof TarProblem ? notSpecFile() : error
  }
}

/** Its steps would take files of a sandbox of this machine. @throws AppError bad_request */
function checkOrigin(dockerfile: string): void {
  if (personalBase(dockerfile) === undefined) return
  const next = 'Give it another base image there, then export it anew.'
  throw new AppError('bad_request', `The Dockerfile in the file begins with a sandbox of the other computer. ${next}`)
}

function inWords(error: unknown): unknown {
  return error instanceof TarProblem ? damagedFile(error.message) : error
}

function refused(error: AppError): AppError {
  const next = 'Copy the file again, or export the sandbox spec anew.'
  return new AppError('bad_request', `The engine refused the image in the file. ${next} ${messageOf(error)}`, {
    cause: error,
  })
}

function plainName(name: string): string {
  return (
    basename(name.replaceAll('\\', '/'))
      .replace(/[\p{Cc}\p{Cf}]+/gu, '')
      .slice(0, MAX_NAME) || 'a file'
  )
}

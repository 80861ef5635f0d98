import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { SpecExport } from '../../api/v1/sandbox/spec-files.ts'
import type { EngineConnection } from '../../docker/connection.ts'
import { AppError, messageOf } from '../../domain/errors.ts'
import type { Log } from '../../log.ts'
import { isBuiltImage, isSavedImage } from '../build/image-names.ts'
import type { SandboxImages } from '../image.ts'
import type { SandboxSpec } from '../spec.ts'
import type { SandboxSpecs } from '../specs.ts'
import {
  DESCRIPTION,
  describeSpec,
  type ExportedImage,
  personalBase,
  type SpecDescription,
  writeDescription,
} from './description.ts'
import { exportedImage, fileOf } from './exported-image.ts'
import { type TarFile, writeTar } from './tar.ts'
import type { Turns } from './turns.ts'

export interface SpecExportsOptions {
  connection: Pick<EngineConnection, 'engine'>
  images: Pick<SandboxImages, 'reference'>
  specs: Pick<SandboxSpecs, 'get'>
  /** Takes secrets that are known out of a text. */
  mask(text: string): string
  turns: Turns
  log: Log
}

const NOT_INCLUDED = { bytes: null, imageVariables: {} }

const ENDING = '.atelier-spec.tar'

/** Specs as files for other computers: what they say, and the image where nobody else has it. */
export class SpecExports {
  readonly #options: SpecExportsOptions

  constructor(options: SpecExportsOptions) {
    this.#options = options
  }

  /** What the file would hold. @throws AppError not_found, image_missing, engine_unavailable */
  async describe(specId: string): Promise<SpecExport> {
    const { description, bytes } = await this.#describe(specId)
    return {
      file_name: fileName(description.spec.title),
      image: description.image.kind,
      image_bytes: bytes,
      left_out: description.left_out,
    }
  }

  /** The file as it is written. Destroying it ends that. @throws AppError as `describe`, too_large, too_many_requests */
  async open(specId: string): Promise<{ fileName: string; content: Readable }> {
    const { connection, mask, turns, log } = this.#options
    const { description, spec } = await this.#describe(specId)
    const head = fileOf(DESCRIPTION, writeDescription(description))
    const end = turns.begin()
    const stop = new AbortController()
    async function* files(): AsyncGenerator<TarFile, void, undefined> {
      yield head
      if (description.image.kind !== 'included') return
      const saved = await connection.engine().saveImage(spec.image, stop.signal)
      try {
        yield* exportedImage(saved, mask)
      } finally {
        saved.destroy()
      }
    }
    const content = Readable.from(writeTar(files()), { objectMode: false })
    finished(content)
      .catch(error => {
        if (!stop.signal.aborted) log.info({ spec: specId, error: messageOf(error) }, 'the export of a spec broke off')
      })
      .finally(end)
    // A generator that waits for the engine does not learn that nobody reads it any more.
    content.once('close', () => stop.abort())
    return { fileName: fileName(description.spec.title), content }
  }

  async #describe(specId: string): Promise<{ spec: SandboxSpec; description: SpecDescription; bytes: number | null }> {
    const { specs, mask } = this.#options
    const found = await specs.get(specId)
    const { image, bytes, imageVariables } = await this.#image(found)
    // Nobody else has what it begins with: the image alone goes along.
    const isOfSandbox = found.dockerfile !== null && beginsWithSandbox(found.dockerfile)
    if (isOfSandbox && image.kind !== 'included') {
      const message =
        'The Dockerfile of this sandbox spec begins with an image of a sandbox, which no other computer has.'
      throw new AppError('image_missing', `${message} Build the spec first, then export it: its image goes along then.`)
    }
    const spec = isOfSandbox ? { ...found, dockerfile: null } : found
    return { spec, description: describeSpec(spec, { image, imageVariables }, mask), bytes }
  }

  /** What no registry has goes along. */
  async #image({
    image,
    dockerfile,
  }: SandboxSpec): Promise<{ image: ExportedImage; bytes: number | null; imageVariables: Record<string, string> }> {
    const { connection, images } = this.#options
    if (image === images.reference) return { image: { kind: 'bundled' }, ...NOT_INCLUDED }
    const origin = await connection.engine().image(image)
    if (!origin && isSavedImage(image)) {
      const next = 'Save the spec again from a sandbox, then export it.'
      throw new AppError('image_missing', `The saved image of this sandbox spec is gone from the engine. ${next}`)
    }
    const isOwn = origin && (isSavedImage(image) || isBuiltImage(image) || !origin.isFromRegistry)
    if (isOwn) return { image: { kind: 'included' }, bytes: origin.bytes, imageVariables: origin.env }
    return { image: dockerfile === null ? { kind: 'named', reference: image } : { kind: 'built' }, ...NOT_INCLUDED }
  }
}

/** One that cannot be built says so when it is. */
function beginsWithSandbox(dockerfile: string): boolean {
  try {
    return personalBase(dockerfile) !== undefined
  } catch {
    return false
  }
}

/** As every file system takes it. */
function fileName(title: string): string {
  const plain = title.replace(/[\p{Cc}\p{Cf}\s\\/:*?"<>|]+/gu, ' ')
  return `${
    plain
      .replace(/^[. ]+/, '')
      .slice(0, 80)
      .trim() || 'sandbox'
  }${ENDING}`
}

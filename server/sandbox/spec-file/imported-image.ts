import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createGunzip } from 'node:zlib'
import { BOUNDS } from '../../domain/bounds.ts'
import { AppError } from '../../domain/errors.ts'
import { damagedFile } from './description.ts'
import { fileOf } from './exported-image.ts'
import { readImageConfig, writeImageConfig } from './image-config.ts'
import { IMAGE_CONFIG, IMAGE_LAYERS, imageLayers, layerName } from './image-names.ts'
import { LayerHeaders } from './layer-headers.ts'
import type { TarFile } from './tar.ts'

/** What the image is called here, and what it is labelled with. */
export interface ImageIdentity {
  reference: string
  labels: Readonly<Record<string, string>>
}

/** What the compressions that engines unpack begin with. Of these only gzip is counted, and so let in. */
const GZIP = '1f8b'
const OTHER_COMPRESSIONS = [/^425a68/, /^fd377a585a00/, /^28b52ffd/, /^5.2a4d18/]
const MAX_START_BYTES = 6

/**
 * The image in a file, as the engine loads it. The engine gets layers under names of ours, a description that was written anew, and
 * a list with one image and one name, which is ours: nothing that the file says can name or move another image.
 * @param files what follows the description of the spec
 * @throws AppError bad_request for what no export writes, too_large
 */
export async function* importedImage(
  files: AsyncIterable<TarFile>,
  { reference, labels }: ImageIdentity,
): AsyncGenerator<TarFile, void, undefined> {
  const layers = new Set<string>()
  const budget = { bytes: BOUNDS.specFile.limit }
  let config: { name: string; layers: number } | undefined
  let isListed = false
  for await (const { name, size, content } of files) {
    if (isListed) throw damagedFile('something follows its end')
    if (config) {
      if (name !== IMAGE_LAYERS) throw damagedFile('the list of layers is missing')
      const list = listOf(await bounded(size, content), layers)
      if (list.length !== config.layers) throw damagedFile('the image has other layers than it says')
      isListed = true
      yield jsonFile('manifest.json', [{ Config: config.name, RepoTags: [reference], Layers: list }])
    } else if (name === IMAGE_CONFIG) {
      const read = readImageConfig(await bounded(size, content))
      if (!read) throw damagedFile('the image is not described')
      const bytes = writeImageConfig(read, labels)
      config = { name: `${createHash('sha256').update(bytes).digest('hex')}.json`, layers: read.rootfs.diff_ids.length }
      yield fileOf(config.name, bytes)
    } else {
      if (name !== layerName(layers.size + 1)) throw damagedFile('it has an entry that no export has')
      if (layers.size >= BOUNDS.specFileLayers.limit) throw damagedFile('the image has too many layers')
      layers.add(name)
      yield { name, size, content: counted(content, budget) }
    }
  }
  if (!isListed) throw damagedFile('the image is not whole')
}

function listOf(bytes: Buffer, known: ReadonlySet<string>): string[] {
  const { data } = imageLayers.safeParse(jsonIn(bytes))
  if (!data?.layers.every(name => known.has(name))) throw damagedFile('the list of layers names others')
  return data.layers
}

/** @throws AppError bad_request for more than a description has */
export async function bounded(
  size: number,
  content: AsyncIterable<Buffer>,
  { limit }: { limit: number } = BOUNDS.specFileImageDescription,
): Promise<Buffer> {
  if (size > limit) throw damagedFile('a description in it is too long')
  const chunks: Buffer[] = []
  for await (const chunk of content) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function jsonFile(name: string, value: unknown): TarFile {
  return fileOf(name, Buffer.from(JSON.stringify(value)))
}

function jsonIn(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}

/** A layer, once more of it comes than may be unpacked: a few megabytes can become terabytes on the engine's disk, also as a sparse file. */
async function* counted(content: AsyncIterable<Buffer>, budget: { bytes: number }): AsyncGenerator<Buffer> {
  const headers = new LayerHeaders()
  const take = (bytes: Buffer) => {
    budget.bytes -= bytes.length
    if (budget.bytes < 0) throw tooLarge()
    headers.add(bytes)
  }
  const iterator = content[Symbol.asyncIterator]()
  let start = Buffer.alloc(0)
  let next = await iterator.next()
  for (; !next.done && start.length < MAX_START_BYTES; next = await iterator.next()) {
    start = Buffer.concat([start, next.value])
  }
  const kind = start.toString('hex', 0, MAX_START_BYTES)
  if (OTHER_COMPRESSIONS.some(pattern => pattern.test(kind))) throw damagedFile('a layer is packed in an unknown way')
  const unpacked = kind.startsWith(GZIP) ? new UnpackedSize(take) : undefined
  if (unpacked) await unpacked.add(start)
  else take(start)
  yield start
  for (; !next.done; next = await iterator.next()) {
    if (unpacked) await unpacked.add(next.value)
    else take(next.value)
    yield next.value
  }
  await unpacked?.end()
}

function tooLarge(): AppError {
  const most = BOUNDS.specFile.limit / 1024 ** 3
  const next = 'Save the sandbox spec from a smaller sandbox, then export that.'
  return new AppError('too_large', `The image in the file is larger than ${most} GiB once unpacked. ${next}`)
}

/** How much compressed bytes come to. */
class UnpackedSize {
  readonly #gunzip = createGunzip()
  #problem: Error | undefined

  constructor(take: (bytes: Buffer) => void) {
    this.#gunzip.on('data', (chunk: Buffer) => {
      try {
        take(chunk)
      } catch (error) {
        this.#gunzip.destroy(error as Error)
      }
    })
    this.#gunzip.on('error', error => {
      this.#problem = error
    })
  }

  /** Resolves when it was unpacked. @throws AppError bad_request, too_large */
  async add(bytes: Buffer): Promise<void> {
    this.#check()
    await new Promise<void>(resolve => {
      this.#gunzip.once('close', resolve)
      this.#gunzip.write(bytes, () => {
        this.#gunzip.off('close', resolve)
        resolve()
      })
    })
    this.#check()
  }

  async end(): Promise<void> {
    const closed = this.#gunzip.closed || once(this.#gunzip, 'close').catch(() => {})
    this.#gunzip.end()
    await closed
    this.#check()
  }

  #check(): void {
    if (!this.#problem) return
    throw this.#problem instanceof AppError ? this.#problem : damagedFile('a layer cannot be unpacked')
  }
}

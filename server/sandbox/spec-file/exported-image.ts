import { basename, dirname, posix } from 'node:path'
import { PassThrough, pipeline, type Readable } from 'node:stream'
import { extract } from 'tar-stream'
import { z } from 'zod'
import { BOUNDS } from '../../domain/bounds.ts'
import { AppError } from '../../domain/errors.ts'
import { readImageConfig, withoutSecrets, writeImageConfig } from './image-config.ts'
import { IMAGE_CONFIG, IMAGE_LAYERS, type ImageLayers, layerName } from './image-names.ts'
import type { TarFile } from './tar.ts'

/** The engine's own list of what it has written, for one image. */
const savedManifest = z.tuple([z.object({ Config: z.string(), Layers: z.array(z.string()) })])

/** Descriptions are kept until the list comes, at the end: they tell which of them is the image's. */
const MAX_KEPT_BYTES = 16 * BOUNDS.specFileImageDescription.limit

/**
 * An image as the engine saves it, in the form of our files: its layers in the order in which they come, then its description and
 * their list. What the description says in secret is left out as of the spec itself. Engines write the same image in different forms, with links, lists of older versions and names of their own.
 * @throws AppError engine_failed, too_large
 */
export async function* exportedImage(
  saved: Readable,
  mask: (text: string) => string,
): AsyncGenerator<TarFile, void, undefined> {
  const kept = new Map<string, Buffer>()
  const links = new Map<string, string>()
  const written = new Map<string, string>()
  let keptBytes = 0
  const next = (name: string) => {
    if (written.size >= BOUNDS.specFileLayers.limit) throw notExportable('it has too many layers')
    const ours = layerName(written.size + 1)
    written.set(name, ours)
    return ours
  }
  for await (const { name, type, size, target, content } of entriesOf(saved)) {
    if (target !== null) links.set(name, target)
    if (type !== 'file' || size === 0 || basename(name) === 'VERSION') continue
    const first = await firstChunk(content)
    const isDescription = /^\s*[[{]/.test(first.chunk.toString('latin1', 0, 20))
    if (isDescription && size <= BOUNDS.specFileImageDescription.limit && keptBytes + size <= MAX_KEPT_BYTES) {
      kept.set(name, await whole(first.content))
      keptBytes += size
    } else yield { name: next(name), size, content: first.content }
  }
  const { config, layers } = listed(kept, mask)
  const names = layers.map(layer => links.get(layer) ?? layer)
  for (const name of new Set(names)) {
    // A small layer may begin as a description does.
    const bytes = written.has(name) ? undefined : kept.get(name)
    if (bytes) yield fileOf(next(name), bytes)
  }
  yield fileOf(IMAGE_CONFIG, config)
  const list: ImageLayers = { layers: names.map(name => written.get(name) ?? '') }
  if (list.layers.includes('')) throw notExportable('a layer is missing')
  yield fileOf(IMAGE_LAYERS, Buffer.from(JSON.stringify(list)))
}

export function fileOf(name: string, bytes: Buffer): TarFile {
  return { name, size: bytes.length, content: only(bytes) }
}

function listed(
  kept: ReadonlyMap<string, Buffer>,
  mask: (text: string) => string,
): { config: Buffer; layers: string[] } {
  const { data } = savedManifest.safeParse(JSON.parse(kept.get('manifest.json')?.toString('utf8') ?? 'null'))
  const image = data?.[0]
  const config = readImageConfig(kept.get(image?.Config ?? '') ?? Buffer.alloc(0))
  if (!image || !config) throw notExportable('it is in a form that Atelier does not know')
  return { config: writeImageConfig(withoutSecrets(config, mask), {}), layers: image.Layers }
}

interface Entry {
  name: string
  type: string | null | undefined
  size: number
  /** Of a link: the entry that it leads to. */
  target: string | null
  content: AsyncIterable<Buffer>
}

/** What is not read of an entry is passed over. */
async function* entriesOf(saved: Readable): AsyncGenerator<Entry, void, undefined> {
  const entries = extract()
  // The loop gets its errors.
  pipeline(saved, new PassThrough(), entries, () => {})
  for await (const entry of entries) {
    const { name, type, size = 0, linkname } = entry.header
    const target = linkname ? posix.normalize(type === 'link' ? linkname : posix.join(dirname(name), linkname)) : null
    yield { name: posix.normalize(name), type, size, target, content: entry as AsyncIterable<Buffer> }
    entry.resume()
  }
}

async function firstChunk(content: AsyncIterable<Buffer>): Promise<{ chunk: Buffer; content: AsyncIterable<Buffer> }> {
  const iterator = content[Symbol.asyncIterator]()
  const { value: chunk = Buffer.alloc(0) } = await iterator.next()
  async function* again(): AsyncGenerator<Buffer> {
    yield chunk
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value
  }
  return { chunk, content: again() }
}

async function whole(content: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of content) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function* only(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

function notExportable(reason: string): AppError {
  return new AppError(
    'engine_failed',
    `The image that the engine saved cannot be written to a file: ${reason}. Try another engine.`,
  )
}

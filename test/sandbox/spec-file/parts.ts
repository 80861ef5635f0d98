import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { type Header, pack } from 'tar-stream'
import { fileOf } from '../../../server/sandbox/spec-file/exported-image.ts'
import { readTar, type TarFile, writeTar } from '../../../server/sandbox/spec-file/tar.ts'

export async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items
}

/** In pieces of an awkward length. */
export async function* pieces(bytes: Buffer, length = 700): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
}

export async function bytesOf(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = []
  for await (const chunk of chunks) all.push(chunk)
  return Buffer.concat(all)
}

export async function filesIn(tar: Buffer | AsyncIterable<TarFile>): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>()
  for await (const { name, content } of Buffer.isBuffer(tar) ? readTar(pieces(tar)) : tar) {
    found.set(name, await bytesOf(content))
  }
  return found
}

export const jsonOf = (bytes: Buffer | undefined) => JSON.parse(bytes?.toString() ?? 'null')

/** A file of a sandbox spec with these entries, in their order. */
export const specFile = (entries: readonly (readonly [name: string, content: Buffer | string])[]) =>
  bytesOf(writeTar(each(entries.map(([name, content]) => fileOf(name, Buffer.from(content))))))

/** Any tar, also one that no export writes. */
export async function anyTar(
  entries: readonly (Pick<Header, 'name'> & Partial<Header> & { content?: Buffer })[],
): Promise<Buffer> {
  const tar = pack()
  for (const { content, ...head } of entries) tar.entry(head, content ?? Buffer.alloc(0))
  tar.finalize()
  return buffer(tar)
}

export const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

const describedSpec = {
  title: 'Shared',
  dockerfile: null,
  command: null,
  working_dir: '/work',
  initial_env: { COLOUR: 'blue' },
  limits: { memory_bytes: null, cpus: null, pids: 300, disk_bytes: null },
  network: 'none',
  allowlist: { presets: [], hosts: [] },
  runtime: null,
}

export const description = (image: object, spec: object = {}, more: object = {}) =>
  JSON.stringify({
    format: 'atelier-sandbox-spec',
    version: 1,
    exported_at: '2026-01-01T00:00:00.000Z',
    image,
    spec: { ...describedSpec, ...spec },
    left_out: { mounts: ['/data'], variables: [] },
    ...more,
  })

export interface Layered {
  layers: Buffer[]
  /** As its description has it. */
  config: object
}

/** An image of one layer with one file. */
export async function smallImage(labels: Record<string, string> = {}): Promise<Layered> {
  const layer = await anyTar([{ name: 'hello', content: Buffer.from('hello\n') }])
  const config = {
    architecture: 'amd64',
    os: 'linux',
    config: { Env: ['PATH=/bin'], Labels: labels, OnBuild: ['RUN true'] },
    rootfs: { type: 'layers', diff_ids: [`sha256:${digest(layer)}`] },
  }
  return { layers: [layer], config }
}

export const imageEntries = ({ layers, config }: Layered): [string, Buffer | string][] => [
  ...layers.map((layer, index): [string, Buffer] => [`image/layers/${index + 1}.tar`, layer]),
  ['image/config.json', JSON.stringify(config)],
  ['image/layers.json', JSON.stringify({ layers: layers.map((_layer, index) => `image/layers/${index + 1}.tar`) })],
]

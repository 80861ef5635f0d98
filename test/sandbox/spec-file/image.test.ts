import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { BOUNDS } from '../../../server/domain/bounds.ts'
import { exportedImage } from '../../../server/sandbox/spec-file/exported-image.ts'
import { importedImage } from '../../../server/sandbox/spec-file/imported-image.ts'
import { readTar } from '../../../server/sandbox/spec-file/tar.ts'
import {
  anyTar,
  bytesOf,
  digest,
  filesIn,
  imageEntries,
  jsonOf,
  type Layered,
  pieces,
  smallImage,
  specFile,
} from './parts.ts'

const REFERENCE = 'atelier-saved:spec-new'
const LABELS = { 'dev.atelier.spec-image': 'spec-new' }

const imported = async (entries: [string, Buffer | string][]) =>
  filesIn(importedImage(readTar(pieces(await specFile(entries))), { reference: REFERENCE, labels: LABELS }))

const exported = (saved: Buffer) =>
  filesIn(exportedImage(Readable.from(pieces(saved)), text => text.replaceAll('known-canary', '***')))

/** Its first header of another type, with the checksum that goes with it. */
function retyped(tar: Buffer, type: string): Buffer {
  tar.write(type, 156)
  tar.write(' '.repeat(8), 148)
  const sum = tar.subarray(0, 512).reduce((total, byte) => total + byte, 0)
  tar.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return tar
}

const refusedWith = (code: string, words: RegExp) => ({ code, message: expect.stringMatching(words) })

/** As engines up to 24 write it. */
async function savedByFolder({ layers, config }: Layered): Promise<Buffer> {
  const [first] = layers
  const text = Buffer.from(JSON.stringify(config))
  const manifest = [
    { Config: 'c0ffee.json', RepoTags: ['debian:12'], Layers: ['aa/layer.tar', 'bb/layer.tar', 'cc/layer.tar'] },
  ]
  return anyTar([
    { name: 'aa/', type: 'directory' },
    { name: 'aa/VERSION', content: Buffer.from('1.0') },
    { name: 'aa/json', content: Buffer.from('{"id":"aa"}') },
    { name: 'aa/layer.tar', content: first as Buffer },
    { name: 'bb/layer.tar', type: 'symlink', linkname: '../aa/layer.tar' },
    { name: 'c0ffee.json', content: text },
    { name: 'cc/layer.tar', content: first as Buffer },
    { name: 'manifest.json', content: Buffer.from(JSON.stringify(manifest)) },
    { name: 'repositories', content: Buffer.from('{"debian":{"12":"aa"}}') },
  ])
}

test('an image in the older form of engines is exported without its names, labels and links', async () => {
  const image = await smallImage({ owner: 'me' })
  const files = await exported(await savedByFolder(image))
  expect([...files.keys()]).toEqual([
    'image/layers/1.tar',
    'image/layers/2.tar',
    'image/config.json',
    'image/layers.json',
  ])
  expect(files.get('image/layers/1.tar')).toEqual(image.layers[0])
  expect(jsonOf(files.get('image/layers.json'))).toEqual({
    layers: ['image/layers/1.tar', 'image/layers/1.tar', 'image/layers/2.tar'],
  })
  expect(jsonOf(files.get('image/config.json')).config).toEqual({ Env: ['PATH=/bin'], Labels: {} })
})

test('no secret of an image goes along with its description', async () => {
  const image = await smallImage()
  const config = {
    ...image.config,
    config: {
      Env: ['PATH=/bin', 'API_TOKEN=canary', 'DB=postgres://me:canary@host/db', 'NOTE=a known-canary'],
      Cmd: ['serve', '--key=known-canary'],
      Entrypoint: ['/run', 'known-canary'],
    },
    history: [
      { created: '2026-01-01T00:00:00Z', created_by: '|1 TOKEN=canary /bin/sh -c make', comment: 'canary' },
      { created_by: 'ENV API_TOKEN=canary', empty_layer: true },
    ],
  }
  const written = jsonOf((await exported(await savedByFolder({ ...image, config }))).get('image/config.json'))
  expect(JSON.stringify(written)).not.toContain('canary')
  expect(written.config).toMatchObject({ Env: ['PATH=/bin', 'NOTE=a ***'], Cmd: ['serve', '--key=***'] })
  expect(written.history).toEqual([{ created: '2026-01-01T00:00:00Z' }, { empty_layer: true }])
  expect(written.rootfs).toEqual((image.config as { rootfs?: object }).rootfs)
})

test('an image in the newer form is exported too, also with a layer that begins as a description does', async () => {
  const { layers, config } = await smallImage()
  const odd = await anyTar([{ name: '{"odd', content: Buffer.from('x') }])
  const blob = (bytes: Buffer) => ({ name: `blobs/sha256/${digest(bytes)}`, content: bytes })
  const text = Buffer.from(JSON.stringify(config))
  const all = [...layers, odd]
  const manifest = [{ Config: blob(text).name, RepoTags: null, Layers: all.map(layer => blob(layer).name) }]
  const saved = await anyTar([
    { name: 'blobs/sha256/', type: 'directory' },
    ...all.map(blob),
    blob(text),
    { name: 'index.json', content: Buffer.from('{"manifests":[]}') },
    { name: 'manifest.json', content: Buffer.from(JSON.stringify(manifest)) },
    { name: 'oci-layout', content: Buffer.from('{"imageLayoutVersion":"1.0.0"}') },
  ])
  const files = await exported(saved)
  const list: string[] = jsonOf(files.get('image/layers.json')).layers
  expect(list.map(name => files.get(name))).toEqual(all)
})

test('an engine that saves what is no image is not believed', async () => {
  const saved = await anyTar([{ name: 'manifest.json', content: Buffer.from('[]') }])
  await expect(exported(saved)).rejects.toMatchObject({ code: 'engine_failed' })
})

test('the engine gets one image under the one name of ours, with our labels alone', async () => {
  const image = await smallImage({ 'dev.atelier.sandbox': 'atelier-other', 'dev.atelier.spec-image': 'spec-other' })
  const files = await imported(imageEntries(image))
  const [layer, config, list] = [...files.keys()]
  expect(layer).toBe('image/layers/1.tar')
  expect(config).toBe(`${digest(files.get(config ?? '') as Buffer)}.json`)
  expect(jsonOf(files.get(config ?? '')).config).toEqual({ Env: ['PATH=/bin'], Labels: LABELS })
  expect(list).toBe('manifest.json')
  expect(jsonOf(files.get('manifest.json'))).toEqual([{ Config: config, RepoTags: [REFERENCE], Layers: [layer] }])
})

test('what is packed with gzip is let through, and counted', async () => {
  const image = await smallImage()
  const packed = { ...image, layers: image.layers.map(layer => gzipSync(layer)) }
  const files = await imported(imageEntries(packed))
  expect(files.get('image/layers/1.tar')).toEqual(packed.layers[0])
})

const NUMBERS = [...Array(10_000).keys()]

test.each<[string, (entries: [string, Buffer | string][], image: Layered) => [string, Buffer | string][], RegExp]>([
  ['a list of names of its own', entries => [...entries, ['manifest.json', '[]']], /follows its end/],
  ['names of images', entries => [['repositories', '{}'], ...entries], /entry that no export has/],
  ['a path upwards', entries => [['../../etc/cron.d/x', 'x'], ...entries], /entry that no export has/],
  ['a layer twice', ([layer, ...rest]) => [layer, layer, ...rest] as typeof rest, /entry that no export has/],
  ['ten thousand layers', () => NUMBERS.map(number => [`image/layers/${number + 1}.tar`, 'x']), /too many layers/],
  [
    'a list that names others',
    ([a, b]) => [a, b, ['image/layers.json', '{"layers":["/etc/shadow"]}']] as never,
    /names others/,
  ],
  ['fewer layers than it says', ([a, b]) => [a, b, ['image/layers.json', '{"layers":[]}']] as never, /other layers/],
  ['no end', ([a, b]) => [a, b] as never, /not whole/],
  ['no image', () => [], /not whole/],
  ['a description that is none', ([a]) => [a, ['image/config.json', '{"os":1}']] as never, /not described/],
  ['a giant description', ([a]) => [a, ['image/config.json', Buffer.alloc(3 * 1024 ** 2, '[')]] as never, /too long/],
  ['a nested description', ([a]) => [a, ['image/config.json', '['.repeat(1_000_000)]] as never, /not described/],
  [
    'zstd',
    ([, ...rest]) => [['image/layers/1.tar', Buffer.from('28b52ffd00000000', 'hex')], ...rest] as never,
    /unknown way/,
  ],
  [
    'broken gzip',
    ([, ...rest]) => [['image/layers/1.tar', Buffer.from('1f8b0800ffffffffffff', 'hex')], ...rest] as never,
    /cannot be unpacked/,
  ],
])('a file with %s is refused', async (_what, change, words) => {
  const image = await smallImage()
  await expect(imported(change(imageEntries(image), image))).rejects.toMatchObject(refusedWith('bad_request', words))
})

test('what would fill the disk once it is unpacked is refused while it comes', async ({ onTestFinished }) => {
  const bound = BOUNDS.specFile as { limit: number }
  const { limit } = bound
  onTestFinished(() => {
    bound.limit = limit
  })
  bound.limit = 4 * 1024 ** 2
  const image = await smallImage()
  const bomb = gzipSync(Buffer.alloc(16 * 1024 ** 2))
  expect(bomb.length).toBeLessThan(50_000)
  const packed = imported(imageEntries({ ...image, layers: [bomb] }))
  await expect(packed).rejects.toMatchObject(refusedWith('too_large', /once unpacked/))
  const plain = imported(imageEntries({ ...image, layers: [Buffer.alloc(5 * 1024 ** 2)] }))
  await expect(plain).rejects.toMatchObject(refusedWith('too_large', /once unpacked/))
})

test.each<[string, () => Promise<Buffer>]>([
  ['in the way of GNU', async () => retyped(await anyTar([{ name: 'big', content: Buffer.alloc(512) }]), 'S')],
  ['in the way of PAX', async () => anyTar([{ name: 'big', pax: { 'GNU.sparse.realsize': '9000000000000' } }])],
  [
    'behind another file',
    async () =>
      Buffer.concat([
        (await anyTar([{ name: 'small', content: Buffer.from('hello') }])).subarray(0, 1024),
        retyped(await anyTar([{ name: 'big' }]), 'S'),
      ]),
  ],
  [
    'behind a size that counts instead',
    async () => {
      const small = await anyTar([{ name: 'a', pax: { size: '512' }, content: Buffer.from('x') }])
      return Buffer.concat([small.subarray(0, 2048), retyped(await anyTar([{ name: 'big' }]), 'S')])
    },
  ],
])('a layer with a sparse file %s is refused', async (_way, layerOf) => {
  const image = await smallImage()
  const layer = await layerOf()
  for (const bytes of [layer, gzipSync(layer)]) {
    const given = imported(imageEntries({ ...image, layers: [bytes] }))
    await expect(given).rejects.toMatchObject(refusedWith('bad_request', /larger than its content/))
  }
})

test('a layer of every usual kind of entry is let in', async () => {
  const image = await smallImage()
  const layer = await anyTar([
    { name: 'folder/', type: 'directory' },
    { name: `folder/${'long'.repeat(60)}`, content: Buffer.alloc(700, 1) },
    { name: 'link', type: 'symlink', linkname: 'folder' },
    { name: 'pax', pax: { 'SCHILY.xattr.user.a': 'b', mtime: '1.5' }, content: Buffer.from('x') },
    { name: 'null', type: 'character-device', devmajor: 1, devminor: 3 },
    { name: 'empty' },
  ])
  const files = await imported(imageEntries({ ...image, layers: [layer] }))
  expect(files.get('image/layers/1.tar')).toEqual(layer)
})

test('a layer in pieces is the same layer', async () => {
  const image = await smallImage()
  const tar = await specFile(imageEntries(image))
  for (const length of [1, 3, 513]) {
    const files = importedImage(readTar(pieces(tar, length)), { reference: REFERENCE, labels: LABELS })
    const first = await files.next()
    expect(await bytesOf(first.value?.content ?? pieces(Buffer.alloc(0)))).toEqual(image.layers[0])
  }
})

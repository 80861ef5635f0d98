import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect } from 'vitest'
import { sandboxSpecRequest } from '../../../server/api/v1/sandbox/specs.ts'
import { it as base } from '../../fixtures/sandbox.ts'
import { type Parts, startParts } from '../parts.ts'
import { description, filesIn, imageEntries, jsonOf, type Layered, pieces, smallImage, specFile } from './parts.ts'

/** Another computer's Atelier, on the same engine. */
const test = base.extend('other', { scope: 'file' }, async ({}, { onCleanup }) => {
  const parts = await startParts()
  onCleanup(() => parts.close())
  return parts
})

const NOBODY = new AbortController().signal

const importFile = ({ specImports }: Parts, file: AsyncIterable<Buffer>, signal = NOBODY) =>
  specImports.import(file, { fileName: 'C:\\Users\\me\\Kept.atelier-spec.tar', signal })

const exportFile = async ({ specExports }: Parts, specId: string) => (await specExports.open(specId)).content

/** Names of images that belong to this Atelier, and their names without the spec. */
async function imagesOf({ outside, instanceId }: Parts): Promise<string[]> {
  const found = await outside.listImages({ filters: { label: [`dev.atelier.instance=${instanceId}`] } })
  return found.flatMap(({ Id, RepoTags }) => RepoTags ?? [Id])
}

const ownSpecs = async ({ specs }: Parts) =>
  (await specs.search({ limit: 100 })).items.filter(({ built_in }) => !built_in)

test.afterEach(async ({ parts, other }) => {
  for (const each of [parts, other]) {
    for (const { id } of await ownSpecs(each)) await each.specs.delete(id)
  }
})

async function expectNothingLeft(parts: Parts): Promise<void> {
  expect(await ownSpecs(parts)).toEqual([])
  await expect.poll(() => imagesOf(parts)).toEqual([])
}

test('a saved spec goes through a file to another Atelier, where its sandbox has its files', async ({
  parts,
  other,
}) => {
  const { id } = await parts.sandboxes.start(null, {
    policy: { network: 'none', allowlist: { presets: [], hosts: [] } },
  })
  const sandbox = await parts.sandboxes.open(id)
  await sandbox.exec({ argv: ['sh', '-c', 'echo kept > /root/kept'] })
  const { spec } = await parts.savedSpecs.save(id, 'Kept', NOBODY)
  await parts.sandboxes.delete(id)
  const about = await parts.specExports.describe(spec.id)
  expect(about).toMatchObject({ file_name: 'Kept.atelier-spec.tar', image: 'included', left_out: { mounts: [] } })
  expect(about.image_bytes).toBeGreaterThan(1e6)

  await other.specs.create(sandboxSpecRequest.parse({ title: 'Kept', image: 'debian:12' }))
  const bundled = await other.connection.engine().image(other.images.reference ?? '')
  const imported = await importFile(other, await exportFile(parts, spec.id))
  // What is started from is the copy's own.
  await parts.specs.delete(spec.id)
  await expect.poll(() => parts.images.isPresent(spec.image)).toBe(false)
  expect(imported).toMatchObject({
    image: 'included',
    spec: {
      title: 'Kept (2)',
      network: 'none',
      mounts: [],
      imported_from: 'Kept.atelier-spec.tar',
      image_present: true,
    },
  })
  const again = await other.sandboxes.start(imported.spec.id)
  const opened = await other.sandboxes.open(again.id)
  expect((await opened.exec({ argv: ['cat', '/root/kept'] })).stdout).toBe('kept\n')
  await other.sandboxes.delete(again.id)
  expect(await other.connection.engine().image(other.images.reference ?? '')).toEqual(bundled)
  for (const { id: specId } of await ownSpecs(other)) await other.specs.delete(specId)
  await expectNothingLeft(other)
})

test('a spec without an image of its own takes neither folders nor what may be secret along', async ({
  parts,
  other,
}) => {
  const image = parts.images.reference ?? ''
  const own = await parts.specs.create(
    sandboxSpecRequest.parse({ title: '../With: a folder', image, initial_env: { COLOUR: 'blue' } }),
  )
  expect(await parts.specExports.describe(own.id)).toEqual({
    file_name: 'With a folder.atelier-spec.tar',
    image: 'bundled',
    image_bytes: null,
    left_out: { mounts: [], variables: [] },
  })
  const file = await buffer(await exportFile(parts, own.id))
  const described = jsonOf((await filesIn(file)).get('spec.json'))
  expect(described.spec).toMatchObject({ initial_env: { COLOUR: 'blue' } })
  expect(JSON.stringify(described)).not.toContain(image)
  const { spec } = await importFile(other, pieces(file))
  expect(spec).toMatchObject({ image: other.images.reference, initial_env: { COLOUR: 'blue' } })
  await parts.specs.delete(own.id)
  await other.specs.delete(spec.id)
})

test('what an image has in its own variables, and may be secret, is named and stays', async ({ parts }) => {
  const { sandboxes, specs, specExports, outside } = parts
  const { id } = await sandboxes.start()
  const image = 'atelier-test/with-variables:1'
  await outside
    .getContainer(id)
    .commit({ repo: 'atelier-test/with-variables', tag: '1', changes: 'ENV API_TOKEN=t0k3n' })
  await sandboxes.delete(id)
  const spec = await specs.create(sandboxSpecRequest.parse({ title: 'Own', image }))
  const about = await specExports.describe(spec.id)
  expect(about).toMatchObject({ image: 'included', left_out: { variables: ['API_TOKEN'] } })
  const file = await buffer(await exportFile(parts, spec.id))
  expect(jsonOf((await filesIn(file)).get('spec.json')).left_out).toMatchObject({ variables: ['API_TOKEN'] })
  expect(file.includes('t0k3n')).toBe(false)
  await specs.delete(spec.id)
  await outside.getImage(image).remove()
})

test('a Dockerfile that begins with a sandbox of this machine stays here, and its image goes along', async ({
  parts,
  other,
}) => {
  const { sandboxes, savedSpecs, specs, specExports, builds, images } = parts
  const { id } = await sandboxes.start()
  const base = await savedSpecs.save(id, 'Base', NOBODY)
  await sandboxes.delete(id)
  const dockerfile = `FROM ${base.spec.image}\nRUN echo built > /built\n`
  const { id: specId, image } = await specs.create(sandboxSpecRequest.parse({ title: 'Built', dockerfile }))
  await expect(specExports.describe(specId)).rejects.toMatchObject({ code: 'image_missing' })
  await images.ensure(image, () => {})
  expect(await builds.status(specId)).toMatchObject({ state: 'ready' })
  const { spec } = await importFile(other, await exportFile(parts, specId))
  expect(spec).toMatchObject({ dockerfile: null, image: `atelier-saved:${spec.id}`, image_present: true })
})

test('what a hostile file holds names, moves and claims nothing', async ({ parts, other }) => {
  const { id } = await other.sandboxes.start()
  const labels = {
    'dev.atelier.instance': other.instanceId,
    'dev.atelier.sandbox': id,
    'dev.atelier.image-of': id,
    'dev.atelier.spec-image': 'spec-of-somebody',
  }
  const file = await specFile([
    ['spec.json', description({ kind: 'included' })],
    ...imageEntries(await smallImage(labels)),
  ])
  const { spec } = await importFile(parts, pieces(file))
  const loaded = await parts.connection.engine().image(spec.image)
  expect(loaded?.labels).toEqual({
    'dev.atelier.instance': parts.instanceId,
    'dev.atelier.spec-image': spec.id,
    'dev.atelier.sandbox': '',
    'dev.atelier.spec': '',
    'dev.atelier.image-of': '',
    'dev.atelier.user': '',
  })
  await other.sandboxes.delete(id)
  expect(await parts.images.isPresent(spec.image)).toBe(true)
  await parts.specs.delete(spec.id)
  await expectNothingLeft(parts)
})

const withLayer = (layer: Buffer) => async () => ({ ...(await smallImage()), layers: [layer] })

test.for<[string, () => Promise<Layered>, (file: Buffer) => Buffer, RegExp]>([
  ['is cut', smallImage, file => file.subarray(0, file.length - 2500), /damaged or incomplete/],
  ['has another layer than it says', withLayer(Buffer.alloc(10_240)), file => file, /refused the image|damaged/],
  ['has no layer but text', withLayer(Buffer.from('text')), file => file, /refused the image|damaged/],
  ['is no tar', smallImage, () => Buffer.from('PK\u0003\u0004'), /no file of a sandbox spec/],
])('a file that %s leaves nothing', async ([_what, image, change, words], { parts }) => {
  const file = await specFile([['spec.json', description({ kind: 'included' })], ...imageEntries(await image())])
  await expect(importFile(parts, pieces(change(file)))).rejects.toMatchObject({
    code: 'bad_request',
    message: expect.stringMatching(words),
  })
  await expectNothingLeft(parts)
})

test.for<[string, string, RegExp]>([
  ['of a newer version', description({ kind: 'bundled' }, {}, { version: 2 }), /newer version/],
  [
    'with an image of a sandbox here',
    description({ kind: 'named', reference: 'atelier-saved:spec-x' }),
    /does not hold/,
  ],
  [
    'with a Dockerfile on one',
    description({ kind: 'built' }, { dockerfile: 'FROM atelier-saved:x' }),
    /other computer/,
  ],
  ['with a secret', description({ kind: 'bundled' }, { initial_env: { API_KEY: 'x' } }), /API_KEY/],
  ['with a step of the host', description({ kind: 'built' }, { dockerfile: 'FROM a\nADD http://b /' }), /ADD/],
  ['that is no description', '{"title":"x"}', /no file of a sandbox spec/],
  ['with a giant description', `"${'x'.repeat(2 ** 21)}"`, /too long/],
])('a description %s is refused', async ([_what, text, words], { parts }) => {
  await expect(importFile(parts, pieces(await specFile([['spec.json', text]])))).rejects.toMatchObject({
    code: 'bad_request',
    message: expect.stringMatching(words),
  })
  expect(await ownSpecs(parts)).toEqual([])
})

test('an import that is given up in the middle leaves nothing, and gives its turn back', async ({ parts }) => {
  for (const _each of [1, 2, 3]) {
    const image = await smallImage()
    const file = await specFile([['spec.json', description({ kind: 'included' })], ...imageEntries(image)])
    const stalled = new PassThrough()
    stalled.write(file.subarray(0, 3000))
    const abort = new AbortController()
    const importing = importFile(parts, stalled, abort.signal)
    await expect.poll(() => stalled.readableLength).toBe(0)
    abort.abort(new Error('changed my mind'))
    await expect(importing).rejects.toThrow('changed my mind')
    stalled.destroy()
  }
  await expectNothingLeft(parts)
})

test('a client that goes away in the middle ends the import, and one that stops reading ends the export', async ({
  parts,
}) => {
  const broken = Readable.from(
    (async function* () {
      const file = await specFile([
        ['spec.json', description({ kind: 'included' })],
        ...imageEntries(await smallImage()),
      ])
      yield file.subarray(0, 3000)
      throw new Error('the connection was closed')
    })(),
  )
  await expect(importFile(parts, broken)).rejects.toThrow('the connection was closed')
  const { id } = await parts.sandboxes.start()
  const { spec } = await parts.savedSpecs.save(id, 'Large', NOBODY)
  await parts.sandboxes.delete(id)
  for (const _each of [1, 2, 3]) {
    const content = await exportFile(parts, spec.id)
    await new Promise(resolve => content.once('data', resolve))
    content.destroy()
    await expect.poll(() => content.closed).toBe(true)
  }
  // Its turns are free again.
  expect((await buffer(await exportFile(parts, spec.id))).length).toBeGreaterThan(1e6)
  await parts.specs.delete(spec.id)
  await expectNothingLeft(parts)
})

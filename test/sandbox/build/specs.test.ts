import { expect } from 'vitest'
import { sandboxSpecRequest } from '../../../server/api/v1/sandbox/specs.ts'
import { it as test } from '../../fixtures/sandbox.ts'
import { type Parts, until } from '../parts.ts'

const withDockerfile = (dockerfile: string) => sandboxSpecRequest.parse({ title: 'Built', dockerfile })

const isGone = ({ images }: Parts, reference: string) => expect.poll(() => images.isPresent(reference)).toBe(false)

test('a start builds the image first, in the words of the build, and the image goes with its spec', async ({
  parts,
}) => {
  const { specs, sandboxes, builds, images } = parts
  const spec = await specs.create(withDockerfile(`FROM ${images.reference}\nRUN echo made > /made`))
  expect(await builds.status(spec.id)).toMatchObject({ state: 'none', log: [] })
  const seen: string[] = []
  const { id } = await sandboxes.start(spec.id, { onProgress: ({ detail }) => seen.push(detail) })
  expect(seen.some(detail => detail.startsWith('Building the image. Step '))).toBe(true)
  const status = await builds.status(spec.id)
  expect(status).toMatchObject({ state: 'ready', error: null, ended_at: expect.any(String) })
  expect(status.log.at(-1)).toContain('Successfully')
  const sandbox = await sandboxes.open(id)
  expect((await sandbox.exec({ argv: ['cat', '/made'] })).stdout).toBe('made\n')
  // It stays for the sandbox that needs it.
  await specs.delete(spec.id)
  expect(await images.isPresent(spec.image)).toBe(true)
  await sandboxes.delete(id)
  await isGone(parts, spec.image)
})

test('a build that fails says so in its state, and in the error of a start that waits for it', async ({ parts }) => {
  const { specs, sandboxes, builds, images } = parts
  const spec = await specs.create(withDockerfile(`FROM ${images.reference}\nRUN echo reason; exit 3`))
  const start = sandboxes.start(spec.id)
  await expect(start).rejects.toMatchObject({ code: 'image_build_failed', message: expect.stringContaining('reason') })
  expect(await builds.status(spec.id)).toMatchObject({ state: 'failed', error: expect.stringContaining('3') })
  const fixed = await specs.replace(spec.id, withDockerfile(`FROM ${images.reference}\nRUN true`))
  expect(fixed.image).not.toBe(spec.image)
  expect(await builds.status(spec.id)).toMatchObject({ state: 'none', log: [], error: null })
  await specs.delete(spec.id)
})

test('a build is joined, followed and cancelled', async ({ parts }) => {
  const { specs, builds, images, bus } = parts
  const spec = await specs.create(withDockerfile(`FROM ${images.reference}\nRUN echo begun; sleep 1000`))
  expect(await builds.begin(spec.id)).toMatchObject({ state: 'building' })
  await builds.begin(spec.id)
  const log = () => builds.status(spec.id).then(({ log: lines }) => (lines.includes('begun') ? lines : undefined))
  const lines = await until(bus, log)
  expect(lines.filter(line => line === 'begun')).toHaveLength(1)
  await builds.cancel(spec.id)
  const ended = await until(bus, async () => {
    const status = await builds.status(spec.id)
    return status.state === 'building' ? undefined : status
  })
  expect(ended).toMatchObject({ state: 'none', error: null })
  await specs.delete(spec.id)
})

test('a spec that names its image is not built', async ({ parts }) => {
  const [builtIn] = (await parts.specs.search({ limit: 1 })).items
  await expect(parts.builds.begin(builtIn?.id ?? '')).rejects.toMatchObject({ code: 'conflict' })
})

test('a sandbox is saved as a spec with what it has written, and goes on', async ({ parts }) => {
  const { sandboxes, savedSpecs, specs } = parts
  const { id } = await sandboxes.start(null, { policy: { network: 'none', allowlist: { presets: [], hosts: [] } } })
  const sandbox = await sandboxes.open(id)
  await sandbox.exec({ argv: ['sh', '-c', 'echo kept > /root/kept'] })
  await sandboxes.pause(id)
  const { spec, leftOut } = await savedSpecs.save(id, 'Kept', new AbortController().signal)
  expect(leftOut).toEqual([])
  expect(spec).toMatchObject({ title: 'Kept', network: 'none', image_present: true, mounts: [] })
  expect(await sandboxes.get(id)).toMatchObject({ status: 'PAUSED' })
  await sandboxes.delete(id)
  const again = await sandboxes.start(spec.id)
  const opened = await sandboxes.open(again.id)
  expect((await opened.exec({ argv: ['cat', '/root/kept'] })).stdout).toBe('kept\n')
  // A copy of it is a sandbox's image, and no spec's.
  const copy = await sandboxes.start(null, { copyOf: again.id })
  await sandboxes.delete(again.id)
  await specs.delete(spec.id)
  await sandboxes.delete(copy.id)
  await isGone(parts, spec.image)
  await isGone(parts, `atelier-copy:${copy.id}`)
})

test('saving that is given up leaves nothing', async ({ parts }) => {
  const { sandboxes, savedSpecs, specs, outside, instanceId } = parts
  const { id } = await sandboxes.start()
  const before = await specs.images()
  const abort = new AbortController()
  const saving = savedSpecs.save(id, 'Given up', abort.signal)
  abort.abort(new Error('changed my mind'))
  await expect(saving).rejects.toThrow('changed my mind')
  expect(await specs.images()).toEqual(before)
  await sandboxes.delete(id)
  const label = [`dev.atelier.instance=${instanceId}`]
  const saved = async () => {
    const found = await outside.listImages({ filters: { label } })
    return found.flatMap(({ RepoTags }) => RepoTags ?? []).filter(tag => tag.startsWith('atelier-saved:'))
  }
  await expect.poll(saved).toEqual([])
})

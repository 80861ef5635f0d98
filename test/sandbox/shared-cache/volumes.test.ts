import { expect } from 'vitest'
import { sandboxSpecRequest } from '../../../server/api/v1/sandbox/specs.ts'
import { EngineStorageService } from '../../../server/sandbox/storage.ts'
import { it as test } from '../../fixtures/sandbox.ts'
import type { Parts } from '../parts.ts'

const volumesOf = async ({ outside, instanceId }: Parts): Promise<string[]> => {
  const { Volumes } = await outside.listVolumes({ filters: { label: [`dev.atelier.instance=${instanceId}`] } })
  return (Volumes ?? []).map(({ Name }) => Name)
}

const run = async ({ sandboxes }: Parts, id: string, script: string) => {
  const { stdout, stderr, exitCode } = await (await sandboxes.open(id)).exec({ argv: ['sh', '-c', script] })
  return exitCode === 0 ? stdout : stderr
}

const create = ({ specs, images }: Parts, title: string, caches: string[]) =>
  specs.create(sandboxSpecRequest.parse({ title, image: images.reference, caches }))

test('sandboxes of a spec share its caches, those of another do not, and they go with the spec', async ({ parts }) => {
  const { sandboxes, specs, savedSpecs, connection, instanceId, images } = parts
  const one = await create(parts, 'One', ['npm', 'pip'])
  const other = await create(parts, 'Other', ['npm'])
  const first = await sandboxes.start(one.id)
  await run(parts, first.id, 'echo shared > ~/.npm/file; echo own > ~/own')
  const second = await sandboxes.start(one.id)
  expect(await run(parts, second.id, 'cat ~/.npm/file; ls ~/.cache/pip')).toBe('shared\n')
  const third = await sandboxes.start(other.id)
  expect(await run(parts, third.id, 'ls ~/.npm')).toBe('')

  // A copy shares them as well, and a saved spec has none of them in its image.
  const copy = await sandboxes.start(null, { copyOf: first.id })
  expect(await run(parts, copy.id, 'cat ~/own; cat ~/.npm/file; echo copied > ~/.npm/file')).toBe('own\nshared\n')
  expect(await run(parts, first.id, 'cat ~/.npm/file')).toBe('copied\n')
  const { spec: saved, leftOut } = await savedSpecs.save(first.id, 'Saved', new AbortController().signal)
  expect(leftOut.sort()).toEqual(['/root/.cache/pip', '/root/.npm'])
  expect(saved.caches).toEqual(['npm', 'pip'])
  const fourth = await sandboxes.start(saved.id)
  expect(await run(parts, fourth.id, 'ls ~/.npm; cat ~/own')).toBe('own\n')

  const storage = new EngineStorageService({
    connection,
    sandboxes: parts.engineSandboxes,
    images,
    specs,
    instanceId,
    disk: { check: async () => null },
  })
  const unused = async () => (await storage.status()).reclaimable.find(({ kind }) => kind === 'unused_caches')
  expect(await unused()).toMatchObject({ names: [] })
  await sandboxes.delete(third.id)
  await expect.poll(unused).toMatchObject({ names: [expect.stringContaining(other.id)] })
  await storage.free(['unused_caches'])
  expect((await volumesOf(parts)).filter(name => name.includes(other.id))).toEqual([])

  // Turned off, or without its spec, a cache stays for as long as a sandbox has it.
  await specs.replace(one.id, sandboxSpecRequest.parse({ title: 'One', image: images.reference, caches: ['npm'] }))
  await specs.delete(saved.id)
  expect((await volumesOf(parts)).length).toBeGreaterThan(0)
  for (const { id } of [first, second, copy, fourth]) await sandboxes.delete(id)
  await expect.poll(() => volumesOf(parts)).toEqual([expect.stringMatching(new RegExp(`${one.id}-npm`))])
  await specs.delete(one.id)
  await specs.delete(other.id)
  await expect.poll(() => volumesOf(parts)).toEqual([])
})

test('a user other than root can write into a cache, and into the folders above it', async ({ parts }) => {
  const { sandboxes, specs } = parts
  const { id, ...request } = await create(parts, 'Of a user', ['pip', 'maven'])
  const spec = await specs.get(id)
  const account = { user: '1234:1234', home: '/home/somebody', folders: ['/home/somebody'] }
  const started = await sandboxes.start(null, { spec: { ...spec, account } })
  const script = 'id -u; cd /home/somebody; touch .cache/pip/a .cache/b .m2/repository/c .m2/d && echo written'
  expect(await run(parts, started.id, script)).toBe('1234\nwritten\n')
  expect((await volumesOf(parts)).sort()).toEqual([`atelier-cache-${id}-maven-1234`, `atelier-cache-${id}-pip-1234`])
  await sandboxes.delete(started.id)
  await specs.delete(id)
  await expect.poll(() => volumesOf(parts)).toEqual([])
  expect(request.caches).toEqual(['pip', 'maven'])
})

import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { sandboxSpecRequest } from '../../../server/api/v1/sandbox/specs.ts'
import { RemovableStorage } from '../../../server/sandbox/removable/removable.ts'
import { it as test } from '../../fixtures/sandbox.ts'

const repo = `atelier-test/removable-${randomBytes(6).toString('hex')}`

test('what can go is listed one by one, and what is in use again by then stays', async ({ parts, onTestFinished }) => {
  const { sandboxes, specs, images, connection, outside, instanceId } = parts
  const removable = new RemovableStorage({
    connection,
    sandboxes: parts.engineSandboxes,
    images: { reference: null },
    specs: { images: async () => [images.reference ?? '', `${repo}:1`] },
    specImages: { isNeeded: () => false },
    conversations: {
      of: id => (id === rests.id ? [{ id: 'a', title: 'Old', updatedAt: LONG_AGO, archived: false }] : []),
    },
    instanceId,
  })
  const spec = await specs.create(
    sandboxSpecRequest.parse({ title: 'Cached', image: images.reference, caches: ['npm'] }),
  )
  const [runs, rests, held, cached] = await Promise.all([
    sandboxes.start(),
    sandboxes.start(),
    sandboxes.start(),
    sandboxes.start(spec.id),
  ])
  const written = await (await sandboxes.open(rests.id)).exec({
    argv: ['dd', 'if=/dev/urandom', 'of=/tmp/large', 'bs=1000', 'count=3000'],
  })
  expect(written.exitCode).toBe(0)
  await Promise.all([rests, held].map(({ id }) => sandboxes.pause(id)))
  const release = sandboxes.hold(held.id)
  await outside.getContainer(rests.id).commit({ repo, tag: '1' })
  await sandboxes.delete(cached.id)
  const data = await outside.createVolume({
    Name: `${rests.id}-data`,
    Labels: { 'dev.atelier.instance': instanceId, 'dev.atelier.sandbox': rests.id },
  })
  onTestFinished(() => data.remove().catch(() => {}))
  const isListed = async () => (await removable.list()).map(({ kind }) => kind).sort()
  await expect.poll(isListed).toEqual(['cache', 'image', 'sandbox', 'service_volume'])
  // The window asks for several lists at once, while an engine measures for one at a time.
  const [found = []] = await Promise.all(Array.from({ length: 4 }, () => removable.list()))
  expect(found[0]?.bytes).toBeGreaterThanOrEqual(3_000_000)
  expect(found).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        ...{ kind: 'sandbox', id: rests.id, reason: 'not_running', since: LONG_AGO, may_hold_work: true },
        conversations: [{ id: 'a', title: 'Old', archived: false }],
      }),
      expect.objectContaining({ kind: 'image', name: `${repo}:1`, reason: 'other_spec', may_hold_work: false }),
      expect.objectContaining({ kind: 'cache', reason: 'no_sandbox', may_hold_work: false }),
      expect.objectContaining({ kind: 'service_volume', name: 'data', may_hold_work: true }),
    ]),
  )

  // All of it is needed again after it was listed.
  await sandboxes.resume(rests.id)
  const uses = await outside.createContainer({
    Image: `${repo}:1`,
    HostConfig: { Binds: [`${rests.id}-data:/data`] },
    // Somebody else's: it inherits the labels of the image.
    Labels: { 'dev.atelier.instance': 'another', 'dev.atelier.spec': '' },
  })
  const { id: shares } = await sandboxes.start(spec.id)
  const wanted = found.map(({ kind, id }) => ({ kind, id }))
  const kept = await removable.remove([...wanted, { kind: 'cache', id: 'no-such-volume' }, ...asked([runs, held])])
  expect(kept.map(({ state }) => state)).toEqual(['kept', 'kept', 'kept', 'kept', 'gone', 'kept', 'kept'])
  expect(kept[0]?.problem).toBe('It is in use again.')
  expect(await Promise.all([runs, rests, held].map(async ({ id }) => (await sandboxes.get(id)).status))).toEqual([
    'RUNNING',
    'RUNNING',
    'PAUSED',
  ])

  await uses.remove()
  await sandboxes.delete(shares)
  await sandboxes.pause(rests.id)
  await expect.poll(isListed).toEqual(['cache', 'image', 'sandbox', 'service_volume'])
  const stopped = new AbortController()
  stopped.abort()
  await expect(removable.remove(wanted, stopped.signal)).rejects.toThrow()
  const removed = await removable.remove(wanted)
  // The data of its services goes with a sandbox.
  expect(new Set(removed.map(({ state }) => state)).has('kept')).toBe(false)
  expect(await removable.list()).toEqual([])
  expect(await images.isPresent(`${repo}:1`)).toBe(false)
  release()
  expect(await isListed()).toEqual(['sandbox'])
})

const LONG_AGO = '2026-01-01T00:00:00.000Z'

function asked(sandboxes: readonly { id: string }[]) {
  return sandboxes.map(({ id }) => ({ kind: 'sandbox', id }) as const)
}

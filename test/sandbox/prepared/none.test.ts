import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, vi } from 'vitest'
import { sandboxSpecRequest } from '../../../server/api/v1/sandbox/specs.ts'
import { it } from '../../fixtures/base.ts'
import { startParts } from '../parts.ts'
import { containers, creations, output, PATIENCE, SURELY_ROUND_MS, startAway } from './parts.ts'

describe('nothing is prepared', () => {
  it('from an image that the engine lacks, which is not asked for either', async () => {
    const { proxy, parts } = await startAway()
    parts.settings.runtime = 'atelier-test/none:none'
    parts.prepare(1)
    await expect.poll(() => proxy.asked.filter(path => path.includes('/images/atelier-test'))).not.toEqual([])
    await delay(SURELY_ROUND_MS)
    expect(await containers(parts)).toEqual([])
    expect(proxy.asked.filter(path => path.includes('/images/create'))).toEqual([])
    await parts.close()
    await proxy.down()
  })

  it('a second time soon where it does not start', async () => {
    const parts = await startParts()
    const image = `atelier-test-ends:${parts.instanceId}`
    await commitWithoutShell(image)
    const created = await creations(parts)
    parts.settings.runtime = image
    parts.prepare(1)
    await vi.waitFor(() => expect(created.names).toHaveLength(1), PATIENCE)
    await vi.waitFor(async () => expect(await containers(parts)).toEqual([]), PATIENCE)
    parts.prepare(1)
    await delay(SURELY_ROUND_MS)
    expect(created.names).toHaveLength(1)
    created.stop()
    await parts.close()
    await parts.outside.getImage(image).remove({ force: true })
  })

  it('with a command of its own', async () => {
    const parts = await startParts()
    const image = parts.images.reference ?? ''
    const command = ['/bin/sh', '-c', 'sleep 1000']
    await parts.specs.create(sandboxSpecRequest.parse({ title: 'Works', image, command, is_default: true }))
    parts.prepare(1)
    await delay(SURELY_ROUND_MS)
    expect(await containers(parts)).toEqual([])
    await parts.close()
  })

  it('with folders of this machine', async () => {
    const parts = await startParts()
    const folder = mkdtempSync(join(tmpdir(), 'atelier-mounted-'))
    const mounts = [{ host_path: folder, container_path: '/mounted', mode: 'ro' }]
    const image = parts.images.reference ?? ''
    await parts.specs.create(sandboxSpecRequest.parse({ title: 'Mounts', image, mounts, is_default: true }))
    parts.prepare(1)
    await delay(SURELY_ROUND_MS)
    expect(await containers(parts)).toEqual([])
    await parts.close()
    rmSync(folder, { recursive: true })
  })
})

async function commitWithoutShell(image: string): Promise<void> {
  const maker = await startParts()
  const { id } = await maker.sandboxes.start()
  await output(maker, id, 'rm /bin/sh')
  const [repo, tag] = image.split(':')
  await maker.outside.getContainer(id).commit({ repo, tag })
  await maker.close()
}

import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EngineStorageService } from '../../server/sandbox/storage.ts'
import { unusedImages } from '../../server/sandbox/unused-images.ts'
import { type Parts, startParts } from './parts.ts'

const MEGABYTE = 1_000_000

describe('what sandboxes take of the engine’s disk', () => {
  const repo = `atelier-test/unused-${randomBytes(6).toString('hex')}`
  let parts: Parts
  let storage: EngineStorageService
  let running: string
  let paused: string
  let held: string
  let release: () => void

  beforeAll(async () => {
    parts = await startParts()
    storage = new EngineStorageService({
      ...parts,
      sandboxes: parts.engineSandboxes,
      // The engine belongs to others too: nothing of theirs may be taken for an older image of this one.
      images: { reference: null },
      specs: { images: async () => [parts.images.reference ?? '', `${repo}:1`] },
      disk: { check: async () => null },
    })
    const ids = await Promise.all([1, 2, 3].map(async () => (await parts.sandboxes.start()).id))
    ;[running = '', paused = '', held = ''] = ids
    await write(paused, 3)
    await write(held, 1)
    await parts.sandboxes.pause(paused)
    await parts.sandboxes.pause(held)
    release = parts.sandboxes.hold(held)
    await parts.outside.getContainer(paused).commit({ repo, tag: '1' })
  })
  afterAll(async () => {
    release?.()
    await parts?.close()
  })

  async function write(id: string, megabytes: number): Promise<void> {
    const sandbox = await parts.sandboxes.open(id)
    const count = `count=${megabytes * 1000}`
    const { exitCode } = await sandbox.exec({ argv: ['dd', 'if=/dev/urandom', 'of=/tmp/large', 'bs=1000', count] })
    expect(exitCode).toBe(0)
  }

  it('is told sandbox by sandbox, the largest first', async () => {
    const { sandboxes } = await storage.status()
    expect(sandboxes.map(({ sandbox_id }) => sandbox_id)).toEqual([paused, held, running])
    expect(sandboxes[0]?.bytes).toBeGreaterThanOrEqual(3 * MEGABYTE)
    expect(sandboxes).toMatchObject([
      { status: 'PAUSED', is_used: false },
      { status: 'PAUSED', is_used: true },
      { status: 'RUNNING', is_used: false },
    ])
  })

  it('can go where nobody needs it: neither what runs, nor what is used', async () => {
    const before = await storage.status()
    expect(before.reclaimable).toMatchObject([
      { kind: 'unused_sandboxes', names: [paused], bytes: before.sandboxes[0]?.bytes },
      { kind: 'unused_images', names: [`${repo}:1`] },
      { kind: 'unused_caches', names: [] },
    ])
    expect(before.reclaimable[1]?.bytes).toBeGreaterThanOrEqual(3 * MEGABYTE)
    const after = await storage.free(['unused_sandboxes', 'unused_images'])
    expect(after.sandboxes.map(({ sandbox_id }) => sandbox_id)).toEqual([held, running])
    expect(after.reclaimable).toMatchObject([
      { names: [], bytes: 0 },
      { names: [], bytes: 0 },
      { names: [], bytes: 0 },
    ])
    expect(await parts.images.isPresent(`${repo}:1`)).toBe(false)
  })

  it('is on a disk of this machine, where the engine is', () => {
    expect(parts.connection.folder()).toMatch(/^\//)
  })
})

describe('an image is unused', () => {
  const image = (...names: string[]) => ({ id: 'id', names, labels: {}, bytes: 10, createdAt: null, isUsed: false })
  const known = {
    bundled: 'atelier/sandbox:2',
    ofSpecs: ['atelier/sandbox:2', 'node', 'ghcr.io/owner/image:1'],
    instanceId: 'mine',
  }
  const found = (...images: ReturnType<typeof image>[]) => unusedImages(known, images).flatMap(({ names }) => names)

  it('as one of an earlier version, or of another spec, however the engine writes its name', () => {
    expect(
      found(image('atelier/sandbox:1'), image('docker.io/library/node:latest'), image('ghcr.io/owner/image:1')),
    ).toEqual(['atelier/sandbox:1', 'docker.io/library/node:latest', 'ghcr.io/owner/image:1'])
  })

  it('as one of a dev container, if it is our own', () => {
    const of = (instance: string) => ({
      ...image('atelier-dev-container:0f1e'),
      labels: { 'dev.atelier.instance': instance },
    })
    expect(found(of('mine'))).toEqual(['atelier-dev-container:0f1e'])
    expect(found(of('of another'))).toEqual([])
  })

  it('never as the one that the next conversation begins with, one of somebody else, or one without a name', () => {
    expect(found(image('atelier/sandbox:2'), image('node:22'), image('postgres:17'), image())).toEqual([])
    expect(found(image('node:latest', 'my/base:1'))).toEqual([])
  })

  it('never as one that a container needs', () => {
    expect(found({ ...image('node:latest'), isUsed: true })).toEqual([])
  })
})

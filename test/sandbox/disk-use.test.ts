import pino from 'pino'
import { expect } from 'vitest'
import { EVERYWHERE } from '../../server/api/v1/sandbox/cluster.ts'
import { SandboxDiskUse } from '../../server/sandbox/disk-use.ts'
import { SANDBOX } from '../../server/sandbox/spec.ts'
import type { Sandbox } from '../../server/sandbox/state.ts'
import { it as base } from '../fixtures/sandbox.ts'

const MB = 1e6
const it = base.extend('sandbox', { scope: 'file' }, async ({ parts }) => {
  return parts.sandboxes.open((await parts.sandboxes.start()).id)
})

it('a sandbox that has written about what it may says so, until it has less', async ({ parts, sandbox }) => {
  const container = await parts.connection.engine().inspectContainer(sandbox.id)
  if (!container) throw new Error('no container')
  const known = { id: sandbox.id, specId: 'any', createdAt: '', kind: 'container', container } satisfies Sandbox
  const changes: string[] = []
  const use = new SandboxDiskUse({
    connection: parts.connection,
    log: pino({ level: 'silent' }),
    sandboxes: () => [known],
    limitOf: async () => 200 * MB,
    onChange: id => changes.push(id),
  })
  const note = async (script: string) => {
    expect(await sandbox.exec({ argv: ['/bin/sh', '-c', script] })).toMatchObject({ exitCode: 0 })
    await use.look()
    return use.noteOn(sandbox.id)
  }
  expect(await note('true')).toBeNull()
  expect(await note('head -c 300000000 /dev/zero >/tmp/large')).toMatch(
    /^It has written 0\.3 GB, and 0\.2 GB is its limit\. Delete what/,
  )
  expect(await note('true')).not.toBeNull()
  expect(await note('rm /tmp/large')).toBeNull()
  expect(changes).toEqual([sandbox.id, sandbox.id])
})

it('its limit is that of its spec, or the default’s', async ({ parts }) => {
  const limits = { memory_bytes: null, cpus: null, pids: null, disk_bytes: 5e9 }
  const spec = await parts.specs.create({
    title: 'Small',
    image: 'node:22',
    initial_env: {},
    limits,
    network: 'full',
    allowlist: { presets: [], hosts: [] },
    runtime: null,
    mounts: [],
    engine_id: null,
    caches: [],
    cluster: EVERYWHERE,
  })
  expect(await parts.specs.diskLimit(spec.id)).toBe(5e9)
  expect(await parts.specs.diskLimit('gone')).toBe(SANDBOX.diskBytes)
})

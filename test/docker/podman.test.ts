import { describe, expect } from 'vitest'
import type { NetworkPolicy } from '../../server/api/network-policy.ts'
import { sandboxSpecRequest } from '../../server/api/v1/sandbox/specs.ts'
import { thisMachine } from '../../server/docker/candidates.mjs'
import { findEngine } from '../../server/docker/socket.ts'
import { it as base } from '../fixtures/base.ts'
import { PodmanEngine, type PodmanKind } from '../parts/engine/podman-engine.ts'
import { PORTABLE_CASES, sh } from '../parts/engine/portable-cases.ts'
import { startParts } from '../sandbox/parts.ts'

const never = new AbortController().signal

const LIST: NetworkPolicy = { network: 'allowlist', allowlist: { presets: [], hosts: ['allowed.test'] } }

/** Without control groups of version 2 nobody but root can freeze processes. */
const CANNOT_FREEZE = /cgroup/i

function withPodman(kind: PodmanKind) {
  return base
    .extend('podman', { scope: 'file' }, async ({}, { onCleanup }) => {
      const podman = new PodmanEngine(kind)
      onCleanup(() => podman.close())
      await podman.start()
      return podman
    })
    .extend('parts', { scope: 'file' }, async ({ podman }, { onCleanup }) => {
      const machine = { ...thisMachine(), env: { ...process.env, DOCKER_HOST: podman.host } }
      const parts = await startParts({ find: signal => findEngine(machine, signal) })
      onCleanup(() => parts.close())
      await parts.connection.answers(never)
      return parts
    })
    .extend('sandbox', { scope: 'file' }, async ({ parts }) => parts.sandboxes.open((await parts.sandboxes.start()).id))
}

const TESTS = { root: withPodman('root'), rootless: withPodman('rootless') }

describe.each<PodmanKind>(['root', 'rootless'])('Podman, %s', kind => {
  const it = TESTS[kind]

  it('is known by what it is', ({ parts, podman }) => {
    expect(parts.connection.status()).toMatchObject({ state: 'ready', endpoint: podman.host })
    expect(parts.connection.info().userNamespace).toBe(kind === 'rootless' ? 'rootless' : 'none')
  })

  it.for(PORTABLE_CASES)('%s', ([_name, run], { sandbox }) => run(sandbox))

  it('gives sandboxes of the network `none` no route', async ({ parts, podman: { host } }) => {
    const image = parts.images.reference ?? ''
    const { id: closed } = await parts.specs.create(sandboxSpecRequest.parse({ title: host, image, network: 'none' }))
    const sandbox = await parts.sandboxes.open((await parts.sandboxes.start(closed)).id)
    expect((await sh(sandbox, 'cat /proc/net/route')).stdout.trim().split('\n')).toHaveLength(1)
  })

  it('answers a sandbox with a list by its gateway, which ends what is not on it', async ({ parts }) => {
    const sandbox = await parts.sandboxes.open((await parts.sandboxes.start(null, { policy: LIST })).id)
    expect([35, 52, 56]).toContain((await sh(sandbox, 'curl -sSk -m 15 https://other.test/')).exitCode)
  })

  it('pauses, goes on, and removes what it has made, or says why it cannot', async ({ parts }) => {
    const { id } = await parts.sandboxes.start()
    const refusal = await parts.sandboxes.pause(id).then(
      () => '',
      error => String(error.message),
    )
    if (kind === 'root') expect(refusal).toBe('')
    if (refusal) expect(refusal).toMatch(CANNOT_FREEZE)
    expect((await parts.sandboxes.get(id)).status).toBe(refusal ? 'RUNNING' : 'PAUSED')
    if (!refusal) await parts.sandboxes.resume(id)
    const sandbox = await parts.sandboxes.open(id)
    expect((await sh(sandbox, 'echo on')).stdout).toBe('on\n')
    await parts.sandboxes.delete(id)
    const left = await parts.connection.engine().listObjects({ 'dev.atelier.instance': parts.instanceId })
    expect(left.filter(({ name }) => name.includes(id))).toEqual([])
  })

  it('goes on with its sandboxes when its service has died', async ({ parts, podman, sandbox }) => {
    await podman.kill()
    await expect.poll(() => parts.connection.status().state).toBe('unavailable')
    await podman.start()
    await parts.connection.answers(never)
    expect((await sh(sandbox, 'echo still')).stdout).toBe('still\n')
  })
})
